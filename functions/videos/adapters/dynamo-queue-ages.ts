import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, number, optional } from '../../platform/aws/dynamo.ts';
import type { QueueAges } from '../domain/queue-age.ts';

/** An item of the task table for each minute, in none of its indexes. */
const keyFor = (minute: number): Attributes => encode({ id: `queue-age-${minute}` });

const SLOT_PREFIX = 'late_';
/** An expression is bounded; a worker meets fewer accounts between two records. */
const MOST_SLOTS = 150;
const LIFETIME_SECONDS = 60 * 60;

const readLate = (item: Attributes): ReadonlyMap<string, number> =>
  new Map(
    Object.keys(item)
      .filter((name) => name.startsWith(SLOT_PREFIX))
      .map((name) => [name.slice(SLOT_PREFIX.length), number(item, name)] as const),
  );

export const dynamoQueueAges = (client: DynamoDBClient, table: string): QueueAges => ({
  record: async (minute, { onTime, late, stalledSince }) => {
    const slots = [...late].slice(0, MOST_SLOTS);
    const values = {
      expires: minute * 60 + LIFETIME_SECONDS,
      ...(onTime ? { on_time: 1 } : {}),
      ...(stalledSince === undefined ? {} : { stalled_since: stalledSince }),
      ...Object.fromEntries(slots.map(([slot, readyAt]) => [`${SLOT_PREFIX}${slot}`, readyAt])),
    };
    const names = Object.keys(values);
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: keyFor(minute),
        UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
        ExpressionAttributeValues: encode(
          Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
        ),
      }),
    );
  },

  read: async (minute) => {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: keyFor(minute) }));
    return (
      Item && {
        onTime: optional(Item, 'on_time', number) !== undefined,
        late: readLate(Item),
        stalledSince: optional(Item, 'stalled_since', number),
      }
    );
  },
});
