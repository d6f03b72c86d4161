import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { chargeFile, chargePage, readChargeQuery } from '../../../../functions/accounts/api/charge-object.ts';

const CHARGE = {
  kind: 'image',
  id: 'ch_1',
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
  const names = new Map([['key_0123456789abcdef', 'Render farm, "north"']]);
  const [header = '', ...lines] = (await Array.fromAsync(chargeFile(charges, names))).join('').split('\r\n');
  assert.deepEqual(header.split(',').slice(5, 7), ['api_key_name', 'user_id']);
  assert.deepEqual(
    lines.map((line) => line.slice(line.indexOf(',,') + 2, line.indexOf(',main,'))),
    [
      `key_0123456789abcdef,"Render farm, ""north""",${CHARGE.personId}`,
      `key_fedcba9876543210,,${CHARGE.personId}`,
      `sess_${'0'.repeat(32)},Console,${CHARGE.personId}`,
      '',
    ],
  );
});

test("neither a page nor a file of charges has the upstream's cost", async () => {
  const charge = { ...CHARGE, keyId: 'key_1', upstreamCost: { amount: '0.0456', currency: 'USD' } };
  const file = await Array.fromAsync(chargeFile(Readable.from([charge]), new Map()));
  assert.doesNotMatch(`${file.join('')}${JSON.stringify(chargePage([charge], false))}`, /cost|0\.0456/i);
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
