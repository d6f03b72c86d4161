import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, number, text, time } from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/contention.ts';
import { allItems, skipUnreadable } from '../../platform/aws/items.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { type LinePositions, MAX_POSITION, type WaitingLine, type WaitingTask } from '../domain/task.ts';
import { IS_AT_STEP, STEP_NAME } from './dynamo-tasks.ts';
import { DUE_INDEX, lineShard, readNeeds } from './task-item.ts';

const readWaiting = (item: Attributes): WaitingTask => ({
  id: text(item, 'id'),
  account: text(item, 'account'),
  needs: readNeeds(item),
  step: number(item, 'step'),
  ticket: number(item, 'due_at'),
  deadline: time(item, 'deadline'),
});

/** Tasks with the same ticket count as earlier ones, so that nobody waits longer than the position tells. */
export const dynamoLinePositions = (client: DynamoDBClient, table: string): LinePositions => ({
  position: async ({ request, ticket }) => {
    if (ticket === undefined) return undefined;
    const { Count = 0 } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'due',
        KeyConditionExpression: 'due_shard = :line AND due_at <= :ticket',
        ExpressionAttributeValues: encode({ ':line': lineShard(request.model), ':ticket': ticket }),
        Select: 'COUNT',
        Limit: MAX_POSITION,
      }),
    );
    return Count === 0 ? undefined : Count;
  },
});

/** Longer than a task can wait. */
const TICKET_LIFETIME_SECONDS = 24 * 60 * 60;

type Tables = {
  readonly TASK_TABLE: string;
  readonly UPSTREAM_TABLE: string;
  readonly lineItem: (model: string) => string;
};

/**
 * The line is a part of the due index of the task table. Tickets are counted in the table of the upstreams, or in the
 * task table if there is none.
 */
export const dynamoWaitingLine = (
  client: DynamoDBClient,
  { TASK_TABLE, UPSTREAM_TABLE, lineItem }: Tables,
  logger: Logger,
): WaitingLine => {
  const ticketTable = UPSTREAM_TABLE === '' ? TASK_TABLE : UPSTREAM_TABLE;
  const change = (
    id: string,
    UpdateExpression: string,
    values: Parameters<typeof encode>[0],
    condition?: string,
  ) =>
    client.send(
      new UpdateItemCommand({
        TableName: UPSTREAM_TABLE,
        Key: encode({ id }),
        UpdateExpression,
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: encode(values),
      }),
    );

  const countTicket = async (
    id: string,
    expression: string,
    values: Parameters<typeof encode>[0],
    condition: string,
  ) => {
    const { Attributes: changed = {} } = await client.send(
      new UpdateItemCommand({
        TableName: ticketTable,
        Key: encode({ id }),
        UpdateExpression: expression,
        ConditionExpression: condition,
        ExpressionAttributeValues: encode({
          ...values,
          ':expires': Math.floor(Date.now() / 1000) + TICKET_LIFETIME_SECONDS,
        }),
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return number(changed, 'last_ticket');
  };

  /** Undefined if the other case applies. */
  const ifHeld = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
    let result: T | undefined;
    await conditionHeld(async () => {
      result = await write();
    });
    return result;
  };

  return {
    ticket: async (account, model, served) => {
      const id = `ticket/${model}/${account}`;
      for (;;) {
        // An account that has not waited lately starts where the line is now.
        const first = { ':first': served + 1, ':served': served };
        const ticket =
          (await ifHeld(() =>
            countTicket(
              id,
              'SET expires = :expires ADD last_ticket :one',
              { ':one': 1, ':served': served },
              'last_ticket >= :served',
            ),
          )) ??
          (await ifHeld(() =>
            countTicket(
              id,
              'SET last_ticket = :first, expires = :expires',
              first,
              'attribute_not_exists(last_ticket) OR last_ticket < :served',
            ),
          ));
        if (ticket !== undefined) return ticket;
      }
    },

    hold: async (model, until) => {
      await change(lineItem(model), 'SET #until = :until', { ':until': until });
    },

    waiting: (model) =>
      allItems(
        (start) =>
          client.send(
            new QueryCommand({
              TableName: TASK_TABLE,
              IndexName: 'due',
              KeyConditionExpression: 'due_shard = :line',
              ExpressionAttributeValues: encode({ ':line': lineShard(model) }),
              ExclusiveStartKey: start,
            }),
          ),
        skipUnreadable({ logger, table: TASK_TABLE, key: ['id'] }, readWaiting),
      ),

    call: async ({ id, step }, dueAt) => {
      const called = await ifHeld(() =>
        client.send(
          new UpdateItemCommand({
            TableName: TASK_TABLE,
            Key: encode({ id }),
            UpdateExpression: 'SET due_shard = :shard, due_at = :due REMOVE deadline',
            ConditionExpression: `${IS_AT_STEP} AND attribute_exists(deadline)`,
            ExpressionAttributeNames: STEP_NAME,
            ExpressionAttributeValues: encode({
              ':step': step,
              ':shard': DUE_INDEX.shardFor(id),
              ':due': dueAt,
            }),
            ReturnValues: 'ALL_NEW',
          }),
        ),
      );
      return called === undefined ? undefined : text(called.Attributes ?? {}, 'account');
    },

    advance: async (model, served, until) => {
      // The load of the workers has the served tickets as well.
      if (UPSTREAM_TABLE === '') return;
      const expression =
        until === undefined ? 'SET served = :served REMOVE #until' : 'SET served = :served, #until = :until';
      await change(lineItem(model), expression, { ':served': served, ':until': until });
    },
  };
};
