import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Share, type Shares, type SlowStep, type SlowSteps, shareFor } from '../domain/fair-share.ts';
import { type Attributes, encode } from './attributes.ts';

/** One item with string sets: the steps of all owners, of each owner, and of each part of an owner. */
const TASK_ITEM = { id: 'slow-steps' };
const ALL = 'all';
const ownName = (owner: string): string => `of ${owner}`;
const partName = (part: string): string => `part ${part}`;

/** Includes the end time, so that each element is unique. */
const toElement = ({ id, until }: SlowStep): string => `${until}/${id}`;
const isOver = (element: string, now: number): boolean => Number(element.split('/')[0]) <= now;

/** The length of an expression is limited. */
const MOST_CLEANED = 50;

/** The sets that a step belongs to. DynamoDB removes empty sets, so a missing one is empty. */
const setNames = ({ owner, part }: SlowStep): Readonly<Record<string, string>> => ({
  '#all': ALL,
  '#own': ownName(owner),
  ...(part === undefined ? {} : { '#part': partName(part) }),
});

/** `mayBegin` as a condition. A write that is retried after a lost response finds its own element. */
const conditionFor = ({ levels, isFirstFree, part }: Share, step: SlowStep) => {
  const isFirst = isFirstFree
    ? 'attribute_not_exists(#own)'
    : '(attribute_not_exists(#own) AND (attribute_not_exists(#all) OR size(#all) <= :all0))';
  const bounds = levels.map((_, level) => `(size(#own) < :own${level} AND size(#all) <= :all${level})`);
  const within = [isFirst, ...bounds].join(' OR ');
  const hasPart = step.part !== undefined && Number.isFinite(part);
  const values = levels.flatMap(({ own, all }, level) => [
    [`:own${level}`, own],
    [`:all${level}`, all],
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
      ExpressionAttributeValues: { ':step': { SS: [toElement(step)] } },
    };
  };

  /** Undefined if the step has begun; otherwise the current item. */
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
        ...encode({ ':element': toElement(step) }),
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

  /** Removes expired steps of workers that died; false if there are none. */
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
