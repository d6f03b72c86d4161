import type { StepMessage } from '../domain/ports.ts';
import { deadlineOf } from '../domain/schedule.ts';
import { isClaimed, isTerminal, type Task, type TaskError, type WorkKind } from '../domain/task.ts';
import { type CheckOutcome, checkOperation, pollOperation } from './check-operation.ts';
import { failTask, removeTask, settleTask } from './end-task.ts';
import { fetchVideo } from './fetch-video.ts';
import { submitTask } from './submit-task.ts';
import type { Worker } from './worker.ts';

type WorkStep = (worker: Worker, task: Task, checked?: CheckOutcome) => Promise<void>;

const WORK: Record<WorkKind, WorkStep> = {
  submit: submitTask,
  // Nobody wrote down how that went: its answer is lost.
  submitting: submitTask,
  check: checkOperation,
  fetch: fetchVideo,
  fetching: fetchVideo,
  settle: settleTask,
  delete: removeTask,
};

const overdue = (task: Task, now: number): TaskError | undefined => {
  if (isTerminal(task) || now < deadlineOf(task)) return undefined;
  if (task.submittedAt === undefined)
    return { code: 'queue_timeout', message: 'The generator did not accept the task within 6 hours.' };
  if (task.generatedAt === undefined)
    return {
      code: 'generation_timeout',
      message: 'The generator did not say within 24 hours whether it had finished.',
    };
  return {
    code: 'upstream_unavailable',
    message: 'The generated video could not be fetched from the generator within 24 hours.',
  };
};

/** Does the one step that the message asks for; a message for any other step is stale and does nothing. */
export const advanceTask = async (worker: Worker, message: StepMessage): Promise<void> => {
  const checked = await pollOperation(worker, message);
  if (checked?.state === 'pending') return;
  const task = await worker.tasks.find(message.taskId);
  if (task?.work === undefined || task.step !== message.step) {
    worker.logger.info('stale message dropped', { taskId: message.taskId, step: message.step });
    return;
  }
  // A claim is broken by time alone, not by a message that came too soon; the sweeper sends the next one.
  if (isClaimed(task, worker.now())) return;
  const tooLate = overdue(task, worker.now());
  if (tooLate !== undefined) await failTask(worker, task, tooLate);
  else await WORK[task.work.kind](worker, task, checked);
};
