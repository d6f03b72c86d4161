import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inParallel } from '../../platform/domain/requeue-overdue.ts';
import { type MediaStore, readInputTaskId, type StoredObject } from '../domain/media.ts';
import { LEFTOVER_AGE } from '../domain/schedule.ts';
import { isTerminal, type TaskRepository } from '../domain/task.ts';

type Dependencies = {
  readonly tasks: Pick<TaskRepository, 'find'>;
  readonly media: Pick<MediaStore, 'inputs' | 'remove'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run stops; the next run removes the rest. */
  readonly stopAt: number;
};

const CONCURRENCY = 8;

/** Removes input images whose task does not exist or has ended. */
export const removeLeftovers = async (dependencies: Dependencies): Promise<void> => {
  const { media, logger, now, stopAt } = dependencies;
  let removed = 0;
  let left = 0;
  try {
    await inParallel(media.inputs(), CONCURRENCY, async (input) => {
      if (now() >= stopAt) left += 1;
      else if (await remove(dependencies, input)) removed += 1;
    });
  } finally {
    logger.info('leftovers removed', { removed, left });
  }
};

const remove = async (
  { tasks, media, logger, now }: Dependencies,
  { key, storedAt }: StoredObject,
): Promise<boolean> => {
  if (storedAt > now() - LEFTOVER_AGE) return false;
  try {
    const taskId = readInputTaskId(key);
    const task = taskId === undefined ? undefined : await tasks.find(taskId);
    if (task !== undefined && !isTerminal(task)) return false;
    await media.remove([key]);
    return true;
  } catch (error) {
    logger.error('leftover not removed', error, { key });
    return false;
  }
};
