import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, number, optional, text } from '../../platform/aws/attributes.ts';
import { dueItems } from '../../platform/aws/due-index.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import {
  type DueTask,
  type DueTasks,
  isDeleted,
  matches,
  type PageQuery,
  type Task,
  type TaskFilter,
  type TaskPages,
} from '../domain/task.ts';
import { atStep } from './dynamo-tasks.ts';
import { DUE_INDEX, fromItem, listPosition, timePosition } from './task-item.ts';

const readDueTask = (item: Attributes): DueTask => ({
  id: text(item, 'id'),
  step: number(item, 'step'),
  sweeps: optional(item, 'sweeps', number) ?? 0,
});

/** Only for the sweeper: reads tasks of all accounts. */
export const dynamoDueTasks = (client: DynamoDBClient, name: string, logger: Logger): DueTasks => {
  const table = dynamoTable(client, name, { logger, key: ['id'] });
  return {
    due: (until) => dueItems(table, DUE_INDEX, until, readDueTask),

    postpone: async ({ id, step, sweeps }, dueAt) => {
      const postponed = await table.change(
        { id },
        { set: { due_at: dueAt, sweeps: sweeps + 1 }, ...atStep(step, ' AND attribute_exists(due_at)') },
      );
      // The due index does not contain the account.
      return postponed && text(postponed, 'account');
    },
  };
};

/** Lambda responses are limited to 6 MB, so it is useless to read more prompts than that. */
const MAX_PROMPT_BYTES = 6_000_000;
/** Bounds the work for a selective filter; the page then says where the next one starts. */
const MAX_QUERIES = 25;
const FILTERED_LIMIT = 200;

const promptBytes = ({ request }: Task): number => Buffer.byteLength(request.prompt);

const LAST_TIME = 10 ** 15 - 1;

type Range = { readonly from: string; readonly to: string };
const toRange = ({ createdFrom = 0, createdBefore = LAST_TIME }: Partial<TaskFilter>): Range => ({
  from: timePosition(createdFrom),
  to: timePosition(createdBefore),
});

/** Undefined if nothing is left to read. DynamoDB rejects a start outside of the range and an inverted range. */
const findStart = (
  account: string,
  { after, newestFirst }: PageQuery,
  { from, to }: Range,
): { readonly key: Attributes | undefined } | undefined => {
  if (from > to) return undefined;
  if (after === undefined) return { key: undefined };
  const position = listPosition(after);
  const [isBefore, isAfter] = newestFirst
    ? [position > to, position < from]
    : [position < from, position > to];
  if (isAfter) return undefined;
  return { key: isBefore ? undefined : encode({ account, position, id: after.id }) };
};

/** Reads until the page is full, because deleted tasks and those that do not match are skipped. */
export const dynamoTaskPages = (client: DynamoDBClient, name: string, logger: Logger): TaskPages => ({
  page: async (account, query) => {
    const { limit, newestFirst, filter } = query;
    const range = toRange(filter ?? {});
    const begin = findStart(account, query, range);
    if (begin === undefined) return { tasks: [], hasMore: false };
    const table = dynamoTable(client, name, { logger, key: ['id'] });
    const tasks: Task[] = [];
    let [bytes, queries] = [0, 0];
    let start = begin.key;
    do {
      const missing = filter === undefined ? limit + 1 - tasks.length : FILTERED_LIMIT;
      const { items, next } = await table.page(
        {
          index: 'by-account',
          where: 'account = :account AND #position BETWEEN :from AND :to',
          values: { account, ...range },
          newestFirst,
          limit: missing,
          after: start,
        },
        fromItem,
      );
      const found = items.filter(
        (task) => !isDeleted(task) && (filter === undefined || matches(task, filter)),
      );
      tasks.push(...found);
      for (const task of found) bytes += promptBytes(task);
      queries += 1;
      start = next;
    } while (
      start !== undefined &&
      tasks.length <= limit &&
      bytes < MAX_PROMPT_BYTES &&
      queries < MAX_QUERIES
    );
    if (tasks.length > limit) return { tasks: tasks.slice(0, limit), hasMore: true };
    // Unread items count as more tasks; at worst the next page is empty.
    return { tasks, hasMore: start !== undefined, resumeAfter: start?.id?.S };
  },
});
