import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { chargeFile, chargePage } from '../../../../functions/accounts/api/charge-object.ts';

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
