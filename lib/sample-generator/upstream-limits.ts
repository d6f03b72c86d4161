import { faultError } from './faults.ts';
import { UpstreamError } from './upstream-error.ts';

/** How much an upstream accepts; can be changed while it runs. */
export type Limits = {
  /** Per model; the next create request gets 429 with RetryInfo. */
  readonly submitsPerMinute?: number;
  /** The key is blocked or the permission withdrawn: 403. */
  readonly blocked?: boolean;
  /** Every request gets 503. */
  readonly down?: boolean;
};

export type UpstreamLimits = {
  change(limits: Limits): void;
  readonly current: () => Limits;
  /** Counts a create request, or rejects it. */
  admit(model: string): void;
};

const MINUTE = 60_000;

export const upstreamLimits = (initial: Limits): UpstreamLimits => {
  let limits = initial;
  const admitted = new Map<string, readonly number[]>();
  return {
    change: (changed) => {
      limits = changed;
    },
    current: () => limits,
    admit: (model) => {
      const now = Date.now();
      const recent = (admitted.get(model) ?? []).filter((time) => time > now - MINUTE);
      const { submitsPerMinute = Number.POSITIVE_INFINITY } = limits;
      if (recent.length >= submitsPerMinute) {
        const seconds = Math.ceil(((recent[0] ?? now) + MINUTE - now) / 1000);
        throw faultError(
          { place: 'create', kind: 'error', code: 429, repeat: 1, retrySeconds: seconds },
          seconds,
        );
      }
      admitted.set(model, [...recent, now]);
    },
  };
};

export const refuseWhileDown = ({ current }: UpstreamLimits): void => {
  if (current().down === true) throw new UpstreamError(503);
};
