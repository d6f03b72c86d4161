import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import { isTaskId, timeOfTaskId } from '../../platform/domain/ids.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { LinkMethod, TaskPage, TaskPages, TaskRepository, VideoLinks } from '../domain/ports.ts';
import { isDeleted, isTerminal, type Task, type TaskFilter } from '../domain/task.ts';
import { deletionAsked } from '../domain/transitions.ts';
import { removeTask, settleTask } from './end-task.ts';
import type { Worker } from './worker.ts';

/** Another account's task, a deleted one and one that never was are the same: not found. */
export const findOwned = async (tasks: TaskRepository, account: string, id: string): Promise<Task> => {
  const task = isTaskId(id) ? await tasks.find(id) : undefined;
  if (task === undefined || task.account !== account || isDeleted(task))
    throw new DomainError('video_not_found', `Video ${id.slice(0, 64)} was not found.`, { param: 'task_id' });
  return task;
};

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

type Linking = { readonly tasks: TaskRepository; readonly links: VideoLinks; readonly now: Clock };

/** The address from which a completed video can be downloaded now. */
export const linkVideo = async (
  { tasks, links, now }: Linking,
  account: string,
  id: string,
  method: LinkMethod = 'GET',
): Promise<string> => {
  const task = await findOwned(tasks, account, id);
  if (task.status === 'failed')
    throw new DomainError(
      'video_failed',
      `Video ${id} failed: ${task.error?.message ?? 'no reason is known'}`,
    );
  if (task.file === undefined)
    throw new DomainError(
      'video_not_ready',
      `Video ${id} is ${task.status}; download it once it is completed.`,
    );
  if (task.expiresAt !== undefined && now() >= task.expiresAt)
    throw new DomainError('video_expired', `The file of video ${id} has expired and is gone.`);
  return links.sign(task.file.key, `${id}.mp4`, method);
};

type Deletion = Pick<Worker, 'tasks' | 'charges' | 'accounts' | 'media' | 'webhooks' | 'now'>;

/** One to settle, and three to win the write that asks for the deletion. */
const MAX_TRIES = 4;

/** The first write makes the task gone for its owner; if the rest breaks off, the sweeper finishes it. */
export const deleteVideo = async (dependencies: Deletion, account: string, id: string): Promise<void> => {
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
