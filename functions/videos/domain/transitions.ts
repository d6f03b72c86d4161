import { deadlineOf, generationDeadlineOf } from './schedule.ts';
import {
  type Charge,
  isTerminal,
  type Task,
  type TaskError,
  type TaskEvent,
  type TaskStatus,
  TRANSITIONS,
  type VideoSource,
  type WorkKind,
} from './task.ts';

/** Each move is a pure function to the next state of the task; the repository writes it if `step` still holds. */

const move = (task: Task, event: TaskEvent): Pick<Task, 'status'> => {
  const moves: Partial<Record<TaskEvent, TaskStatus>> = TRANSITIONS[task.status];
  const status = moves[event];
  if (status === undefined) throw new Error(`a ${task.status} task cannot become ${event}`);
  return { status };
};

const next = (task: Task, change: Partial<Task>): Task => ({ ...task, ...change, step: task.step + 1 });

const work = (kind: WorkKind, dueAt: number): Pick<Task, 'work'> => ({ work: { kind, dueAt } });

/** Work that waits is due at the deadline at the latest, so that nothing can wait for longer than that. */
const later = (task: Task, kind: WorkKind, dueAt: number): Pick<Task, 'work'> =>
  work(kind, Math.min(dueAt, deadlineOf(task)));

type Birth = Pick<Task, 'id' | 'account' | 'keyId' | 'createdAt' | 'fingerprint' | 'request'> &
  Partial<Pick<Task, 'reservation'>>;

/** A task as it is accepted: queued, with its submission due at once. */
export const newTask = (birth: Birth): Task => ({
  reservation: undefined,
  ...birth,
  status: 'queued',
  step: 0,
  ...work('submit', birth.createdAt),
  attempts: 0,
  openSubmits: 0,
  operation: undefined,
  submittedAt: undefined,
  generatedAt: undefined,
  refusedSince: undefined,
  source: undefined,
  file: undefined,
  completedAt: undefined,
  failedAt: undefined,
  expiresAt: undefined,
  charge: undefined,
  error: undefined,
});

/** Recorded before the call: from here on the upstream may have the request. */
export const claimSubmit = (task: Task, until: number): Task =>
  next(task, { ...work('submitting', until), openSubmits: task.openSubmits + 1 });

export const submitted = (task: Task, operation: string, now: number, leaseUntil: number): Task =>
  next(task, {
    ...move(task, 'started'),
    ...work('check', leaseUntil),
    operation,
    submittedAt: now,
    attempts: 0,
  });

/** The upstream answered that it did not take the request, so that this submit does not count. */
export const submitRefused = (task: Task, retryAt: number): Task =>
  next(task, {
    ...later(task, 'submit', retryAt),
    attempts: task.attempts + 1,
    openSubmits: task.openSubmits - 1,
  });

export const submitUnanswered = (task: Task, retryAt: number): Task =>
  next(task, { ...later(task, 'submit', retryAt), attempts: task.attempts + 1 });

/** Nothing was tried: the account has its share of the workers. */
export const submitPostponed = (task: Task, retryAt: number): Task =>
  next(task, later(task, 'submit', retryAt));

/** Nothing was tried: the upstream has said that it takes no task for now. */
export const submitPaused = (task: Task, retryAt: number): Task =>
  next(task, { ...later(task, 'submit', retryAt), attempts: task.attempts + 1 });

/** A new lease for the checks that follow, under a step of its own: messages of an older one die out. */
export const stillGenerating = (task: Task, leaseUntil: number): Task =>
  next(task, {
    ...work('check', Math.min(leaseUntil, generationDeadlineOf(task))),
    attempts: 0,
    refusedSince: undefined,
  });

export const checkFailed = (task: Task, retryAt: number, refusedSince: number | undefined): Task =>
  next(task, { ...later(task, 'check', retryAt), refusedSince, attempts: task.attempts + 1 });

/** The video is there; whoever writes this fetches it at once. */
export const generated = (task: Task, source: VideoSource, now: number, fetchUntil: number): Task =>
  next(task, {
    ...work('fetching', fetchUntil),
    source,
    generatedAt: now,
    attempts: 0,
    refusedSince: undefined,
  });

export const claimFetch = (task: Task, until: number): Task => next(task, work('fetching', until));

export const fetchFailed = (task: Task, retryAt: number, refusedSince: number | undefined): Task =>
  next(task, { ...later(task, 'fetch', retryAt), refusedSince, attempts: task.attempts + 1 });

export const fetchPostponed = (task: Task, retryAt: number): Task =>
  next(task, later(task, 'fetch', retryAt));

export const completed = (
  task: Task,
  result: { file: NonNullable<Task['file']>; charge: Charge; now: number; expiresAt: number },
): Task =>
  next(task, {
    ...move(task, 'stored'),
    ...work('settle', result.now),
    file: result.file,
    charge: result.charge,
    completedAt: result.now,
    expiresAt: result.expiresAt,
  });

export const failed = (task: Task, error: TaskError, now: number): Task =>
  next(task, { ...move(task, 'failed'), ...work('settle', now), failedAt: now, error });

export const settled = (task: Task): Task => next(task, { work: undefined });

export const deletionAsked = (task: Task, now: number): Task => {
  if (!isTerminal(task)) throw new Error(`a ${task.status} task cannot be deleted`);
  return next(task, work('delete', now));
};
