import type { VideoError } from '../../upstream/domain/video-generator.ts';
import { taskDeadline } from '../domain/schedule.ts';
import type { StepMessage } from '../domain/step-queue.ts';
import { isClaimed, isTerminal, type Task, type WorkKind } from '../domain/task.ts';
import { type CheckOutcome, checkOperation, pollOperation } from './check-operation.ts';
import { fetchVideo } from './fetch-video.ts';
import { submitOrWait, submitTask } from './submit-task.ts';
import { failTask, removeTask, retainFile, settleTask, type Worker } from './worker.ts';

type Received = { readonly checked: CheckOutcome | undefined; readonly waitedMs: number };
type Step = (worker: Worker, task: Task, received: Received) => Promise<void>;

const STEPS: Record<WorkKind, Step> = {
  submit: submitOrWait,
  wait: submitTask,
  // The claim expired without a result: the response is lost.
  submitting: submitTask,
  check: (worker, task, { checked }) => checkOperation(worker, task, checked),
  fetch: fetchVideo,
  fetching: fetchVideo,
  settle: settleTask,
  // The claim expired: whoever kept or released the video did not finish.
  retain: retainFile,
  delete: removeTask,
};

const deadlineError = (task: Task, now: number): VideoError | undefined => {
  if (isTerminal(task) || now < taskDeadline(task)) return undefined;
  if (task.submittedAt === undefined)
    return { code: 'queue_timeout', message: 'The generator did not accept the task within 6 hours.' };
  if (task.generatedAt === undefined)
    return {
      code: 'generation_timeout',
      message: 'The generator did not report a result within 24 hours.',
    };
  return {
    code: 'upstream_unavailable',
    message: 'The generated video could not be fetched from the generator within 24 hours.',
  };
};

/** Performs the step that the message names; a message for another step is stale and ignored. */
export const advanceTask = async (worker: Worker, message: StepMessage): Promise<void> => {
  const now = worker.now();
  const waitedMs = now - (message.readyAt ?? now);
  const checked = await pollOperation(worker, message);
  if (checked?.state === 'pending') return;
  const task = await worker.tasks.find(message.taskId);
  if (task?.work === undefined || task.step !== message.step) {
    worker.logger.info('stale message dropped', { taskId: message.taskId, step: message.step });
    return;
  }
  // Only time ends a claim, not an early message; the sweeper sends the next one.
  if (isClaimed(task, worker.now())) return;
  const error = deadlineError(task, worker.now());
  if (error !== undefined) await failTask(worker, task, error);
  else await STEPS[task.work.kind](worker, task, { checked, waitedMs });
};
