import type { Charge } from '../../billing/domain/charges.ts';
import { isKept } from '../../platform/domain/retention.ts';
import type { OperationState, VideoError } from '../../upstream/domain/video-generator.ts';
import { generationDeadline, taskDeadline } from './schedule.ts';
import {
  canBeCancelled,
  isTerminal,
  type LineReason,
  type Task,
  type TaskStatus,
  type TaskUpstream,
  type VideoFile,
  type WorkKind,
} from './task.ts';

type TaskEvent = 'started' | 'stored' | 'failed' | 'cancelled';

/** Every legal transition; a missing cell is illegal. */
const TRANSITIONS = {
  queued: { started: 'in_progress', failed: 'failed', cancelled: 'failed' },
  in_progress: { stored: 'completed', failed: 'failed' },
  completed: {},
  failed: {},
} as const satisfies Record<TaskStatus, Partial<Record<TaskEvent, TaskStatus>>>;

/** Each transition is a pure function to the next state; the repository writes it if the step is unchanged. */

const toStatus = (task: Task, event: TaskEvent): Pick<Task, 'status'> => {
  const events: Partial<Record<TaskEvent, TaskStatus>> = TRANSITIONS[task.status];
  const status = events[event];
  if (status === undefined) throw new Error(`a ${task.status} task cannot become ${event}`);
  return { status };
};

const next = (task: Task, change: Partial<Task>): Task => ({ ...task, ...change, step: task.step + 1 });

const work = (kind: WorkKind, dueAt: number): Pick<Task, 'work'> => ({ work: { kind, dueAt } });

/** Retries are due no later than the task's deadline. */
const workByDeadline = (task: Task, kind: WorkKind, dueAt: number): Pick<Task, 'work'> =>
  work(kind, Math.min(dueAt, taskDeadline(task)));

const lostPlace = ({ upstream, lostPlace: earlier }: Task): string | undefined =>
  upstream?.hasPlace === true ? upstream.name : earlier;

/** Recorded before the call, because the upstream may receive it even if this worker dies. */
export const claimSubmit = (task: Task, until: number, upstream: TaskUpstream): Task => {
  const lost = lostPlace(task);
  return next(task, {
    ...work('submitting', until),
    openSubmits: task.openSubmits + 1,
    upstream,
    // At the same upstream, the new submit uses the place of the lost one.
    lostPlace: upstream.hasPlace && upstream.name === lost ? undefined : lost,
  });
};

export const submitted = (task: Task, operation: string, now: number, leaseUntil: number): Task =>
  next(task, {
    ...toStatus(task, 'started'),
    ...work('check', leaseUntil),
    operation,
    submittedAt: now,
    attempts: 0,
    ticket: undefined,
  });

/** The upstream did not accept the request, so this submit does not count as open. */
export const submitRefused = (task: Task, retryAt: number): Task =>
  next(task, {
    ...workByDeadline(task, 'submit', retryAt),
    attempts: task.attempts + 1,
    openSubmits: task.openSubmits - 1,
    upstream: undefined,
  });

/**
 * The upstream may be generating the video, so the place is kept until the generation ends elsewhere: the lost submit was
 * earlier. An idempotent upstream gets the submit again, because it knows whether it has accepted the first one.
 */
export const submitUnanswered = (task: Task, retryAt: number): Task =>
  next(task, {
    ...workByDeadline(task, 'submit', retryAt),
    attempts: task.attempts + 1,
    ...(task.upstream?.isIdempotent !== true && { upstream: undefined, lostPlace: lostPlace(task) }),
  });

/** Recorded before an unanswered submit is repeated at the same upstream; the two count as one. */
export const claimRepeat = (task: Task, until: number): Task => next(task, work('submitting', until));

/** Not attempted: the account uses its full share of the workers. */
export const submitPostponed = (task: Task, retryAt: number): Task =>
  next(task, workByDeadline(task, 'submit', retryAt));

/** Not attempted: the upstream has asked for a pause. */
export const submitPaused = (task: Task, retryAt: number): Task =>
  next(task, {
    ...workByDeadline(task, 'submit', retryAt),
    attempts: task.attempts + 1,
  });

