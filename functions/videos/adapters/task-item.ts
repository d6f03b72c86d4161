import {
  type Attributes,
  corrupt,
  encode,
  map,
  number,
  optional,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
import type { DueTask, TaskPosition } from '../../platform/domain/ports.ts';
import type { Task } from '../domain/task.ts';
import { readTask } from './read-task.ts';

/** A task as DynamoDB holds it: the task itself under `task`, beside the keys of its indexes. */

/**
 * DynamoDB takes 1,000 write units a second for one key of an index, and a worker whose upstream turns it away at once
 * writes about 45. So 16 workers share a shard when Lambda runs as many of them as it allows, 1,000.
 */
export const DUE_INDEX = dueIndex(64);

/** Tasks go this long after their files, or after their creation where there is none. */
const ITEM_LIFETIME_SECONDS = 90 * 24 * 60 * 60;

/** Orders an account's tasks by time, then by id. */
export const orderOf = ({ id, createdAt }: Pick<Task, 'id' | 'createdAt'>): string =>
  `${timeOrder(createdAt)}#${id}`;

/** Before all tasks of this very moment, and after all earlier ones. */
export const timeOrder = (time: number): string => String(time).padStart(15, '0');

/** Only a task with work left has the keys of the due index, so that the index holds just those. */
export const toItem = (task: Task): Attributes =>
  encode({
    id: task.id,
    step: task.step,
    account: task.account,
    position: orderOf(task),
    due_shard: task.work === undefined ? undefined : DUE_INDEX.shardFor(task.id),
    due_at: task.work?.dueAt,
    expires: Math.floor((task.expiresAt ?? task.createdAt) / 1000) + ITEM_LIFETIME_SECONDS,
    task,
  });

/** A corrupt item throws: it is not the same as no item. */
export const fromItem = (item: Attributes): Task => {
  const task = readTask(map(item, 'task'));
  if (task.id !== text(item, 'id')) throw corrupt('task.id');
  if (task.account !== text(item, 'account')) throw corrupt('task.account');
  return task;
};

/** Whose a task is and its place in the list, from the keys alone: a list goes on also after a corrupt task. */
export const readPosition = (item: Attributes): TaskPosition => ({
  account: text(item, 'account'),
  createdAt: Number.parseInt(text(item, 'position'), 10),
});

/** How long a list can go on from a task that is removed. */
const MARKER_LIFETIME_SECONDS = 24 * 60 * 60;

/** What stays of a removed task whose id does not tell its place in the list; it is in no index. */
export const toMarker = ({ id, account, createdAt }: Task, now: number): Attributes =>
  encode({
    id,
    removed_task: { account, createdAt },
    expires: Math.floor(now / 1000) + MARKER_LIFETIME_SECONDS,
  });

/** Undefined for a task that is there. */
export const readMarker = (item: Attributes): TaskPosition | undefined => {
  const removed = optional(item, 'removed_task', map);
  return removed && { account: text(removed, 'account'), createdAt: time(removed, 'createdAt') };
};

/** An entry of the due index. */
export const readDueTask = (item: Attributes): DueTask => ({
  id: text(item, 'id'),
  step: number(item, 'step'),
  sweeps: optional(item, 'sweeps', number) ?? 0,
});
