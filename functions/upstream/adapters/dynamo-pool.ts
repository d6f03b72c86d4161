import {
  BatchGetItemCommand,
  type DynamoDBClient,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { conditionHeld } from '../../platform/aws/aws-clients.ts';
import { retryOnConflict } from '../../platform/aws/contention.ts';
import {
  type Attributes,
  boolean,
  encode,
  map,
  number,
  oneOf,
  optional,
  text,
  time,
} from '../../platform/aws/dynamo.ts';
import {
  CALL_RESULTS,
  type CallCounts,
  type LineState,
  type Place,
  type PoolState,
  type PoolStates,
} from '../domain/pool.ts';
import {
  ALL_MODELS,
  COOL_DOWN_REASONS,
  type CoolDown,
  isLimited,
  type Upstream,
  type UpstreamState,
} from '../domain/upstreams.ts';

/** One item for each upstream and one for each line. */
export const upstreamItem = (name: string): string => `upstream/${name}`;
export const lineItem = (model: string): string => `line/${model}`;

const COOL_DOWN_PREFIX = 'cool_down/';

const readCoolDown = (item: Attributes, name: string): CoolDown => {
  const coolDown = map(item, name);
  return { until: time(coolDown, 'until'), reason: oneOf(coolDown, 'reason', COOL_DOWN_REASONS) };
};

/** The counts of a day have an item of their own, because the state is read often. */
export const countItem = (upstream: string, day: string): string => `count/${upstream}/${day}`;
const COUNT_LIFETIME_SECONDS = 35 * 24 * 60 * 60;

export const readCounts = (item: Attributes): CallCounts => {
  const read = (result: string) => optional(item, result, number) ?? 0;
  return {
    accepted: read('accepted'),
    rejected: read('rejected'),
    refused: read('refused'),
    failed: read('failed'),
  };
};

const readTimes = (item: Attributes, name: string): ReadonlyMap<string, number> => {
  const times = optional(item, name, map) ?? {};
  return new Map(Object.keys(times).map((entry) => [entry, time(times, entry)]));
};

export const readUpstreamState = (item: Attributes): UpstreamState => ({
  isDisabled: optional(item, 'disabled', boolean) ?? false,
  coolDowns: new Map(
    Object.keys(item)
      .filter((name) => name.startsWith(COOL_DOWN_PREFIX))
      .map((name) => [name.slice(COOL_DOWN_PREFIX.length), readCoolDown(item, name)]),
  ),
  failures: optional(item, 'failures', number) ?? 0,
  starts: readTimes(item, 'starts'),
  places: readTimes(item, 'places'),
});

const readLine = (item: Attributes): LineState => ({
  until: optional(item, 'until', time) ?? 0,
  served: optional(item, 'served', number) ?? 0,
});

type Pool = { readonly upstreams: readonly Upstream[]; readonly models: readonly string[] };

/** The state of the pool in one table: a call reads all of it. */
export const dynamoPool = (client: DynamoDBClient, table: string, pool: Pool): PoolStates => {
  const { models } = pool;
  const upstreams = pool.upstreams.map(({ name }) => name);
  const limited = pool.upstreams.filter(isLimited).map(({ name }) => name);
  const keys = [...upstreams.map(upstreamItem), ...models.map(lineItem)].map((id) => encode({ id }));

  const update = (
    upstream: string,
    expression: string,
    { names, values }: { readonly names?: Record<string, string>; readonly values?: Attributes },
    condition?: string,
  ) =>
    new UpdateItemCommand({
      TableName: table,
      Key: encode({ id: upstreamItem(upstream) }),
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValues: 'UPDATED_NEW',
    });

  const createMaps = (upstream: string) =>
    send(
      update(upstream, 'SET starts = if_not_exists(starts, :none), places = if_not_exists(places, :none)', {
        values: encode({ ':none': {} }),
      }),
    );

  const send = (command: UpdateItemCommand) => retryOnConflict(() => client.send(command));

  return {
    read: async (): Promise<PoolState> => {
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
      );
      if (Object.keys(UnprocessedKeys).length > 0) throw new Error('the state of the upstreams was not read');
      const items = new Map((Responses[table] ?? []).map((item) => [text(item, 'id'), item]));
      // DynamoDB adds entries only to a map that exists.
      for (const name of limited)
        if (items.get(upstreamItem(name))?.places === undefined) await createMaps(name);
      const found = <T>(
        names: readonly string[],
        id: (name: string) => string,
        read: (item: Attributes) => T,
      ) =>
        new Map(
          names.flatMap((name) => {
            const item = items.get(id(name));
            return item === undefined ? [] : [[name, read(item)] as const];
          }),
        );
      return {
        upstreams: found(upstreams, upstreamItem, readUpstreamState),
        lines: found(models, lineItem, readLine),
      };
    },

    coolDown: async (upstream, model, coolDown) => {
      await send(
        update(upstream, 'SET #cool_down = :cool_down', {
          names: { '#cool_down': `${COOL_DOWN_PREFIX}${model}` },
          values: encode({ ':cool_down': coolDown }),
        }),
      );
    },

    addFailure: async (upstream) => {
      const { Attributes: changed = {} } = await send(
        update(upstream, 'ADD failures :one', { values: encode({ ':one': 1 }) }),
      );
      return number(changed, 'failures');
    },

    clearFailures: async (upstream) => {
      await send(
        update(upstream, 'REMOVE failures, #cool_down', {
          names: { '#cool_down': `${COOL_DOWN_PREFIX}${ALL_MODELS}` },
        }),
      );
    },

    claimProbe: (upstream, ended, next) => {
      const names = { '#cool_down': `${COOL_DOWN_PREFIX}${ALL_MODELS}` };
      const values = encode({ ':next': next, ':ended': ended });
      const condition = ended === undefined ? 'attribute_not_exists(#cool_down)' : '#cool_down = :ended';
      return conditionHeld(send(update(upstream, 'SET #cool_down = :next', { names, values }, condition)));
    },

    addCounts: async (upstream, day, counts) => {
      const results = CALL_RESULTS.filter((result) => counts[result] > 0);
      const added = results.map((result) => `${result} :${result}`).join(', ');
      const values = Object.fromEntries(results.map((result) => [`:${result}`, counts[result]]));
      const expires = Math.floor(Date.parse(day) / 1000) + COUNT_LIFETIME_SECONDS;
      await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: encode({ id: countItem(upstream, day) }),
          UpdateExpression: `SET expires = :expires ADD ${added}`,
          ExpressionAttributeValues: encode({ ...values, ':expires': expires }),
        }),
      );
    },
  };
};

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
