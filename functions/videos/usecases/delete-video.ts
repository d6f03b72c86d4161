import { type Action, auditEntry } from '../../identity/domain/audit.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { isKept } from '../../platform/domain/retention.ts';
import { canBeCancelled, isCancelled, isClaimed, isTerminal, type TaskDeletions } from '../domain/task.ts';
import { deletionRequested } from '../domain/transitions.ts';
import { cancelVideo, submission } from './cancel-video.ts';
import { findOwned } from './read-videos.ts';
import { removeTask, type Stores, settleTask, type Worker } from './worker.ts';

/** One attempt to cancel or settle the task and three to write the deletion. */
const MAX_DELETE_TRIES = 4;

/**
 * Cancels a task that has not been submitted, then deletes it. The first write of the deletion hides the task from its
 * owner, so the audit entry belongs to it; if the rest fails, the sweeper finishes it.
 */
export const deleteVideo = async (
  dependencies: Stores & Pick<Worker, 'logger' | 'now'> & { readonly deletions: TaskDeletions },
  action: Action,
  id: string,
): Promise<void> => {
  const { account } = action;
  const { tasks, deletions, now } = dependencies;
  for (let tries = 0; tries < MAX_DELETE_TRIES; tries += 1) {
    const task = await findOwned(tasks, account, id);
    if (canBeCancelled(task)) {
      await cancelVideo(dependencies, account, id);
      continue;
    }
    if (!isTerminal(task))
      throw new DomainError(
        'video_in_progress',
        `Video ${id} ${submission(task)} and will be charged when it completes; it can be deleted once it has ended.`,
      );
    if (task.work?.kind === 'settle') {
      // Settling needs the task, for example for its webhook event.
      await settleTask(dependencies, task);
      continue;
    }
    const at = now();
    // A file that is being changed could be written again after its deletion.
    if (isClaimed(task, at)) break;
    const returned = isKept(task) && task.file ? { account, bytes: task.file.bytes } : undefined;
    const next = deletionRequested(task, at);
    const details = { model: task.request.model, status: isCancelled(task) ? 'cancelled' : task.status };
    const entry = auditEntry(action, 'video.deleted', id, details);
    if (!(await deletions.write(next, entry, returned))) continue;
    await removeTask(dependencies, next);
    return;
  }
  throw new DomainError(
    'concurrent_update',
    `Video ${id} was not deleted, because other requests are changing it; try again.`,
  );
};
