import { HOUR, MINUTE, SECOND } from '../../platform/domain/durations.ts';
import type { Task } from './task.ts';

/** Deadlines, claims and delays. All times in milliseconds. */

/** A task that is not submitted by then fails with `queue_timeout`. */
export const QUEUE_DEADLINE = 6 * HOUR;
/** Counted from the submission: a task fails if the upstream still reports it as unfinished. */
export const GENERATION_DEADLINE = 30 * MINUTE;
/** How long a video that is paid for is checked and fetched; the upstream keeps it for two days. */
export const FETCH_DEADLINE = 24 * HOUR;
/** How long checks or fetches may be refused without interruption before the task fails. */
export const REFUSAL_DEADLINE = 10 * MINUTE;

type Progress = Pick<Task, 'createdAt' | 'submittedAt' | 'generatedAt'>;

/** When a task fails, whatever it is waiting for. */
export const taskDeadline = ({ createdAt, submittedAt, generatedAt }: Progress): number => {
  if (generatedAt !== undefined) return generatedAt + FETCH_DEADLINE;
  return submittedAt === undefined ? createdAt + QUEUE_DEADLINE : submittedAt + FETCH_DEADLINE;
};

export const generationDeadline = ({ createdAt, submittedAt }: Progress): number =>
  (submittedAt ?? createdAt) + GENERATION_DEADLINE;

/** The claim on a submit outlasts the call, which has `SUBMIT_TIMEOUT`. */
export const SUBMIT_CLAIM = 60 * SECOND;

/** After a lost response the submit is repeated once. */
export const MAX_OPEN_SUBMITS = 2;
/** Inputs that are older belong to a task, or to no accepted request. The first run begins with the second age. */
export const LEFTOVER_AGE = { from: HOUR, to: 24 * HOUR } as const;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/**
 * Generation takes 11 s to 6 min: checks are frequent at first, then in proportion to the elapsed time. The queue
 * delays by whole seconds; random rounding spreads tasks that started together.
 */
export const checkDelay = (elapsed: number, random: number): number =>
  Math.floor(clamp(elapsed / 16, 2 * SECOND, 8 * SECOND) / SECOND + random) * SECOND;

/** Checks write nothing for this long; after that the sweeper sends the next one. */
export const CHECK_LEASE = MINUTE;

const LONGEST_RETRY = 5 * MINUTE;

/** Doubles from 2 s to 5 min with up to 25 % jitter, and is never shorter than the upstream asks for. */
export const retryDelay = (
  attempts: number,
  random: number,
  askedSeconds: number | undefined,
  longest = LONGEST_RETRY,
): number => {
  const growing = Math.min(2 ** attempts * 2 * SECOND, longest);
  return Math.max(growing * (1 + random / 4), (askedSeconds ?? 0) * SECOND);
};

/** About half an hour of attempts. */
const FREQUENT_ATTEMPTS = 60;

/** An upstream that asks for more must not postpone a video that is paid for until its deadline. */
const LONGEST_PAID_WAIT = 10 * MINUTE;

/** A video that is paid for is asked for more often at first: after a short outage it is fetched before it is deleted. */
export const paidRetryDelay = (attempts: number, random: number, askedSeconds: number | undefined): number =>
  Math.min(
    retryDelay(attempts, random, askedSeconds, attempts < FREQUENT_ATTEMPTS ? 30 * SECOND : LONGEST_RETRY),
    LONGEST_PAID_WAIT,
  );

/** For work of an account that uses its full share of the workers: 2 s, growing to 30 s. */
export const shareDelay = (waited: number, random: number): number =>
  clamp(waited / 2, 2 * SECOND, 30 * SECOND) * (1 + random / 4);

/** Doubles with each sweep of the same step, because the queue itself redelivers a failed message after minutes. */
export const sweepDelay = (sweeps: number): number => Math.min(2 ** sweeps * 2 * MINUTE, HOUR);
