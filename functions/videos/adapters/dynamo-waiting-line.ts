import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, encode, number, text, time } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { lineItem } from '../../upstream/adapters/dynamo-pool.ts';
import { type LinePositions, MAX_POSITION, type WaitingLine, type WaitingTask } from '../domain/task.ts';
import { atStep } from './dynamo-tasks.ts';
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

type Tables = { readonly TASK_TABLE: string; readonly UPSTREAM_TABLE: string };

/** The line is a part of the due index. Without a table of the upstreams, its tickets are in the task table, too. */
export const dynamoWaitingLine = (
  client: DynamoDBClient,
  { TASK_TABLE, UPSTREAM_TABLE }: Tables,
  logger: Logger,
): WaitingLine => {
  const tasks = dynamoTable(client, TASK_TABLE, { logger, key: ['id'] });
  const lines = dynamoTable(client, UPSTREAM_TABLE);
  const tickets = UPSTREAM_TABLE === '' ? tasks : lines;

  return {
    ticket: async (account, model, served) => {
      const key = { id: `ticket/${model}/${account}` };
      const expires = Math.floor(Date.now() / 1000) + TICKET_LIFETIME_SECONDS;
      for (;;) {
        const counted =
          (await tickets.change(key, {
            set: { expires },
            add: { last_ticket: 1 },
            when: 'last_ticket >= :served',
            values: { served },
          })) ??
          // An account that has not waited lately starts where the line is now.
          (await tickets.change(key, {
            set: { last_ticket: served + 1, expires },
            when: 'attribute_not_exists(last_ticket) OR last_ticket < :served',
            values: { served },
          }));
        if (counted !== undefined) return number(counted, 'last_ticket');
      }
    },

    hold: async (model, until) => {
      await lines.update({ id: lineItem(model) }, { set: { until } });
    },

    waiting: (model) =>
      tasks.items(
        { index: 'due', where: 'due_shard = :line', values: { line: lineShard(model) } },
        readWaiting,
      ),

    call: async ({ id, step }, dueAt) => {
      const called = await tasks.change(
        { id },
        {
          set: { due_shard: DUE_INDEX.shardFor(id), due_at: dueAt },
          remove: ['deadline'],
          ...atStep(step, ' AND attribute_exists(deadline)'),
        },
      );
      return called && text(called, 'account');
    },

    advance: async (model, served, until) => {
      // The load of the workers has the served tickets as well.
      if (UPSTREAM_TABLE !== '') await lines.update({ id: lineItem(model) }, { set: { served, until } });
    },
  };
};
