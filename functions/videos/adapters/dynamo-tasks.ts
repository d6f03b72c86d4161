import { randomUUID } from 'node:crypto';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { StorageChange } from '../../billing/domain/kept-storage.ts';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import { type Attributes, encode } from '../../platform/aws/attributes.ts';
import { conditionHeld, failedConditions, isInvalid } from '../../platform/aws/contention.ts';
import { timeOfTaskId } from '../../platform/domain/ids.ts';
import type {
  ReturnedPlace,
  TakenPlace,
  Task,
  TaskChanges,
  TaskDeletion,
  TaskRepository,
} from '../domain/task.ts';
import { fromItem, readMarker, readPosition, toItem, toMarker } from './task-item.ts';

type Condition = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';

/** The marker of a removed task does not block a new one. */
const IS_NEW = 'attribute_not_exists(id) OR attribute_exists(removed_task)';
export const IS_AT_STEP = '#step = :step';
export const STEP_NAME = { '#step': 'step' };

/** The writes that change the places of tasks at upstreams with limits. */
export type PlaceWrites = {
  readonly take: (place: TakenPlace) => TransactWriteItem;
  readonly giveBack: (place: ReturnedPlace) => TransactWriteItem;
};

const atStepBefore = (next: Task) => ({
  ConditionExpression: IS_AT_STEP,
  ExpressionAttributeNames: STEP_NAME,
  ExpressionAttributeValues: encode({ ':step': next.step - 1 }),
});

/** Writes the next state of a task together with others. */
export const stepWrite = (table: string, next: Task): TransactWriteItem => ({
  Put: { TableName: table, Item: toItem(next), ...atStepBefore(next) },
});

export const dynamoTaskChanges = (
  table: string,
  audit: AuditTrail,
  countStorage: (change: StorageChange) => TransactWriteItem,
): TaskChanges => ({
  write: async (next, entry, storage) => {
    const counted = storage === undefined ? [] : [countStorage(storage)];
    return (await audit.write([stepWrite(table, next), ...counted], entry)).length === 0;
  },
});

export const dynamoTaskDeletion = (
  table: string,
  audit: AuditTrail,
  returnStorage: (account: string, bytes: number) => TransactWriteItem,
): TaskDeletion => ({
  request: async (next, entry, keptBytes) => {
    const returned = keptBytes === 0 ? [] : [returnStorage(next.account, keptBytes)];
    return (await audit.write([stepWrite(table, next), ...returned], entry)).length === 0;
  },
});

export const dynamoTasks = (client: DynamoDBClient, table: string, places?: PlaceWrites): TaskRepository => {
  const read = async (id: string): Promise<Attributes | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ id }), ConsistentRead: true }),
    );
    return Item;
  };

  /** The SDK repeats a put whose response was lost; the repetition then fails its own condition, but the put has won. */
  const put = async (task: Task, condition: Pick<PutItemCommandInput, Condition>): Promise<boolean> => {
    const writeId = randomUUID();
    const item = { ...toItem(task), ...encode({ write_id: writeId }) };
    const write = new PutItemCommand({ TableName: table, Item: item, ...condition });
    if (await conditionHeld(() => client.send(write))) return true;
    return (await read(task.id))?.write_id?.S === writeId;
  };

  /** The SDK's token makes a repeated transaction succeed again, so no write id is needed. */
  const putWith = (next: Task, ...changes: TransactWriteItem[]) => {
    const TransactItems = [stepWrite(table, next), ...changes];
    return failedConditions(() => client.send(new TransactWriteItemsCommand({ TransactItems })));
  };

  return {
    create: (task) => put(task, { ConditionExpression: IS_NEW }),

    find: async (id) => {
      const item = await read(id);
      return item === undefined || readMarker(item) !== undefined ? undefined : fromItem(item);
    },

    position: async (id) => {
      const item = await read(id);
      return item === undefined ? undefined : (readMarker(item) ?? readPosition(item));
    },

    advance: async (next, returned = []) => {
      const alone = () => put(next, atStepBefore(next));
      if (returned.length === 0 || places === undefined) return alone();
      try {
        return (await putWith(next, ...returned.map(places.giveBack))).length === 0;
      } catch (error) {
        // The state of an upstream that left the settings may be gone, but its videos still end.
        if (!isInvalid(error)) throw error;
        return alone();
      }
    },

    advanceWithPlace: async (next, place) => {
      if (places === undefined) throw new Error('this function cannot take places at upstreams');
      const failed = await putWith(next, places.take(place));
      if (failed.length === 0) return true;
      return failed[0] === undefined ? 'full' : false;
    },

    remove: (task) => {
      const condition = {
        TableName: table,
        ConditionExpression: IS_AT_STEP,
        ExpressionAttributeNames: STEP_NAME,
        ExpressionAttributeValues: encode({ ':step': task.step }),
      };
      return conditionHeld(() =>
        timeOfTaskId(task.id) === undefined
          ? client.send(new PutItemCommand({ ...condition, Item: toMarker(task, Date.now()) }))
          : client.send(new DeleteItemCommand({ ...condition, Key: encode({ id: task.id }) })),
      );
    },
  };
};
