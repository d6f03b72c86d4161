import { MINUTE } from '../../platform/domain/durations.ts';
import type { RetiredModels } from './offered.ts';
import { accountSlot, type ReceivedMessages, toMinute, type WorkDone } from './step-queue.ts';

/**
 * The workers' own capacity is a limit like that of an upstream: a task starts only if the workers can also finish what
 * has started. Everything is derived from measurements, so that nothing stays occupied after a crash. All times in
 * milliseconds.
 */

/** The time between two messages of a busy worker, which its function does not see. */
export const HAND_OVER = 25;

/** Derived by the sweeper once a minute; workers and creates read it. */
export type WorkerLoad = {
  /** Until then, new tasks join the line and checks are rare. */
  readonly heldUntil: number;
  /** The worker time of a task, from its submit to its end. */
  readonly taskMs: number;
  /** How many waiting tasks start in a minute; 0 if unknown. */
  readonly rate: number;
  /** The tasks that the last run of the sweeper left in line. */
  readonly waiting: number;
  /** The last served ticket by model. */
  readonly served: ReadonlyMap<string, number>;
  /** When the accounts of `crowded` were found. */
  readonly minute: number;
  /** The slots of accounts whose next video would wait too long. */
  readonly crowded: ReadonlySet<string>;
};

export const NO_LOAD: WorkerLoad = {
  heldUntil: 0,
  taskMs: 3000,
  rate: 0,
  waiting: 0,
  served: new Map(),
  minute: 0,
  crowded: new Set(),
};

export type WorkerLoads = {
  read(): Promise<WorkerLoad>;
  /** Lets new tasks join the line until the given time. */
  hold(until: number): Promise<void>;
  save(load: WorkerLoad): Promise<void>;
};

/** What creates must know about the workers: one read for all of it. */
export type WorkerNews = {
  read(minute: number): Promise<{
    readonly received: ReceivedMessages | undefined;
    readonly retired: RetiredModels;
    readonly load: WorkerLoad;
  }>;
};

/** A new task whose message has waited this long finds all workers busy. */
const LATE_START = 30_000;

export const isTooLateToStart = (waitedMs: number): boolean => waitedMs >= LATE_START;

/** While tasks wait in line, checks leave the workers' time to submits and fetches. */
export const RARE_CHECK = 60_000;

/** Fewer tasks say little about the time of one. */
const LEAST_TASKS = 10;
const TASK_RANGE = { least: 100, most: MINUTE } as const;

/** A start and an end count half a task each, which is right in the mean while tasks are being generated. */
export const estimateTaskMs = (known: number, { busyMs, started, ended }: WorkDone): number => {
  const tasks = (started + ended) / 2;
  if (tasks < LEAST_TASKS) return known;
  const measured = Math.min(TASK_RANGE.most, Math.max(TASK_RANGE.least, busyMs / tasks));
  return (known + measured) / 2;
};

/** How many tasks the workers can start and finish in a minute. */
export const tasksPerMinute = (workers: number, taskMs: number): number => (workers * MINUTE) / taskMs;

/** So many milliseconds of work may wait for each worker, so that none is idle between two runs of the sweeper. */
const RESERVE = 10_000;

/** Starts grow by at most this factor a minute, because their checks and fetches come later. */
const GROWTH = 2;
const FIRST_STARTS_PER_WORKER = 10;

type Situation = {
  readonly workers: number;
  readonly taskMs: number;
  /** The last complete minute. */
  readonly done: WorkDone;
  /** Messages that wait for a worker. */
  readonly waitingMessages: number;
};

/** How many tasks of the line may start in the next minute: the waiting messages are checks and fetches, and go first. */
export const plannedStarts = ({ workers, taskMs, done, waitingMessages }: Situation): number => {
  const messageMs = done.messages === 0 ? 0 : done.busyMs / done.messages;
  const free = tasksPerMinute(workers, taskMs) + (workers * RESERVE - waitingMessages * messageMs) / taskMs;
  const most = GROWTH * done.started + FIRST_STARTS_PER_WORKER * workers;
  return Math.max(0, Math.floor(Math.min(free, most)));
};

type Expectation = {
  readonly rate: number;
  readonly maxWaitMs: number;
  /** Messages that wait for a worker: most of them are for tasks that have not joined the line yet, or come before it. */
  readonly waitingMessages: number;
  /** The tasks in line a minute ago. */
  readonly waitingBefore: number;
  readonly now: number;
};

/** Creates learn of these slots up to a minute later, so the line counts as it will be by then. */
export const crowdedSlots = (
  line: readonly string[],
  { rate, maxWaitMs, waitingMessages, waitingBefore, now }: Expectation,
): ReadonlySet<string> => {
  const waiting = line.length;
  const growth = Math.max(0, waiting - waitingBefore);
  const most = (rate * maxWaitMs) / MINUTE / (1 + (waitingMessages + growth) / waiting);
  const late = rate === 0 ? [] : line.filter((_, index) => index + 1 > most);
  return new Set(Array.from(new Set(late), (account) => accountSlot(account, toMinute(now))));
};

/** Longer than two runs of the sweeper: without them, nobody knows how long videos wait. */
const LOAD_LIFETIME_MINUTES = 3;

export const isCrowded = ({ minute, crowded }: WorkerLoad, account: string, now: number): boolean =>
  toMinute(now) - minute <= LOAD_LIFETIME_MINUTES && crowded.has(accountSlot(account, minute));
