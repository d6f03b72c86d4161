import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { SlowSteps } from '../domain/ports.ts';
import { type Share, type Shares, type SlowStep, shareFor } from '../domain/share.ts';
import { type Attributes, encode } from './attributes.ts';

/** One item: the steps of all owners in one set, and those of each owner, and of each part of an owner, in its own. */
const TASK_ITEM = { id: 'slow-steps' };
const ALL = 'all';
const ownName = (owner: string): string => `of ${owner}`;
const partName = (part: string): string => `part ${part}`;

/** An element is good once: the time is part of it. */
const elementOf = ({ id, until }: SlowStep): string => `${until}/${id}`;
const isOver = (element: string, now: number): boolean => Number(element.split('/')[0]) <= now;

/** How many sets one write cleans: an expression is bounded. */
const MOST_CLEANED = 50;

/** The sets of a step: DynamoDB removes an empty set, so that a missing one holds nothing. */
const setNames = ({ owner, part }: SlowStep): Readonly<Record<string, string>> => ({
  '#all': ALL,
  '#own': ownName(owner),
  ...(part === undefined ? {} : { '#part': partName(part) }),
});

/** `mayBegin` as a condition; a write that was repeated after a lost answer finds itself. */
const conditionFor = ({ rungs, isFirstFree, part }: Share, step: SlowStep) => {
  const isFirst = isFirstFree
    ? 'attribute_not_exists(#own)'
    : '(attribute_not_exists(#own) AND (attribute_not_exists(#all) OR size(#all) <= :all0))';
  const bounds = rungs.map((_, rung) => `(size(#own) < :own${rung} AND size(#all) <= :all${rung})`);
  const within = [isFirst, ...bounds].join(' OR ');
  const hasPart = step.part !== undefined && Number.isFinite(part);
  const values = rungs.flatMap(({ own, all }, rung) => [
    [`:own${rung}`, own],
    [`:all${rung}`, all],
  ]);
  return {
    expression: `contains(#own, :element) OR ${
      hasPart ? `((attribute_not_exists(#part) OR size(#part) < :part) AND (${within}))` : within
    }`,
    values: encode({ ...Object.fromEntries(values), ...(hasPart ? { ':part': part } : {}) }),
  };
};

export const dynamoSlowSteps = (
  client: DynamoDBClient,
  table: string,
  shares: Shares,
  key: Readonly<Record<string, string>> = TASK_ITEM,
): SlowSteps => {
  const target = { TableName: table, Key: encode(key) };
  const change = (verb: 'ADD' | 'DELETE', step: SlowStep) => {
    const names = setNames(step);
    const UpdateExpression = `${verb} ${Object.keys(names)
      .map((name) => `${name} :step`)
      .join(', ')}`;
    return {
      UpdateExpression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':step': { SS: [elementOf(step)] } },
    };
  };

  /** Undefined when it has begun; else what was there. */
  const tryBegin = async (step: SlowStep): Promise<Attributes | undefined> => {
    const { ExpressionAttributeValues, ...addition } = change('ADD', step);
    const { expression, values } = conditionFor(shareFor(shares, step), step);
    const update = new UpdateItemCommand({
      ...target,
      ...addition,
      ConditionExpression: expression,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ...values,
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
      await client.send(new UpdateItemCommand({ ...target, ...change('DELETE', step) }));
    },
  };
};
