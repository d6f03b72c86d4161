import { DomainError } from '../../platform/domain/errors.ts';
import { isTerminal } from '../domain/task.ts';
import { deletionAsked } from '../domain/transitions.ts';
import { removeTask, settleTask } from './end-task.ts';
import { findOwned } from './find-owned.ts';
import type { Worker } from './worker.ts';

type Dependencies = Pick<Worker, 'tasks' | 'charges' | 'accounts' | 'media' | 'webhooks' | 'now'>;

/** One to settle, and three to win the write that asks for the deletion. */
const MAX_TRIES = 4;

/** The first write makes the task gone for its owner; if the rest breaks off, the sweeper finishes it. */
export const deleteVideo = async (dependencies: Dependencies, account: string, id: string): Promise<void> => {
  const { tasks, now } = dependencies;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const task = await findOwned(tasks, account, id);
    if (!isTerminal(task))
      throw new DomainError(
        'video_in_progress',
        `Video ${id} is still ${task.status}; it can be deleted once it has ended.`,
      );
    if (task.work?.kind === 'settle') {
      // What its end still owes, its event among it, is done while the task is there; an old one owes nothing.
      await settleTask(dependencies, task);
      continue;
    }
    const next = deletionAsked(task, now());
    if (!(await tasks.advance(next))) continue;
    await removeTask(dependencies, next);
    return;
  }
  throw new DomainError(
    'concurrent_update',
    `Video ${id} is being changed by other requests, and was not deleted; try again.`,
  );
};
