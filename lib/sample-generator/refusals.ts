import type { Fault, Place, TestPrompts } from './test-prompts.ts';
import { UpstreamError } from './upstream-error.ts';

const MAX_SUBJECTS = 10_000;

/**
 * Counts attempts: the first ones fail, the next one succeeds. For create requests the count then restarts, so that
 * using the same test prompt again has the same effect.
 */
export const countedFaults = () => {
  const attempts = new Map<string, number>();
  return {
    /** The fault for this attempt, if any; `subject` identifies the request, operation or file. */
    next: (place: Place, subject: string, { faults }: TestPrompts): Fault | undefined => {
      const here = faults.filter((fault) => fault.place === place);
      if (here.length === 0) return undefined;
      const key = `${place} ${subject}`;
      const attempt = attempts.get(key) ?? 0;
      let passed = 0;
      for (const fault of here) {
        if (fault.repeat === 'always' || attempt < passed + fault.repeat) {
          attempts.delete(key);
          attempts.set(key, attempt + 1);
          return fault;
        }
        passed += fault.repeat;
      }
      if (place === 'create') attempts.delete(key);
      for (const oldest of attempts.keys()) {
        if (attempts.size <= MAX_SUBJECTS) break;
        attempts.delete(oldest);
      }
      return undefined;
    },
  };
};

export type Faults = ReturnType<typeof countedFaults>;

const rateLimited = (retryAfterSeconds: number) =>
  new UpstreamError(429, undefined, { quota: 'minute', retryAfterSeconds });

export const faultError = (fault: Fault, retryDelaySeconds: number): UpstreamError => {
  if (fault.kind === 'daily-quota') return new UpstreamError(429, undefined, { quota: 'day' });
  if (fault.kind !== 'error') return new UpstreamError(500);
  if (fault.code !== 429) return new UpstreamError(fault.code);
  return rateLimited(fault.retrySeconds ?? retryDelaySeconds);
};

/** How much an upstream accepts; can be changed while it runs. */
export type Limits = {
  /** Per model; the next create request gets 429 and is told when to try again. */
  readonly submitsPerMinute?: number;
  /** The key is blocked or the permission withdrawn: 403, or 401 where 403 has another meaning. */
  readonly blocked?: boolean;
  /** Every request gets 503. */
  readonly down?: boolean;
  /** Models that have been shut down, with the replacement that the upstream names, if any: 404. */
  readonly retired?: Readonly<Record<string, string | null>>;
};

const MINUTE = 60_000;

export const upstreamLimits = (initial: Limits) => {
  let limits = initial;
  const admitted = new Map<string, readonly number[]>();
  return {
    /** Replaces the limits from now on. */
    change: (changed: Limits) => {
      limits = changed;
    },
    current: () => limits,
    /** Counts a create request, or rejects it. */
    admit: (model: string) => {
      const now = Date.now();
      const recent = (admitted.get(model) ?? []).filter((time) => time > now - MINUTE);
      const { submitsPerMinute = Number.POSITIVE_INFINITY } = limits;
      if (recent.length >= submitsPerMinute)
        throw rateLimited(Math.ceil(((recent[0] ?? now) + MINUTE - now) / 1000));
      admitted.set(model, [...recent, now]);
    },
  };
};

export type UpstreamLimits = ReturnType<typeof upstreamLimits>;

export const refuseWhileDown = ({ current }: UpstreamLimits): void => {
  if (current().down === true) throw new UpstreamError(503);
};
