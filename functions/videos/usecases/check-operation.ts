import { toTaskError, UpstreamError } from '../../upstream/domain/faults.ts';
import { CHECKS } from '../../upstream/domain/process-pauses.ts';
import type { UpstreamReference } from '../../upstream/domain/upstreams.ts';
import type { OperationState, VideoError } from '../../upstream/domain/video-generator.ts';
import {
  CHECK_LEASE,
  checkDelay,
  generationDeadline,
  paidRetryDelay,
  REFUSAL_DEADLINE,
} from '../domain/schedule.ts';
import type { StepMessage } from '../domain/step-queue.ts';
import type { Task } from '../domain/task.ts';
import { checkFailed, stillGenerating } from '../domain/transitions.ts';
import { RARE_CHECK } from '../domain/worker-capacity.ts';
import { fetchGenerated } from './fetch-video.ts';
import { failAndCallNext } from './wait-in-line.ts';
import { saveAndEnqueue, saveStep, sendStep, type Worker } from './worker.ts';

export type CheckOutcome = OperationState | { readonly state: 'unknown'; readonly error: UpstreamError };

const TOO_LONG: VideoError = {
  code: 'generation_timeout',
  message: 'The generator did not finish within 30 minutes.',
};

/** Upstreams are busy independently of each other. */
const checksAt = ({ name }: UpstreamReference): string => `${CHECKS} ${name}`;

const askUpstream = async (
  { generator, pauses }: Worker,
  operation: string,
  upstream: UpstreamReference,
): Promise<CheckOutcome> => {
  try {
    const state = await generator.check(operation, upstream);
    pauses.note(checksAt(upstream));
    return state;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    pauses.note(checksAt(upstream), error);
    return { state: 'unknown', error };
  }
};

/** How late after its lease a check may come before the sweeper sends another one. */
const LATE_CHECK = 30_000;

/** Resends the check to a busy upstream within the lease or shortly after; false if the upstream asks for more time. */
const checkWhenLessBusy = async (
  worker: Worker,
  message: StepMessage,
  { submittedAt, leaseUntil }: NonNullable<StepMessage['poll']>,
  { retryAfterSeconds = 0 }: UpstreamError,
): Promise<boolean> => {
  const now = worker.now();
  const spread = 1 + worker.random() / 4;
  const delay = Math.max(retryAfterSeconds * 1000 * spread, checkDelay(now - submittedAt, worker.random()));
  if (now + delay > leaseUntil + LATE_CHECK) return false;
  await sendStep(worker, message, delay);
  return true;
};

/** Checks without reading the task while the lease holds; undefined if there is no lease. */
export const pollOperation = async (
  worker: Worker,
  message: StepMessage,
): Promise<CheckOutcome | undefined> => {
  const { poll } = message;
  if (poll === undefined || worker.now() >= poll.leaseUntil) return undefined;
  const retryAfterSeconds = worker.pauses.remaining(checksAt(poll.upstream)) / 1000;
  const pause = new UpstreamError('busy', 'not asked', { retryAfterSeconds });
  if (retryAfterSeconds > 0 && (await checkWhenLessBusy(worker, message, poll, pause)))
    return { state: 'pending' };
  const outcome = await askUpstream(worker, poll.operation, poll.upstream);
  // A check without news writes nothing: the same message is sent again.
  if (outcome.state === 'pending') await checkLater(worker, message, poll.submittedAt);
  const isBusy = outcome.state === 'unknown' && outcome.error.fault === 'busy';
  if (isBusy && (await checkWhenLessBusy(worker, message, poll, outcome.error))) return { state: 'pending' };
  return outcome;
};

/** Longer than most generations: any overload comes with submits, which read the load more often for all checks. */
const LOAD_AGE = 120_000;

const checkLater = async (worker: Worker, message: StepMessage, submittedAt: number): Promise<void> => {
  const delay = checkDelay(worker.now() - submittedAt, worker.random());
  const { heldUntil } = await worker.load.current(LOAD_AGE);
  await sendStep(worker, message, heldUntil > worker.now() ? RARE_CHECK : delay);
};

export const checkLeaseEnd = (now: number): number => now + CHECK_LEASE;

/** Writes the lease and sends its first check. */
export const startChecks = async (worker: Worker, next: Task): Promise<void> => {
  const { id, account, step, operation, upstream, submittedAt, work } = next;
  if (operation === undefined || upstream === undefined || submittedAt === undefined || work === undefined)
    throw new Error(`task ${id} has no operation to check`);
  if (!(await saveStep(worker, next))) return;
  const { name, definition } = upstream;
  const poll = { operation, upstream: { name, definition }, submittedAt, leaseUntil: work.dueAt };
  await checkLater(worker, { taskId: id, account, step, poll }, submittedAt);
};

/** Checks the operation, unless `polled` has its state already, and writes the result. */
export const checkOperation = async (worker: Worker, task: Task, polled?: CheckOutcome): Promise<void> => {
  if (task.operation === undefined || task.upstream === undefined)
    throw new Error(`task ${task.id} has no operation to check`);
  const outcome = polled ?? (await askUpstream(worker, task.operation, task.upstream));
  switch (outcome.state) {
    case 'pending':
      // Only after asking: a finished video is paid for and must not fail here.
      if (worker.now() >= generationDeadline(task)) return giveUp(worker, task);
      return startChecks(worker, stillGenerating(task, checkLeaseEnd(worker.now())));
    case 'done':
      return fetchGenerated(worker, task, outcome);
    case 'failed':
      return failAndCallNext(worker, task, outcome.error);
    case 'unknown':
      return afterFailedCheck(worker, task, outcome.error);
  }
};

/** An upstream that can stop the operation charges nothing for it. */
const giveUp = async (worker: Worker, task: Task): Promise<void> => {
  const { operation, upstream } = task;
  if (operation !== undefined && upstream !== undefined)
    try {
      await worker.generator.cancel?.(operation, upstream);
    } catch (error) {
      worker.logger.error('upstream operation not cancelled', error, { taskId: task.id });
    }
  await failAndCallNext(worker, task, TOO_LONG);
};

const afterFailedCheck = async (worker: Worker, task: Task, error: UpstreamError): Promise<void> => {
  worker.logger.info('check failed', {
    taskId: task.id,
    fault: error.fault,
    httpStatus: error.httpStatus,
  });
  const now = worker.now();
  const retryAt = now + paidRetryDelay(task.attempts, worker.random(), error.retryAfterSeconds);
  if (error.rule.check === 'retried') return saveAndEnqueue(worker, checkFailed(task, retryAt, undefined));
  const failure = toTaskError(worker.logger, error);
  // The operator can fix a refusal in time for a video that is paid for, but a 404 means that the operation is gone.
  const isRefusal = error.rule.check === 'refused' && error.httpStatus !== 404;
  const refusedSince = task.refusedSince ?? now;
  if (!isRefusal || now - refusedSince >= REFUSAL_DEADLINE) return failAndCallNext(worker, task, failure);
  return saveAndEnqueue(worker, checkFailed(task, retryAt, refusedSince));
};
