import type { Clock } from '../../platform/domain/log-events.ts';
import type { UpstreamError } from './faults.ts';

/** Quotas are counted by the minute; a longer delay concerns only the refused task. */
const LONGEST_PAUSE = 60_000;
/** One refusal may concern one task; this many in a row concern all of them. */
const REFUSALS = 3;

export const CHECKS = 'checks';

/** A busy upstream is busy for all tasks; without pauses, each of them would claim, call and write a refusal. */
export const upstreamPauses = (now: Clock) => {
  const until = new Map<string, number>();
  const refusals = new Map<string, number>();
  return {
    /** Notes the result of checks, or of submits to a model; without an error it was successful. */
    note: (call: string, error?: UpstreamError): void => {
      const count = error?.fault === 'busy' ? (refusals.get(call) ?? 0) + 1 : 0;
      refusals.set(call, count);
      if (error === undefined || count < REFUSALS) return;
      const pause = (error.retryAfterSeconds ?? 0) * 1000;
      if (pause <= LONGEST_PAUSE) until.set(call, now() + pause);
    },
    /** Milliseconds until the call may be made again; 0 without a pause. */
    remaining: (call: string): number => Math.max(0, (until.get(call) ?? 0) - now()),
  };
};

export type UpstreamPauses = ReturnType<typeof upstreamPauses>;
