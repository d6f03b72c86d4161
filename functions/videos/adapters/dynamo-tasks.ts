import { randomUUID } from 'node:crypto';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { skipUnreadable } from '../../platform/aws/all-items.ts';
import { type Attributes, encode, text } from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import { dueItems } from '../../platform/aws/due-index.ts';
import type { DueTasks, Logger, TaskRepository } from '../../platform/domain/ports.ts';
import { timeOfTaskId } from '../../platform/domain/task-id.ts';
import type { Task } from '../domain/task.ts';
import { DUE_INDEX, fromItem, readDueTask, readMarker, readPosition, toItem, toMarker } from './task-item.ts';

type Condition = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';

/** The marker of a removed task is in nobody's way. */
const IS_NEW = 'attribute_not_exists(id) OR attribute_exists(removed_task)';
const IS_AT_STEP = '#step = :step';
const STEP_NAME = { '#step': 'step' };

export const dynamoTasks = (client: DynamoDBClient, table: string): TaskRepository => {
  const read = async (id: string): Promise<Attributes | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ id }), ConsistentRead: true }),
    );
    return Item;
  };

  /** A put whose answer was lost and that the client repeated is refused by itself: then it has won all the same. */
  const put = async (task: Task, condition: Pick<PutItemCommandInput, Condition>): Promise<boolean> => {
    const writeId = randomUUID();
    const item = { ...toItem(task), ...encode({ write_id: writeId }) };
    if (await conditionHeld(client.send(new PutItemCommand({ TableName: table, Item: item, ...condition }))))
      return true;
    return (await read(task.id))?.write_id?.S === writeId;
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

    advance: (next) =>
      put(next, {
        ConditionExpression: IS_AT_STEP,
        ExpressionAttributeNames: STEP_NAME,
        ExpressionAttributeValues: encode({ ':step': next.step - 1 }),
      }),

    remove: (task) => {
      const condition = {
        TableName: table,
        ConditionExpression: IS_AT_STEP,
        ExpressionAttributeNames: STEP_NAME,
        ExpressionAttributeValues: encode({ ':step': task.step }),
      };
      return conditionHeld(
        timeOfTaskId(task.id) === undefined
          ? client.send(new PutItemCommand({ ...condition, Item: toMarker(task, Date.now()) }))
          : client.send(new DeleteItemCommand({ ...condition, Key: encode({ id: task.id }) })),
      );
    },
  };
};

/** For the sweeper alone: it reads the tasks of all accounts. */
export const dynamoDueTasks = (client: DynamoDBClient, table: string, logger: Logger): DueTasks => ({
  due: (until) => {
    const read = skipUnreadable({ logger, table, key: ['id'] }, readDueTask);
    return dueItems(client, { table, index: DUE_INDEX, until, read });
  },

  postpone: async ({ id, step, sweeps }, dueAt) => {
    const update = new UpdateItemCommand({
      TableName: table,
      Key: encode({ id }),
      UpdateExpression: 'SET due_at = :due, sweeps = :sweeps',
      ConditionExpression: `${IS_AT_STEP} AND attribute_exists(due_at)`,
      ExpressionAttributeNames: STEP_NAME,
      ExpressionAttributeValues: encode({ ':step': step, ':due': dueAt, ':sweeps': sweeps + 1 }),
      // The index does not say whose the task is.
      ReturnValues: 'ALL_NEW',
    });
    let written: Attributes = {};
    const held = await conditionHeld(
      client.send(update).then(({ Attributes: item = {} }) => {
        written = item;
      }),
    );
    return held ? text(written, 'account') : undefined;
  },
});
