import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import {
  chargeFile,
  chargePage,
  readChargeFileQuery,
  readChargeQuery,
  wantsCsv,
} from '../../../../functions/billing/api/charge-object.ts';
import {
  bucketPage,
  costResult,
  imageUsageResult,
  videoUsageResult,
} from '../../../../functions/billing/api/usage-object.ts';
import type { UsageSum } from '../../../../functions/billing/domain/usage.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const CHARGE = {
  kind: 'image',
  id: 'ch_1',
  fileId: 'file_1',
  upstream: 'main',
  account: 'acme',
  model: 'image-3.1-flash-image-preview',
  size: '1K',
  images: 1,
  unitPrice: '0.07',
  amount: '0.07',
  currency: 'USD',
  time: Date.UTC(2026, 10, 5),
  personId: 'user_0123456789abcdef0123456789abcdef',
} as const;

test('a file of charges names their keys, sessions of the console, and people', async () => {
  const keyIds = ['key_0123456789abcdef', 'key_fedcba9876543210', `sess_${'0'.repeat(32)}`];
  const charges = (async function* () {
    for (const keyId of keyIds) yield { ...CHARGE, keyId };
  })();
  const names = new Map([
    ['key_0123456789abcdef', 'Render farm, "north"'],
    [CHARGE.personId, '=Ada'],
  ]);
  const [header = '', ...lines] = (await Array.fromAsync(chargeFile(charges, names))).join('').split('\r\n');
  const columns = 'time,id,kind,task_id,file_id,api_key_id,api_key_name,user_id,user_name,upstream,model';
  assert.equal(header, `${columns},size,quantity,quantity_unit,unit_price,amount,currency`);
  const rest = `main,${CHARGE.model},1K,1,images,0.07,0.07,USD`;
  const line = (key: string): string =>
    `2026-11-05T00:00:00.000Z,ch_1,image,,file_1,${key},${CHARGE.personId},'=Ada,${rest}`;
  const keys = ['key_0123456789abcdef,"Render farm, ""north"""', 'key_fedcba9876543210,'];
  assert.deepEqual(lines, [...[...keys, `sess_${'0'.repeat(32)},Console`].map(line), '']);
});

test('a file of charges is sent in chunks of about 64 KB', async () => {
  const many = Array.from({ length: 1000 }, () => ({ ...CHARGE, keyId: 'key_1' }));
  const chunks = await Array.fromAsync(chargeFile(Readable.from(many), new Map()));
  assert.equal(chunks.join('').split('\r\n').length, 1002);
  const whole = chunks.slice(0, -1);
  assert.ok(whole.length > 0 && whole.every(({ length }) => length >= 65_536 && length < 66_000));
});

test('a file of charges says that a person was removed, and nothing where there was none', async () => {
  const [, removed = '', none = ''] = (
    await Array.fromAsync(chargeFile(Readable.from([CHARGE, { ...CHARGE, personId: undefined }]), new Map()))
  )
    .join('')
    .split('\r\n');
  assert.match(removed, /,user_0123456789abcdef0123456789abcdef,Removed person,/);
  assert.match(none, /,,,main,/);
});

test("neither a page nor a file of charges has the upstream's cost", async () => {
  const charge = { ...CHARGE, keyId: 'key_1', upstreamCost: { amount: '0.0456', currency: 'USD' } };
  const file = await Array.fromAsync(chargeFile(Readable.from([charge]), new Map()));
  assert.doesNotMatch(
    `${file.join('')}${JSON.stringify(chargePage({ items: [charge], hasMore: false }))}`,
    /cost|0\.0456/i,
  );
});

test('a page of charges continues only within the times of the previous page', () => {
  const read = (page: string) => {
    const query = new Map([
      ['start_time', '100'],
      ['end_time', '200'],
      ['page', Buffer.from(page).toString('base64url')],
    ]);
    return readChargeQuery((name) => query.get(name)).after;
  };
  for (const time of [100_000, 199_999]) assert.deepEqual(read(`${time}.ch_1`), { id: 'ch_1', time });
  for (const page of ['99999.ch_1', '200000.ch_1', '100000.', 'ch_1', 'x100000.ch_1', '100000.ch 1'])
    assert.throws(() => read(page), { code: 'invalid_request', param: 'page' }, page);
});

test('charges are read for a range of times, newest first', () => {
  const read = (text: string) => readChargeQuery(toQuery(text).query);
  const all = { from: 0, to: 100_000_000_000_000, newestFirst: true };
  assert.deepEqual(read(''), { ...all, limit: 20, after: undefined });
  const some = { from: 5_000, to: 6_000, newestFirst: false, limit: 3, after: undefined };
  assert.deepEqual(read('start_time=5&end_time=6&order=asc&limit=3'), some);
  const file = readChargeFileQuery(toQuery('start_time=5').query);
  assert.deepEqual(file, { ...all, from: 5_000, after: undefined });
  refusesField(() => read('start_time=5&end_time=5'), 'end_time', /after start_time/);
  refusesField(() => read('order=up'), 'order');
  for (const name of ['limit', 'page'])
    refusesField(() => readChargeFileQuery(toQuery(`${name}=1`).query), name, /text\/csv/);
});

