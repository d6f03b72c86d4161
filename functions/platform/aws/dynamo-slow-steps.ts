import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Share, type Shares, type SlowStep, type SlowSteps, shareFor } from '../domain/fair-share.ts';
import { type Attributes, textSet } from './attributes.ts';
import { dynamoTable } from './table.ts';
import { updateWrite } from './table-writes.ts';

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
  all: ALL,
  own: ownName(owner),
  ...(part === undefined ? {} : { part: partName(part) }),
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
    [`own${level}`, own],
    [`all${level}`, all],
  ]);
  return {
    when: `contains(#own, :element) OR ${
      hasPart ? `((attribute_not_exists(#part) OR size(#part) < :part) AND (${within}))` : within
    }`,
    values: { ...Object.fromEntries(values), ...(hasPart ? { part } : {}), element: toElement(step) },
  };
};

export const dynamoSlowSteps = (
  client: DynamoDBClient,
  table: string,
  shares: Shares,
  key: Readonly<Record<string, string>> = TASK_ITEM,
): SlowSteps => {
  const items = dynamoTable(client, table);
  const change = (verb: 'ADD' | 'DELETE', step: SlowStep) => {
    const names = setNames(step);
    const sets = Object.keys(names).map((name) => `#${name} :step`);
    return { expression: `${verb} ${sets.join(', ')}`, names, values: { step: textSet(toElement(step)) } };
  };

  /** Undefined if the step has begun; otherwise the current item. */
  const tryBegin = (step: SlowStep): Promise<Attributes | undefined> => {
    const addition = change('ADD', step);
    const { when, values } = conditionFor(shareFor(shares, step), step);
    const terms = { ...addition, when, values: { ...addition.values, ...values }, returnsItem: true };
    return items.attempt(updateWrite(table, key, terms));
  };

  /** Removes expired steps of workers that died; false if there are none. */
  const clean = async (item: Attributes, now: number): Promise<boolean> => {
    const left = Object.entries(item)
      .map(([name, { SS = [] }]) => ({ name, over: SS.filter((element) => isOver(element, now)) }))
      .filter(({ over }) => over.length > 0)
      .slice(0, MOST_CLEANED);
    if (left.length === 0) return false;
    return items.update(key, {
      expression: `DELETE ${left.map((_, set) => `#set${set} :set${set}`).join(', ')}`,
      names: Object.fromEntries(left.map(({ name }, set) => [`set${set}`, name])),
      values: Object.fromEntries(left.map(({ over }, set) => [`set${set}`, textSet(...over)])),
    });
  };

  return {
    begin: async (step, now) => {
      const item = await tryBegin(step);
      if (item === undefined) return true;
      return (await clean(item, now)) && (await tryBegin(step)) === undefined;
    },
    end: async (step) => {
      await items.update(key, change('DELETE', step));
    },
  };
};
