import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { updateWrite } from '../../platform/aws/table-writes.ts';
import type { ReturnedPlace, TakenPlace } from '../domain/pool.ts';
import { upstreamItem } from './dynamo-pool.ts';

/** Expressions are limited in length. All workers remove the oldest first, so if these are there, so are the others. */
const MOST_REMOVED = 25;

/** The part of a transaction that takes a place; its condition fails if the place is no longer free. */
const takePlace = (table: string, taken: TakenPlace): TransactWriteItem => {
  const { upstream, taskId, start, until, submitsPerMinute, videosAtOnce, pastStarts, pastPlaces } = taken;
  const otherPlaces = pastPlaces.filter((name) => name !== taskId);
  const past = [
    ...pastStarts.slice(0, MOST_REMOVED).map((name, index) => ['starts', `start${index}`, name] as const),
    ...otherPlaces.slice(0, MOST_REMOVED).map((name, index) => ['places', `place${index}`, name] as const),
  ];
  const paths = past.map(([map, place]) => `${map}.#${place}`);
  const starts = submitsPerMinute !== undefined && {
    set: 'starts.#start = :start',
    when: 'size(starts) < :starts',
    values: { start: start.time, starts: submitsPerMinute + pastStarts.length },
  };
  const places = videosAtOnce !== undefined && {
    set: 'places.#task = :until',
    when: '(attribute_exists(places.#task) OR size(places) < :places)',
    values: { until, places: videosAtOnce + otherPlaces.length },
  };
  const limits = [starts, places].filter((limit) => limit !== false);
  const removed = paths.length === 0 ? '' : ` REMOVE ${paths.join(', ')}`;
  return updateWrite(
    table,
    { id: upstreamItem(upstream) },
    {
      expression: `SET ${limits.map(({ set }) => set).join(', ')}${removed}`,
      when: [...paths.map((path) => `attribute_exists(${path})`), ...limits.map(({ when }) => when)].join(
        ' AND ',
      ),
      names: {
        start: start.name,
        task: taskId,
        ...Object.fromEntries(past.map(([, place, name]) => [place, name])),
      },
      values: Object.fromEntries(limits.flatMap(({ values }) => Object.entries(values))),
    },
  );
};

/** A place that has expired or was never taken is returned without effect. */
const returnPlace = (table: string, upstream: string, taskId: string): TransactWriteItem =>
  updateWrite(
    table,
    { id: upstreamItem(upstream) },
    { expression: 'REMOVE places.#task', names: { task: taskId } },
  );

/** The parts of a transaction that change the places of a task; undefined if the service has no limits. */
export const placeWrites = (table: string) =>
  table === ''
    ? undefined
    : {
        take: (place: TakenPlace) => takePlace(table, place),
        giveBack: ({ upstream, taskId }: ReturnedPlace) => returnPlace(table, upstream, taskId),
      };
