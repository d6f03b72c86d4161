import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { encode, type Values } from '../../../../functions/platform/aws/attributes.ts';
import { placeWrites } from '../../../../functions/upstream/adapters/dynamo-places.ts';
import {
  countItem,
  dynamoPool,
  lineItem,
  readCounts,
  upstreamItem,
} from '../../../../functions/upstream/adapters/dynamo-pool.ts';
import { NEW_STATE } from '../../../../functions/upstream/domain/upstream-state.ts';
import { describeUpstreams, enableUpstream } from '../../../../lib/operator/upstreams.ts';
import { configFor, sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anUpstream, STANDARD } from '../../../support/builders/upstream.ts';
import { recordingLogger, strictLogger } from '../../../support/loggers.ts';
import { NOW, type PlaceLimits, placesIn, taskStores } from '../../../support/task-stores.ts';
import { createUpstreamTables } from '../../../support/upstream-tables.ts';

const { clients, emulators } = await sharedEmulators();
const client = clients.dynamo;

const HOUR = 3_600_000;

const build = async (prefix: string, limits: PlaceLimits = {}) => {
  const stores = await taskStores(client).dynamo(prefix, limits);
  return { UPSTREAM_TABLE: `${prefix}-upstreams`, ...stores, ...placesIn(stores, limits) };
};

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

test('a place is free again after the limit was lowered by more than a write can remove', async () => {
  const limits = { submitsPerMinute: 2, videosAtOnce: 2 };
  const { UPSTREAM_TABLE, placeAt, take, state } = await build('lowered', limits);
  const old = Object.fromEntries(numbers(90).map((number) => [`old${number}`, NOW - HOUR + number]));
  const Item = encode({ id: upstreamItem('a'), starts: old, places: old });
  await client.send(new PutItemCommand({ TableName: UPSTREAM_TABLE, Item }));
  const stale = await placeAt(NOW);
  const results = await Promise.all(numbers(4).map((number) => take(number, stale)));
  assert.equal(results.filter((one) => one === true).length, 1);
  assert.deepEqual([await take(10, await placeAt(NOW)), await take(11, await placeAt(NOW))], [true, 'full']);
  const { starts, places } = await state();
  assert.deepEqual([starts.size, places.size], [90 - 25 - 25 + 2, 90 - 25 - 25 + 2]);
});
describe('the state of an upstream', () => {
  test('is new at first, and one call reads all of it', async () => {
    const { states, state } = await build('new');
    assert.deepEqual(await states.read(), { upstreams: new Map(), lines: new Map() });
    assert.deepEqual(await state(), NEW_STATE);
  });

  test('has a cool-down for a retired model', async () => {
    const { states, state } = await build('retired');
    const coolDown = { until: NOW, reason: 'retired' } as const;
    await states.coolDown('a', 'veo-3', coolDown);
    assert.deepEqual((await state()).coolDowns, new Map([['veo-3', coolDown]]));
  });

  test('is disabled by the operator', async () => {
    const { UPSTREAM_TABLE, state } = await build('disabled');
    await client.send(
      new UpdateItemCommand({
        TableName: UPSTREAM_TABLE,
        Key: encode({ id: upstreamItem('a') }),
        UpdateExpression: 'SET disabled = :yes',
        ExpressionAttributeValues: encode({ ':yes': true }),
      }),
    );
    assert.deepEqual([(await state()).isDisabled, (await state('b')).isDisabled], [true, false]);
  });

  test('keeps its entries when the maps are created a second time', async () => {
    const { UPSTREAM_TABLE, states, placeAt, take } = await build('maps', { videosAtOnce: 2 });
    await Promise.all(numbers(5).map(() => states.read()));
    assert.equal(await take(1, await placeAt(NOW)), true);
    const Key = encode({ id: upstreamItem('a') });
    const { Item } = await client.send(new GetItemCommand({ TableName: UPSTREAM_TABLE, Key }));
    assert.deepEqual(Object.keys(Item?.places?.M ?? {}), ['task_1']);
  });

  test('without a table has no places', () => assert.equal(placeWrites(''), undefined));
});

