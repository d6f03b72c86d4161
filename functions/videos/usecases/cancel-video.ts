import { DomainError } from '../../platform/domain/errors.ts';
import { canBeCancelled, isCancelled, type Task } from '../domain/task.ts';
import { cancelled } from '../domain/transitions.ts';
import { findOwned } from './read-videos.ts';
import { type Stores, settleUnsubmitted, type Worker } from './worker.ts';

/** A queued task that waits for the upstream is written a few times a minute at most. */
const MAX_CANCEL_TRIES = 3;

/** Ends a task that has not been submitted. A repeated cancellation settles it, if the first one could not. */
export const cancelVideo = async (
  dependencies: Pick<Stores, 'tasks' | 'accounts' | 'webhooks'> & Pick<Worker, 'logger' | 'now'>,
  account: string,
  id: string,
): Promise<Task> => {
  const { tasks, logger, now } = dependencies;
  for (let tries = 0; tries < MAX_CANCEL_TRIES; tries += 1) {
    const task = await findOwned(tasks, account, id);
    if (isCancelled(task)) {
      if (task.work?.kind === 'settle') await settleUnsubmitted(dependencies, task);
      return task;
    }
    if (!canBeCancelled(task)) throw notCancellable(task);
    const next = cancelled(task, now());
    if (!(await tasks.advance(next))) continue;
    logger.info('task failed', { taskId: id, account, model: task.request.model, code: 'cancelled' });
    await settleUnsubmitted(dependencies, next);
    return next;
  }
  throw new DomainError(
    'concurrent_update',
    `Video ${id} was not cancelled, because other requests are changing it; try again.`,
  );
};

const notCancellable = (task: Task): DomainError => {
  const { id, status, error } = task;
  switch (status) {
    case 'completed':
      return new DomainError('video_completed', `Video ${id} is completed and charged; it can be deleted.`);
    case 'failed':
      return new DomainError('video_failed', `Video ${id} has failed already: ${error?.message ?? ''}`);
    default:
      return new DomainError(
        'video_in_progress',
        `Video ${id} ${submission(task)}, so it cannot be cancelled; it will be charged when it completes.`,
      );
  }
};

/** Completes a sentence about an unfinished task: whether it has been submitted. */
export const submission = ({ status }: Task): string =>
  status === 'queued' ? 'is being submitted to the generator' : 'was submitted to the generator';
