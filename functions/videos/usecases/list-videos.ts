import { invalidField } from '../../platform/domain/errors.ts';
import type { TaskPage, TaskPages, TaskRepository } from '../../platform/domain/ports.ts';
import { timeOfTaskId } from '../../platform/domain/task-id.ts';
import type { TaskFilter } from '../domain/task-filter.ts';

type Query = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: string | undefined;
  readonly filter?: TaskFilter | undefined;
};

/** Where a page goes on: most identifiers carry their time, the others are looked up. */
const positionOf = async (tasks: Pick<TaskRepository, 'position'>, account: string, id: string) => {
  const time = timeOfTaskId(id);
  if (time !== undefined) return { id, createdAt: time };
  const position = await tasks.position(id);
  if (position?.account !== account) throw invalidField('after', 'after names a video that was not found.');
  return { id, createdAt: position.createdAt };
};

export const listVideos = async (
  tasks: Pick<TaskRepository, 'position'> & TaskPages,
  account: string,
  query: Query,
): Promise<TaskPage> =>
  tasks.page(account, {
    limit: query.limit,
    newestFirst: query.newestFirst,
    filter: query.filter,
    after: query.after === undefined ? undefined : await positionOf(tasks, account, query.after),
  });