describe('an attribute that cannot be read', () => {
  const LIMITED = { videosAtOnce: 2 };
  const HUGE = { until: 9e18, reason: 'busy' };
  const pause = (until: number) => ({ until, reason: 'busy' }) as const;

  const open = async (prefix: string) => {
    const { UPSTREAM_TABLE, TASK_TABLE } = await createUpstreamTables(client, prefix);
    const upstreams = [anUpstream('a', LIMITED), anUpstream('b')];
    const { logger, errors } = recordingLogger();
    const states = dynamoPool(client, UPSTREAM_TABLE, { upstreams, models: [STANDARD], logger });
    const put = (id: string, item: Values) =>
      client.send(new PutItemCommand({ TableName: UPSTREAM_TABLE, Item: encode({ id, ...item }) }));
    const outputs = {
      UpstreamTableName: UPSTREAM_TABLE,
      TaskTableName: TASK_TABLE,
      Upstream1: JSON.stringify(upstreams[0]),
      Upstream2: JSON.stringify(upstreams[1]),
    };
    const stack = { outputs, clientConfig: configFor(emulators) };
    return { UPSTREAM_TABLE, states, errors, put, stack };
  };

  test('counts as missing, is logged once and removed, and leaves everything else as it is', async () => {
    const { UPSTREAM_TABLE, states, errors, put } = await open('unreadable');
    const readable = { 'cool_down/veo-3': pause(NOW) };
    const wrong = {
      'cool_down/*': HUGE,
      'cool_down/veo': 'soon',
      disabled: 'no',
      failures: 'five',
      places: [1],
    };
    await put(upstreamItem('a'), { ...readable, ...wrong });
    await put(upstreamItem('b'), { ...readable, failures: 2 });
    await put(lineItem(STANDARD), { until: -1, served: 7 });
    const { upstreams, lines } = await states.read();
    const coolDowns = new Map([['veo-3', pause(NOW)]]);
    assert.deepEqual(upstreams.get('a'), { ...NEW_STATE, coolDowns });
    assert.deepEqual(upstreams.get('b'), { ...NEW_STATE, coolDowns, failures: 2 });
    assert.deepEqual(lines.get(STANDARD), { until: 0, served: 7 });
    assert.deepEqual(
      errors
        .map(({ event, fields, message }) => [event, fields.table, `${fields.key} ${message}`])
        .toSorted(),
      [...Object.keys(wrong).map((name) => ['upstream/a', name]), [lineItem(STANDARD), 'until']]
        .map(([key, name]) => [
          'item not readable',
          UPSTREAM_TABLE,
          `${key} the stored item is corrupt: ${name}`,
        ])
        .toSorted(),
    );
    await states.read();
    assert.equal(errors.length, 6);
  });

  test('does not keep the circuit from closing', async () => {
    const { states, put } = await open('unreadable-probe');
    await put(upstreamItem('b'), { 'cool_down/*': HUGE, failures: 5 });
    const { upstreams } = await states.read();
    const ended = upstreams.get('b')?.coolDowns.get('*');
    assert.equal(await states.claimProbe('b', ended, pause(NOW)), true);
  });

  test('is told to the operator, and removed with every pause when the upstream is enabled', async () => {
    const { UPSTREAM_TABLE, put, stack } = await open('unreadable-operator');
    await put(upstreamItem('a'), { 'cool_down/*': HUGE, 'cool_down/veo': pause(NOW + HOUR), starts: 'none' });
    const [first = '', second = ''] = await describeUpstreams(stack, NOW);
    assert.match(first, /; not readable: cool_down\/\*, starts \(enable removes it\);/);
    assert.match(second, /; active;/);
    await enableUpstream(stack, 'a');
    const Key = encode({ id: upstreamItem('a') });
    const { Item } = await client.send(new GetItemCommand({ TableName: UPSTREAM_TABLE, Key }));
    assert.deepEqual(Object.keys(Item ?? {}), ['id']);
  });
});

test('calls are counted by day, for 35 days', async () => {
  const { UPSTREAM_TABLE } = await createUpstreamTables(client, 'call-counts');
  const states = dynamoPool(client, UPSTREAM_TABLE, {
    upstreams: [anUpstream('a')],
    models: ['video'],
    logger: strictLogger,
  });
  const none = { accepted: 0, rejected: 0, refused: 0, failed: 0 };
  await states.addCounts('a', '2026-01-01', { ...none, accepted: 2, refused: 1 });
  await states.addCounts('a', '2026-01-01', { ...none, accepted: 1, rejected: 4, failed: 5 });
  const Key = encode({ id: countItem('a', '2026-01-01') });
  const { Item = {} } = await client.send(new GetItemCommand({ TableName: UPSTREAM_TABLE, Key }));
  assert.deepEqual(readCounts(Item), { accepted: 3, rejected: 4, refused: 1, failed: 5 });
  assert.equal(Item.expires?.N, String(Date.UTC(2026, 1, 5) / 1000));
  assert.deepEqual(readCounts({}), none);
});
