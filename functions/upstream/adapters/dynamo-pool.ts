import { BatchGetItemCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
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
} from '../../platform/aws/attributes.ts';
import { conditionHeld, retryOnConflict } from '../../platform/aws/contention.ts';
import {
  CALL_RESULTS,
  type CallCounts,
  type LineState,
  type PoolState,
  type PoolStates,
} from '../domain/pool.ts';
import {
  ALL_MODELS,
  COOL_DOWN_REASONS,
  type CoolDown,
  type UpstreamState,
} from '../domain/upstream-state.ts';
import { isLimited, type Upstream } from '../domain/upstreams.ts';

/** One item for each upstream and one for each line. */
export const upstreamItem = (name: string): string => `upstream/${name}`;
export const lineItem = (model: string): string => `line/${model}`;

const COOL_DOWN_PREFIX = 'cool_down/';
export const coolDownName = (model: string): string => `${COOL_DOWN_PREFIX}${model}`;

const readCoolDown = (item: Attributes, name: string): CoolDown => {
  const coolDown = map(item, name);
  const isRetired = optional(coolDown, 'retired', boolean) === true;
  const reason = isRetired ? 'retired' : oneOf(coolDown, 'reason', COOL_DOWN_REASONS);
  return { until: time(coolDown, 'until'), reason };
};

/** Functions of the previous release, which run during a deployment, cannot read another reason than theirs. */
const writeCoolDown = ({ until, reason }: CoolDown) =>
  reason === 'retired' ? { until, reason: 'refused', retired: true } : { until, reason };

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
          names: { '#cool_down': coolDownName(model) },
          values: encode({ ':cool_down': writeCoolDown(coolDown) }),
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
          names: { '#cool_down': coolDownName(ALL_MODELS) },
        }),
      );
    },

    claimProbe: (upstream, ended, next) => {
      const names = {
        '#cool_down': coolDownName(ALL_MODELS),
        ...(ended && { '#until': 'until' }),
      };
      const values = encode({ ':next': next, ':ended': ended?.until });
      const condition =
        ended === undefined ? 'attribute_not_exists(#cool_down)' : '#cool_down.#until = :ended';
      const claim = update(upstream, 'SET #cool_down = :next', { names, values }, condition);
      return conditionHeld(() => client.send(claim));
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
