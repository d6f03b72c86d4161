import type { Clock } from '../../platform/domain/log-events.ts';
import type { UpstreamError } from './upstream-error.ts';

/** Quotas are counted by the minute; a longer time is about the task that was refused. */
const LONGEST_PAUSE = 60_000;
/** One refusal may be about one task; so many without an answer in between are about all of them. */
const REFUSALS = 3;

/** What the upstream has asked this process to leave for a while: checks, or submits to a model. */
export type UpstreamPauses = {
  /** Notes an answer: an error, or that the upstream did what it was asked. */
  note(what: string, error?: UpstreamError): void;
  /** Milliseconds until it may be asked again; 0 where it did not say. */
  remaining(what: string): number;
};

export const CHECKS = 'checks';

/**
 * An upstream that is busy is busy for all tasks. Without this each of them would claim its submit, be refused, and
 * write that down, again and again.
 */
export const upstreamPauses = (now: Clock): UpstreamPauses => {
  const until = new Map<string, number>();
  const refusals = new Map<string, number>();
  return {
    note: (what, error) => {
      const count = error?.fault === 'busy' ? (refusals.get(what) ?? 0) + 1 : 0;
      refusals.set(what, count);
      if (error === undefined || count < REFUSALS) return;
      const pause = (error.retryAfterSeconds ?? 0) * 1000;
      if (pause <= LONGEST_PAUSE) until.set(what, now() + pause);
    },
    remaining: (what) => Math.max(0, (until.get(what) ?? 0) - now()),
  };
};
