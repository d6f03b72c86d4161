import type { Clock } from './log-events.ts';

const MAX_ENTRIES = 1000;

/** Entries that are kept for a limited time. A full map is emptied: the entries can all be looked up again. */
type ExpiringMap<Value> = {
  get(key: string): Value | undefined;
  /** Keeps the value until the given time. */
  set(key: string, value: Value, until: number): void;
};

export const expiringMap = <Value>(now: Clock): ExpiringMap<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined || now() < entry.until) return entry?.value;
      entries.delete(key);
      return undefined;
    },

    set: (key, value, until) => {
      if (entries.size >= MAX_ENTRIES && !entries.has(key)) entries.clear();
      entries.set(key, { value, until });
    },
  };
};
