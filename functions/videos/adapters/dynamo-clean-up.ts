import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, list, map, optional, text } from '../../platform/aws/attributes.ts';
import { dynamoTable, getMany, skipUnreadable } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { CleanUpPosition } from '../domain/media.ts';
import type { TaskInputs } from '../domain/task.ts';

/** Reads the keys alone: the prompts of a hundred tasks can have megabytes. */
const INPUT_KEYS = {
  ProjectionExpression: '#id, #removed, #task.#request.#inputs',
  ExpressionAttributeNames: {
    '#id': 'id',
    '#removed': 'removed_task',
    '#task': 'task',
    '#request': 'request',
    '#inputs': 'inputs',
  },
  ConsistentRead: true,
} as const;

const readInputKeys = (item: Attributes): readonly string[] =>
  optional(item, 'removed_task', map) === undefined
    ? list(map(map(item, 'task'), 'request'), 'inputs', map).map((input) => text(input, 'key'))
    : [];

/** Only for the clean-up: reads tasks of all accounts. */
export const dynamoTaskInputs = (client: DynamoDBClient, table: string, logger: Logger): TaskInputs => ({
  inputKeys: async (ids) => {
    const read = skipUnreadable(table, { logger, key: ['id'] }, readInputKeys);
    const keys = ids.map((id) => ({ id }));
    const items = await getMany(client, table, keys, INPUT_KEYS);
    return new Map(items.map((item) => [text(item, 'id'), read(item) ?? 'unreadable']));
  },
});

/** An item of the task table, in none of its indexes. */
const POSITION = { id: 'clean-up-position' };

export const dynamoCleanUpPosition = (client: DynamoDBClient, name: string): CleanUpPosition => {
  const table = dynamoTable(client, name);
  return {
    read: () => table.get(POSITION, (item) => text(item, 'input_key'), false),
    save: async (key) => {
      await table.put(encode({ ...POSITION, input_key: key }));
    },
  };
};
