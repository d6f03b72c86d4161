import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, map, number, optional, time } from '../../platform/aws/attributes.ts';
import { NO_LOAD, type WorkerLoad, type WorkerLoads } from '../domain/worker-capacity.ts';

/** One item of the task table, in none of its indexes. Only the sweeper writes it, except for the start of an overload. */
export const LOAD_ID = 'worker-load';
export const LOAD_KEY: Attributes = encode({ id: LOAD_ID });

const readServed = (item: Attributes): ReadonlyMap<string, number> => {
  const served = optional(item, 'served', map) ?? {};
  return new Map(Object.keys(served).map((model) => [model, number(served, model)]));
};

/** A worker can be the first to write the item, and then only the time until which the line is held. */
export const readLoad = (item: Attributes): WorkerLoad => ({
  heldUntil: optional(item, 'held_until', time) ?? NO_LOAD.heldUntil,
  taskMs: optional(item, 'task_ms', number) ?? NO_LOAD.taskMs,
  rate: optional(item, 'rate', number) ?? NO_LOAD.rate,
  waiting: optional(item, 'waiting', number) ?? NO_LOAD.waiting,
  served: readServed(item),
  minute: optional(item, 'minute', number) ?? NO_LOAD.minute,
  crowded: new Set(Object.keys(optional(item, 'crowded', map) ?? {})),
});

export const dynamoWorkerLoads = (client: DynamoDBClient, table: string): WorkerLoads => {
  const set = async (values: Parameters<typeof encode>[0]): Promise<void> => {
    const names = Object.keys(values);
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: LOAD_KEY,
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: encode(
          Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
        ),
      }),
    );
  };
  return {
    read: async () => {
      const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: LOAD_KEY }));
      return Item === undefined ? NO_LOAD : readLoad(Item);
    },
    hold: (until) => set({ held_until: until }),
    save: ({ heldUntil, taskMs, rate, waiting, served, minute, crowded }) =>
      set({
        held_until: heldUntil,
        task_ms: taskMs,
        rate,
        waiting,
        served: Object.fromEntries(served),
        minute,
        crowded: Object.fromEntries([...crowded].map((slot) => [slot, true])),
      }),
  };
};
