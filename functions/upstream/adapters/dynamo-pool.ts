import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../platform/aws/attributes.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { dynamoTable, getMany } from '../../platform/aws/table.ts';
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
  const coolDown = stored.map(item, name);
  const reason = stored.oneOf(coolDown, 'reason', COOL_DOWN_REASONS);
  return { until: stored.time(coolDown, 'until'), reason };
};

/** The counts of a day have an item of their own, because the state is read often. */
export const countItem = (upstream: string, day: string): string => `count/${upstream}/${day}`;
const COUNT_LIFETIME_SECONDS = 35 * 24 * 60 * 60;

export const readCounts = (item: Attributes): CallCounts => {
  const read = (result: string) => stored.optional(item, result, stored.number) ?? 0;
  return {
    accepted: read('accepted'),
    rejected: read('rejected'),
    refused: read('refused'),
    failed: read('failed'),
  };
};

const readTimes = (item: Attributes, name: string): ReadonlyMap<string, number> => {
  const times = stored.optional(item, name, stored.map) ?? {};
  return new Map(Object.keys(times).map((entry) => [entry, stored.time(times, entry)]));
};

export const readUpstreamState = (item: Attributes): UpstreamState => ({
  isDisabled: stored.optional(item, 'disabled', stored.boolean) ?? false,
  coolDowns: new Map(
    Object.keys(item)
      .filter((name) => name.startsWith(COOL_DOWN_PREFIX))
      .map((name) => [name.slice(COOL_DOWN_PREFIX.length), readCoolDown(item, name)]),
  ),
  failures: stored.optional(item, 'failures', stored.number) ?? 0,
  starts: readTimes(item, 'starts'),
  places: readTimes(item, 'places'),
});

const readLine = (item: Attributes): LineState => ({
  until: stored.optional(item, 'until', stored.time) ?? 0,
  served: stored.optional(item, 'served', stored.number) ?? 0,
});

type Pool = { readonly upstreams: readonly Upstream[]; readonly models: readonly string[] };

/** The state of the pool in one table: a call reads all of it. */
export const dynamoPool = (client: DynamoDBClient, name: string, pool: Pool): PoolStates => {
  const { models } = pool;
  const upstreams = pool.upstreams.map((upstream) => upstream.name);
  const limited = pool.upstreams.filter(isLimited).map((upstream) => upstream.name);
  const keys = [...upstreams.map(upstreamItem), ...models.map(lineItem)].map((id) => ({ id }));
  const table = dynamoTable(client, name);
  const update = (upstream: string, change: Parameters<typeof table.update>[1]): Promise<boolean> =>
    table.update({ id: upstreamItem(upstream) }, change);

  return {
    read: async (): Promise<PoolState> => {
      const found = await getMany(client, name, keys, { ConsistentRead: true });
      const items = new Map(found.map((item) => [stored.text(item, 'id'), item]));
      // DynamoDB adds entries only to a map that exists.
      for (const upstream of limited)
        if (items.get(upstreamItem(upstream))?.places === undefined)
          await update(upstream, {
            expression: 'SET starts = if_not_exists(starts, :none), places = if_not_exists(places, :none)',
            values: { none: {} },
          });
      const readAll = <T>(
        names: readonly string[],
        id: (name: string) => string,
        read: (item: Attributes) => T,
      ) =>
        new Map(
          names.flatMap((each) => {
            const item = items.get(id(each));
            return item === undefined ? [] : [[each, read(item)] as const];
          }),
        );
      return {
        upstreams: readAll(upstreams, upstreamItem, readUpstreamState),
        lines: readAll(models, lineItem, readLine),
      };
    },

    coolDown: async (upstream, model, coolDown) => {
      await update(upstream, { set: { [coolDownName(model)]: coolDown } });
    },

    addFailure: async (upstream) => {
      const changed = await table.change({ id: upstreamItem(upstream) }, { add: { failures: 1 } });
      return stored.number(changed ?? {}, 'failures');
    },

    clearFailures: async (upstream) => {
      await update(upstream, { remove: ['failures', coolDownName(ALL_MODELS)] });
    },

    claimProbe: (upstream, ended, next) => {
      const coolDown = coolDownName(ALL_MODELS);
      return update(upstream, {
        set: { [coolDown]: next },
        when: ended === undefined ? 'attribute_not_exists(#cool_down)' : '#cool_down.#until = :ended',
        names: { cool_down: coolDown },
        values: { ended: ended?.until },
      });
    },

    addCounts: async (upstream, day, counts) => {
      const results = CALL_RESULTS.filter((result) => counts[result] > 0);
      await table.update(
        { id: countItem(upstream, day) },
        {
          set: { expires: Math.floor(Date.parse(day) / 1000) + COUNT_LIFETIME_SECONDS },
          add: Object.fromEntries(results.map((result) => [result, counts[result]])),
        },
      );
    },
  };
};
