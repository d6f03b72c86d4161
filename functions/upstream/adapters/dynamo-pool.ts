import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../platform/aws/attributes.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { dynamoTable, getMany } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
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
  const times = stored.map(item, name);
  return new Map(Object.keys(times).map((entry) => [entry, stored.time(times, entry)]));
};

/** The names of the attributes with pauses. */
export const coolDownNames = (item: Attributes): readonly string[] =>
  Object.keys(item).filter((name) => name.startsWith(COOL_DOWN_PREFIX));

type Read<T> = (item: Attributes, name: string) => T;
type Lenient<T> = { readonly state: T; readonly unreadable: readonly string[] };

/** An attribute that cannot be read counts as missing, so that a wrong one stops neither its upstream nor the others. */
const readLeniently = <T>(
  item: Attributes,
  toState: (read: <Part>(name: string, readPart: Read<Part>) => Part | undefined) => T,
): Lenient<T> => {
  const unreadable: string[] = [];
  const state = toState((name, readPart) => {
    try {
      return stored.optional(item, name, readPart);
    } catch {
      unreadable.push(name);
      return undefined;
    }
  });
  return { state, unreadable };
};

export const readUpstreamState = (item: Attributes): Lenient<UpstreamState> =>
  readLeniently(item, (read) => ({
    isDisabled: read('disabled', stored.boolean) ?? false,
    coolDowns: new Map(
      coolDownNames(item).flatMap((name) => {
        const coolDown = read(name, readCoolDown);
        return coolDown === undefined ? [] : [[name.slice(COOL_DOWN_PREFIX.length), coolDown]];
      }),
    ),
    failures: read('failures', stored.number) ?? 0,
    starts: read('starts', readTimes) ?? new Map(),
    places: read('places', readTimes) ?? new Map(),
  }));

const readLine = (item: Attributes): Lenient<LineState> =>
  readLeniently(item, (read) => ({
    until: read('until', stored.time) ?? 0,
    served: read('served', stored.number) ?? 0,
  }));

type Pool = {
  readonly upstreams: readonly Upstream[];
  readonly models: readonly string[];
  readonly logger: Pick<Logger, 'error'>;
};

/** The state of the pool in one table: a call reads all of it. */
export const dynamoPool = (client: DynamoDBClient, name: string, pool: Pool): PoolStates => {
  const { models, logger } = pool;
  const upstreams = pool.upstreams.map((upstream) => upstream.name);
  const limited = pool.upstreams.filter(isLimited).map((upstream) => upstream.name);
  const keys = [...upstreams.map(upstreamItem), ...models.map(lineItem)].map((id) => ({ id }));
  const table = dynamoTable(client, name);
  const update = (upstream: string, change: Parameters<typeof table.update>[1]): Promise<boolean> =>
    table.update({ id: upstreamItem(upstream) }, change);

  /** Removes attributes that cannot be read: a condition on one would never hold, and no entry can be added to it. */
  const repair = async (id: string, unreadable: readonly string[]): Promise<void> => {
    for (const attribute of unreadable)
      logger.error('item not readable', stored.corrupt(attribute), { table: name, key: id });
    if (unreadable.length > 0) await table.update({ id }, { remove: unreadable });
  };

  const readItem = async <T>(id: string, item: Attributes, read: (item: Attributes) => Lenient<T>) => {
    const { state, unreadable } = read(item);
    await repair(id, unreadable);
    return state;
  };

  /** DynamoDB adds entries only to a map that exists. */
  const createMaps = (upstream: string): Promise<boolean> =>
    update(upstream, {
      expression: 'SET starts = if_not_exists(starts, :none), places = if_not_exists(places, :none)',
      values: { none: {} },
    });

  return {
    read: async (): Promise<PoolState> => {
      const found = await getMany(client, name, keys, { ConsistentRead: true });
      const items = new Map(found.map((item) => [stored.text(item, 'id'), item]));
      const readAll = async <T>(
        names: readonly string[],
        toId: (name: string) => string,
        read: (item: Attributes) => Lenient<T>,
      ): Promise<ReadonlyMap<string, T>> => {
        const states = new Map<string, T>();
        for (const each of names) {
          const id = toId(each);
          const item = items.get(id);
          if (item !== undefined) states.set(each, await readItem(id, item, read));
        }
        return states;
      };
      const upstreamStates = await readAll(upstreams, upstreamItem, readUpstreamState);
      for (const upstream of limited) {
        const { starts, places } = items.get(upstreamItem(upstream)) ?? {};
        if (starts?.M === undefined || places?.M === undefined) await createMaps(upstream);
      }
      return { upstreams: upstreamStates, lines: await readAll(models, lineItem, readLine) };
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
