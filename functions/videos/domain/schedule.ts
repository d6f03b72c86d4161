import type { Task } from './task.ts';

/** When things are tried, checked and given up. All times in milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A task that is not submitted by then fails with `queue_timeout`. */
export const QUEUE_DEADLINE = 6 * HOUR;
/** How long the bytes of a deleted or expired file are kept and counted: longer than a task can wait for its submission. */
export const REMOVED_FILE_LIFETIME = QUEUE_DEADLINE + HOUR;
/** A generation that the upstream still calls unfinished then, counted from its submission, has failed. */
export const GENERATION_DEADLINE = 30 * MINUTE;
/** What is paid for is asked after and fetched for as long as that can help: the upstream keeps it for two days. */
export const FETCH_DEADLINE = 24 * HOUR;
/** What is paid for and refused for this long, without any other answer in between, will not come. */
export const REFUSAL_DEADLINE = 10 * MINUTE;

type Progress = Pick<Task, 'createdAt' | 'submittedAt' | 'generatedAt'>;

/** When a task is given up, whatever it waits for. */
export const deadlineOf = ({ createdAt, submittedAt, generatedAt }: Progress): number => {
  if (generatedAt !== undefined) return generatedAt + FETCH_DEADLINE;
  return submittedAt === undefined ? createdAt + QUEUE_DEADLINE : submittedAt + FETCH_DEADLINE;
};

/** When a generation that is still unfinished has taken too long. */
export const generationDeadlineOf = ({ createdAt, submittedAt }: Progress): number =>
  (submittedAt ?? createdAt) + GENERATION_DEADLINE;

/** How long one submit may take; a claim on it holds a little longer. */
export const SUBMIT_TIMEOUT = 40 * SECOND;
export const SUBMIT_CLAIM = 60 * SECOND;

/** Submits that may have reached the upstream without an answer: the first, and one more. */
export const MAX_OPEN_SUBMITS = 2;
/** Inputs of a request that was never accepted are leftovers after this time. */
export const LEFTOVER_AGE = HOUR;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/**
 * Generation takes 11 s to 6 min: look often at first, then in proportion to the time it has taken. The queue
 * delays by whole seconds; rounded at random, so that tasks that began together are not checked together.
 */
export const checkDelay = (elapsed: number, random: number): number =>
  Math.floor(clamp(elapsed / 16, 2 * SECOND, 8 * SECOND) / SECOND + random) * SECOND;

/** Checks follow each other without a write for this long; only after it does the sweeper miss them. */
export const CHECK_LEASE = MINUTE;

/** Doubles from 2 s to 5 min, with up to a quarter of jitter; never sooner than the upstream asks. */
export const retryDelay = (attempts: number, random: number, askedSeconds: number | undefined): number => {
  const growing = Math.min(2 ** attempts * 2 * SECOND, 5 * MINUTE);
  return Math.max(growing * (1 + random / 4), (askedSeconds ?? 0) * SECOND);
};

/** Work whose account has its share of the workers waits 2 s at first, and up to 30 s where it waits for long. */
export const shareDelay = (waited: number, random: number): number =>
  clamp(waited / 2, 2 * SECOND, 30 * SECOND) * (1 + random / 4);

/** Each sweep of the same step waits twice as long: a message that fails comes again by itself after minutes. */
export const sweepDelay = (sweeps: number): number => Math.min(2 ** sweeps * 2 * MINUTE, HOUR);
