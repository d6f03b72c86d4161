import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import type { Place } from '../domain/pool.ts';
import { upstreamItem } from './dynamo-pool.ts';

type Taken = Place & {
  readonly taskId: string;
  readonly start: { readonly name: string; readonly time: number };
  readonly until: number;
};

/**
 * The length of an expression is limited, so only the oldest entries are removed. All workers remove them in the same
 * order: if the oldest are still there, so are the other past entries, which do not count either.
 */
const MOST_REMOVED = 25;

/** The part of a transaction that takes a place; its condition fails if the place is no longer free. */
const takePlace = (table: string, taken: Taken): TransactWriteItem => {
  const { upstream, taskId, start, until, submitsPerMinute, videosAtOnce, pastStarts, pastPlaces } = taken;
  const otherPlaces = pastPlaces.filter((name) => name !== taskId);
  const startNames = pastStarts
    .slice(0, MOST_REMOVED)
    .map((name, index) => [`#start${index}`, name] as const);
  const placeNames = otherPlaces
    .slice(0, MOST_REMOVED)
    .map((name, index) => [`#place${index}`, name] as const);
  const added = [
    ...(submitsPerMinute === undefined ? [] : ['starts.#start = :start']),
    ...(videosAtOnce === undefined ? [] : ['places.#task = :until']),
  ];
  const conditions = [
    ...startNames.map(([name]) => `attribute_exists(starts.${name})`),
    ...placeNames.map(([name]) => `attribute_exists(places.${name})`),
    ...(submitsPerMinute === undefined ? [] : ['size(starts) < :starts']),
    ...(videosAtOnce === undefined ? [] : ['(attribute_exists(places.#task) OR size(places) < :places)']),
  ];
  const removed = [
    ...startNames.map(([name]) => `starts.${name}`),
    ...placeNames.map(([name]) => `places.${name}`),
  ];
  return {
    Update: {
      TableName: table,
      Key: encode({ id: upstreamItem(upstream) }),
      UpdateExpression: `SET ${added.join(', ')}${removed.length === 0 ? '' : ` REMOVE ${removed.join(', ')}`}`,
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: {
        ...(submitsPerMinute === undefined ? {} : { '#start': start.name }),
        ...(videosAtOnce === undefined ? {} : { '#task': taskId }),
        ...Object.fromEntries([...startNames, ...placeNames]),
      },
      ExpressionAttributeValues: encode({
        ...(submitsPerMinute === undefined
          ? {}
          : { ':start': start.time, ':starts': submitsPerMinute + pastStarts.length }),
        ...(videosAtOnce === undefined
          ? {}
          : { ':until': until, ':places': videosAtOnce + otherPlaces.length }),
      }),
    },
  };
};

/** A place that has expired or was never taken is returned without effect. */
const returnPlace = (table: string, upstream: string, taskId: string): TransactWriteItem => ({
  Update: {
    TableName: table,
    Key: encode({ id: upstreamItem(upstream) }),
    UpdateExpression: 'REMOVE places.#task',
    ExpressionAttributeNames: { '#task': taskId },
  },
});

type Returned = { readonly upstream: string; readonly taskId: string };

/** The parts of a transaction that change the places of a task; undefined if the service has no limits. */
export const placeWrites = (table: string) =>
  table === ''
    ? undefined
    : {
        take: (place: Taken) => takePlace(table, place),
        giveBack: ({ upstream, taskId }: Returned) => returnPlace(table, upstream, taskId),
      };
