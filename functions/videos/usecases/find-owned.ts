import { DomainError } from '../../platform/domain/errors.ts';
import type { TaskRepository } from '../../platform/domain/ports.ts';
import { isTaskId } from '../../platform/domain/task-id.ts';
import { isDeleted, type Task } from '../domain/task.ts';

/** Another account's task, a deleted one and one that never was are the same: not found. */
export const findOwned = async (tasks: TaskRepository, account: string, id: string): Promise<Task> => {
  const task = isTaskId(id) ? await tasks.find(id) : undefined;
  if (task === undefined || task.account !== account || isDeleted(task))
    throw new DomainError('video_not_found', `Video ${id.slice(0, 64)} was not found.`, { param: 'task_id' });
  return task;
};
