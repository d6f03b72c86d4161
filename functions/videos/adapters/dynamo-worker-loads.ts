import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Attributes, map, number, optional, time } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { NO_LOAD, type WorkerLoad, type WorkerLoads } from '../domain/worker-capacity.ts';

/** One item of the task table, in none of its indexes. Only the sweeper writes it, except for the start of an overload. */
export const LOAD_KEY = { id: 'worker-load' };

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

export const dynamoWorkerLoads = (client: DynamoDBClient, name: string): WorkerLoads => {
  const table = dynamoTable(client, name);
  return {
    read: async () => (await table.get(LOAD_KEY, readLoad, false)) ?? NO_LOAD,
    hold: async (until) => {
      await table.update(LOAD_KEY, { set: { held_until: until } });
    },
    save: async ({ heldUntil, taskMs, rate, waiting, served, minute, crowded }) => {
      const set = {
        held_until: heldUntil,
        task_ms: taskMs,
        rate,
        waiting,
        served: Object.fromEntries(served),
        minute,
        crowded: Object.fromEntries([...crowded].map((slot) => [slot, true])),
      };
      await table.update(LOAD_KEY, { set });
    },
  };
};
