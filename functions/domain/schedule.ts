import type { Task } from './task.ts';

/** When things are tried, checked and given up. All times in milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A task that is not submitted by then fails with `queue_timeout`. */
export const QUEUE_DEADLINE = 6 * HOUR;
/** A task that is not stored by then, counted from its submission, fails with `generation_timeout`. */
export const GENERATION_DEADLINE = 30 * MINUTE;

/** When a task is given up, whatever it waits for. */
export const deadlineOf = ({ createdAt, submittedAt }: Pick<Task, 'createdAt' | 'submittedAt'>): number =>
  submittedAt === undefined ? createdAt + QUEUE_DEADLINE : submittedAt + GENERATION_DEADLINE;

/** How long one submit may take; a claim on it holds a little longer. */
export const SUBMIT_TIMEOUT = 40 * SECOND;
export const SUBMIT_CLAIM = 60 * SECOND;

/** Submits that may have reached the upstream without an answer: the first, and one more. */
export const MAX_OPEN_SUBMITS = 2;
/** A file that cannot be fetched this often will not come. */
export const MAX_FETCH_ATTEMPTS = 6;

/** Inputs of a request that was never accepted are leftovers after this time. */
export const LEFTOVER_AGE = HOUR;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Generation takes 11 s to 6 min: look often at first, then in proportion to the time it has taken. */
export const checkDelay = (elapsed: number): number => clamp(elapsed / 4, 3 * SECOND, 15 * SECOND);

/** Doubles from 2 s to 5 min, with up to a quarter of jitter; never sooner than the upstream asks. */
export const retryDelay = (attempts: number, random: number, askedSeconds: number | undefined): number => {
  const growing = Math.min(2 ** attempts * 2 * SECOND, 5 * MINUTE);
  return Math.max(growing * (1 + random / 4), (askedSeconds ?? 0) * SECOND);
};

/** Each sweep of the same step waits twice as long, so that a slow queue is not filled with repeats. */
export const sweepDelay = (sweeps: number): number => Math.min(2 ** sweeps * MINUTE, HOUR);