test('a page of charges has their objects and the position of the next page', () => {
  const image = { ...CHARGE, keyId: 'key_1' };
  const video = {
    ...CHARGE,
    kind: 'video',
    id: 'ch_2',
    keyId: 'key_1',
    personId: undefined,
    taskId: 'task_1',
    upstreamModel: 'veo-3.1',
    upstreamCost: undefined,
    model: 'video-3.1-generate-preview',
    resolution: '720p',
    seconds: 8,
    unitPrice: null,
    amount: null,
    currency: null,
  } as const;
  const shown = {
    id: 'ch_1',
    object: 'organization.charge',
    kind: 'image',
    created_at: CHARGE.time / 1000,
    project_id: 'acme',
    api_key_id: 'key_1',
    user_id: CHARGE.personId,
    task_id: null,
    file_id: 'file_1',
    upstream: 'main',
    model: 'image-3.1-flash-image-preview',
    size: '1K',
    quantity: 1,
    quantity_unit: 'images',
    unit_price: '0.07',
    amount: { value: 0.07, decimal: '0.07', currency: 'usd' },
  };
  const { data, ...page } = chargePage({ items: [video, image], hasMore: true });
  assert.deepEqual(data, [
    {
      ...shown,
      id: 'ch_2',
      kind: 'video',
      user_id: null,
      task_id: 'task_1',
      file_id: null,
      model: 'video-3.1-generate-preview',
      upstream_model: 'veo-3.1',
      size: '720p',
      quantity: 8,
      quantity_unit: 'duration_seconds',
      unit_price: null,
      amount: null,
    },
    shown,
  ]);
  const next = Buffer.from(`${CHARGE.time}.ch_1`).toString('base64url');
  assert.deepEqual(page, { object: 'page', has_more: true, next_page: next });
  assert.equal(chargePage({ items: [image], hasMore: false }).next_page, null);
  assert.equal(chargePage({ items: [], hasMore: true }).next_page, null);
});

test('a file is sent only if the client accepts CSV and does not prefer JSON', () => {
  for (const [accept, isCsv] of [
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['text/csv', true],
    ['TEXT/CSV; q=0.5', true],
    ['text/csv;q=0', false],
    ['text/csv, application/json', true],
    ['application/json;q=0.9, text/csv;header=present;q=0.8', false],
    ['application/json; q=0.7, text/csv; q=0.8', true],
  ] as const)
    assert.equal(wantsCsv(accept), isCsv, accept);
});

test('a page of costs or usage has the fields by which it is grouped', () => {
  const sum: UsageSum = {
    account: 'acme',
    keyId: 'key_1',
    personId: 'user_1',
    model: 'a model',
    size: '720p',
    kind: 'video',
    quantity: 12,
    requests: 2,
    amount: '4.80',
    currency: 'USD',
    costs: [],
    costRequests: 0,
  };
  const owner = { project_id: 'acme', api_key_id: 'key_1', user_id: 'user_1' };
  const amount = { value: 4.8, decimal: '4.80', currency: 'usd' };
  const object = 'organization.costs.result';
  const UNKNOWN = { line_item: null, quantity: null, quantity_unit: null };
  for (const [change, expected] of [
    [{}, { line_item: 'a model', quantity: 12, quantity_unit: 'duration_seconds' }],
    [{ kind: 'image' }, { line_item: 'a model', quantity: 12, quantity_unit: 'images' }],
    [{ kind: null }, { line_item: 'a model', quantity: 12, quantity_unit: null }],
    [{ model: null }, UNKNOWN],
    [
      { model: null, amount: null, currency: null },
      { ...UNKNOWN, amount: { value: 0, decimal: '0', currency: '' } },
    ],
  ] as const)
    assert.deepEqual(costResult({ ...sum, ...change }), { object, amount, ...owner, ...expected });
  const usage = { num_model_requests: 2, ...owner, model: 'a model', size: '720p' };
  assert.deepEqual(videoUsageResult(sum), {
    object: 'organization.usage.videos.result',
    seconds: 12,
    ...usage,
  });
  assert.deepEqual(imageUsageResult(sum), {
    object: 'organization.usage.images.result',
    images: 12,
    ...usage,
  });
  const days = [{ day: '1970-01-02', sums: [sum] }];
  const page = {
    object: 'page',
    data: [{ object: 'bucket', start_time: 86_400, end_time: 172_800, results: [12] }],
  };
  const quantity = ({ quantity }: UsageSum) => quantity;
  const last = { ...page, has_more: false, next_page: null };
  assert.deepEqual(bucketPage({ days, next: undefined }, quantity), last);
  const more = { ...page, has_more: true, next_page: 'page_1970-01-03' };
  assert.deepEqual(bucketPage({ days, next: '1970-01-03' }, quantity), more);
});
