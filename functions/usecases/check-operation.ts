import { checkDelay, retryDelay } from '../domain/schedule.ts';
import type { Task } from '../domain/task.ts';
import { generated, stillGenerating, tryAgain } from '../domain/task-moves.ts';
import { UpstreamError } from '../domain/upstream-error.ts';
import { taskErrorOf } from './task-error.ts';
import { failTask, moveOnLater, type Worker } from './worker.ts';

const isFinal = ({ fault }: UpstreamError): boolean =>
  fault === 'rejected' || fault === 'operator' || fault === 'exhausted';

export const checkOperation = async (worker: Worker, task: Task): Promise<void> => {
  if (task.operation === undefined) throw new Error(`task ${task.id} has no operation to check`);
  const now = worker.now();
  try {
    const operation = await worker.generator.check(task.operation);
    switch (operation.state) {
      case 'pending':
        return moveOnLater(worker, stillGenerating(task, now + checkDelay(now - (task.submittedAt ?? now))));
      case 'done':
        return moveOnLater(worker, generated(task, operation.source, now));
      case 'failed':
        return failTask(worker, task, operation.error);
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    worker.journal.note('check failed', {
      taskId: task.id,
      fault: error.fault,
      httpStatus: error.httpStatus,
    });
    if (isFinal(error)) return failTask(worker, task, taskErrorOf(worker, error));
    const retryAt = worker.now() + retryDelay(task.attempts, worker.random(), error.retryAfterSeconds);
    return moveOnLater(worker, tryAgain(task, 'check', retryAt));
  }
};
