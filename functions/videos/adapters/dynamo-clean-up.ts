import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, map, maps, optional, text } from '../../platform/aws/attributes.ts';
import { skipUnreadable } from '../../platform/aws/items.ts';
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
    ? maps(map(map(item, 'task'), 'request'), 'inputs').map((input) => text(input, 'key'))
    : [];

/** Only for the clean-up: reads tasks of all accounts. */
export const dynamoTaskInputs = (client: DynamoDBClient, table: string, logger: Logger): TaskInputs => ({
  inputKeys: async (ids) => {
    const read = skipUnreadable({ logger, table, key: ['id'] }, readInputKeys);
    const found = new Map<string, readonly string[] | 'unreadable'>();
    let Keys: Attributes[] = ids.map((id) => encode({ id }));
    while (Keys.length > 0) {
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ...INPUT_KEYS } } }),
      );
      for (const item of Responses?.[table] ?? []) found.set(text(item, 'id'), read(item) ?? 'unreadable');
      // DynamoDB returns at most 16 MB, and leaves out keys when it throttles.
      Keys = UnprocessedKeys?.[table]?.Keys ?? [];
    }
    return found;
  },
});

/** An item of the task table, in none of its indexes. */
const POSITION = encode({ id: 'clean-up-position' });

export const dynamoCleanUpPosition = (client: DynamoDBClient, table: string): CleanUpPosition => ({
  read: async () => {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: POSITION }));
    return Item && text(Item, 'input_key');
  },
  save: async (key) => {
    const Item = { ...POSITION, ...encode({ input_key: key }) };
    await client.send(new PutItemCommand({ TableName: table, Item }));
  },
});
