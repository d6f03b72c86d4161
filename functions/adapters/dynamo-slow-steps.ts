import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { SlowSteps } from '../domain/ports.ts';
import { rungsOf, type SlowStep } from '../domain/share.ts';
import { type Attributes, encode } from './attributes.ts';

/** One item: the steps of all owners in one set, and those of each in its own. */
const TASK_ITEM = { id: 'slow-steps' };
const ALL = 'all';
const ownName = (owner: string): string => `of ${owner}`;

/** An element is good once: the time is part of it. */
const elementOf = ({ id, until }: SlowStep): string => `${until}/${id}`;
const isOver = (element: string, now: number): boolean => Number(element.split('/')[0]) <= now;

/** How many sets one write cleans: an expression is bounded. */
const MOST_CLEANED = 50;

export const dynamoSlowSteps = (
  client: DynamoDBClient,
  table: string,
  workers: number,
  key: Readonly<Record<string, string>> = TASK_ITEM,
): SlowSteps => {
  const rungs = rungsOf(workers);
  const bounds = rungs.map((_, rung) => `(size(#own) < :own${rung} AND size(#all) <= :all${rung})`);
  const condition = ['attribute_not_exists(#own)', 'contains(#own, :element)', ...bounds].join(' OR ');
  const boundValues = encode(
    Object.fromEntries(
      rungs.flatMap(({ own, all }, rung) => [
        [`:own${rung}`, own],
        [`:all${rung}`, all],
      ]),
    ),
  );
  const target = { TableName: table, Key: encode(key) };
  const sets = (step: SlowStep) => ({
    ExpressionAttributeNames: { '#all': ALL, '#own': ownName(step.owner) },
    ExpressionAttributeValues: { ':step': { SS: [elementOf(step)] } },
  });

  /** Undefined when it has begun; else what was there. */
  const tryBegin = async (step: SlowStep): Promise<Attributes | undefined> => {
    const { ExpressionAttributeNames, ExpressionAttributeValues } = sets(step);
    const update = new UpdateItemCommand({
      ...target,
      UpdateExpression: 'ADD #all :step, #own :step',
      ConditionExpression: condition,
      ExpressionAttributeNames,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ...boundValues,
        ...encode({ ':element': elementOf(step) }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await client.send(update);
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item ?? {};
    }
  };

  /** Takes away what a worker that died has left; false when there is nothing. */
  const clean = async (item: Attributes, now: number): Promise<boolean> => {
    const left = Object.entries(item)
      .map(([name, { SS = [] }]) => ({ name, over: SS.filter((element) => isOver(element, now)) }))
      .filter(({ over }) => over.length > 0)
      .slice(0, MOST_CLEANED);
    if (left.length === 0) return false;
    await client.send(
      new UpdateItemCommand({
        ...target,
        UpdateExpression: `DELETE ${left.map((_, set) => `#set${set} :set${set}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(left.map(({ name }, set) => [`#set${set}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          left.map(({ over }, set) => [`:set${set}`, { SS: over }]),
        ),
      }),
    );
    return true;
  };

  return {
    begin: async (step, now) => {
      const item = await tryBegin(step);
      if (item === undefined) return true;
      return (await clean(item, now)) && (await tryBegin(step)) === undefined;
    },
    end: async (step) => {
      await client.send(
        new UpdateItemCommand({
          ...target,
          ...sets(step),
          UpdateExpression: 'DELETE #all :step, #own :step',
        }),
      );
    },
  };
};