/** Not attempted: the upstreams are at their limits, or the workers have no time. The task is called when its turn comes. */
export const submitInLine = (task: Task, ticket: number, waitsFor: LineReason): Task =>
  next(task, { ...work('wait', taskDeadline(task)), ticket, waitsFor });

const withoutPlaces = ({ upstream }: Task): Pick<Task, 'upstream' | 'lostPlace'> => ({
  upstream: upstream && { ...upstream, hasPlace: false },
  lostPlace: undefined,
});

/** A task that has ended asks its upstream nothing more, and its item becomes smaller. */
const endedOperation = ({ upstream }: Task): Pick<Task, 'upstream' | 'source'> => ({
  upstream: upstream && { ...upstream, definition: undefined },
  source: undefined,
});

/** Starts a new lease for checks; its new step makes messages of the old lease stale. */
export const stillGenerating = (task: Task, leaseUntil: number): Task =>
  next(task, {
    ...work('check', Math.min(leaseUntil, generationDeadline(task))),
    attempts: 0,
    refusedSince: undefined,
  });

export const checkFailed = (task: Task, retryAt: number, refusedSince: number | undefined): Task =>
  next(task, { ...workByDeadline(task, 'check', retryAt), refusedSince, attempts: task.attempts + 1 });

export type Generated = Omit<Extract<OperationState, { state: 'done' }>, 'state'>;

/** The video is ready; the worker that writes this state fetches it immediately. */
export const generated = (task: Task, { source, cost }: Generated, now: number, fetchUntil: number): Task =>
  next(task, {
    ...work('fetching', fetchUntil),
    ...withoutPlaces(task),
    source,
    upstreamCost: cost,
    generatedAt: now,
    attempts: 0,
    refusedSince: undefined,
  });

export const claimFetch = (task: Task, until: number): Task => next(task, work('fetching', until));

export const fetchFailed = (task: Task, retryAt: number, refusedSince: number | undefined): Task =>
  next(task, { ...workByDeadline(task, 'fetch', retryAt), refusedSince, attempts: task.attempts + 1 });

export const fetchPostponed = (task: Task, retryAt: number): Task =>
  next(task, workByDeadline(task, 'fetch', retryAt));

export const completed = (
  task: Task,
  result: { file: VideoFile; charge: Charge; now: number; expiresAt: number },
): Task =>
  next(task, {
    ...toStatus(task, 'stored'),
    ...work('settle', result.now),
    ...endedOperation(task),
    file: result.file,
    charge: result.charge,
    completedAt: result.now,
    expiresAt: result.expiresAt,
  });

export const failed = (task: Task, error: VideoError, now: number): Task =>
  next(task, {
    ...toStatus(task, 'failed'),
    ...work('settle', now),
    ...endedOperation({ ...task, ...withoutPlaces(task) }),
    lostPlace: undefined,
    ticket: undefined,
    failedAt: now,
    error,
  });

const CANCELLED: VideoError = {
  code: 'cancelled',
  message: 'The task was cancelled before it was submitted to the generator.',
};

/** The claim of a submit is written from the same step, so only one of the two is written. */
export const cancelled = (task: Task, now: number): Task => {
  if (!canBeCancelled(task)) throw new Error(`a ${task.status} task cannot be cancelled after its submit`);
  return next(task, {
    ...toStatus(task, 'cancelled'),
    ...work('settle', now),
    failedAt: now,
    error: CANCELLED,
  });
};

/** The file is to last for good, or until the given time. The worker that wrote it changes the file until `claimedUntil`. */
export const retentionChanged = (task: Task, expiresAt: number, claimedUntil: number): Task =>
  next(task, {
    ...work('retain', claimedUntil),
    expiresAt,
    inputsExpireAt: task.inputsExpireAt ?? task.expiresAt,
  });

export const renamed = (task: Task, name: string | undefined): Task => next(task, { name });

export const settled = (task: Task): Task => next(task, { work: undefined });

export const deletionRequested = (task: Task, now: number): Task => {
  if (!isTerminal(task)) throw new Error(`a ${task.status} task cannot be deleted`);
  // Its storage is returned with this write, so it does not count as kept any more.
  return next(task, { ...work('delete', now), ...(isKept(task) && { expiresAt: now }) });
};
