import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cachedSecret, sealedText } from '../../../../functions/platform/aws/secret.ts';
import { startQuietServer } from './quiet-server.ts';

const MINUTE = 60_000;

test('a secret is read once in five minutes, so that a new one takes effect', async (context) => {
  const values = [' first\n', 'second'];
  const server = await startQuietServer((request, response) => {
    request.resume();
    response.end(JSON.stringify({ SecretString: values.shift() }));
  });
  context.after(() => server.close());
  const start = Date.now();
  context.mock.timers.enable({ apis: ['Date'], now: start });
  const secret = cachedSecret('arn:aws:secretsmanager:us-east-1:000000000000:secret:key');
  const read: string[] = [];
  for (const passed of [0, 5 * MINUTE - 1, 5 * MINUTE]) {
    context.mock.timers.setTime(start + passed);
    read.push(await secret());
  }
  assert.deepEqual(read, ['first', 'first', 'second']);
});

const sealed = sealedText(async () => 'a secret of the service');
const PLACE = ['webhook', 'acme', 'we_1'];

describe('sealed text', () => {
  for (const text of ['', 'whsec_abc=', 'ünïcode 🎬', 'x'.repeat(10_000)])
    test(`opens where it was sealed: ${text.slice(0, 12)}`, async () => {
      assert.equal(await sealed.open(await sealed.seal(text, PLACE), PLACE), text);
    });

  test('never looks the same twice, and holds nothing of the text', async () => {
    const [one, other] = [await sealed.seal('whsec_secret', PLACE), await sealed.seal('whsec_secret', PLACE)];
    assert.notEqual(one, other);
    assert.ok(!Buffer.from(one, 'base64').includes('secret'));
  });

  for (const place of [
    ['webhook', 'acme', 'we_2'],
    ['webhook', 'other', 'we_1'],
    ['webhook', 'acmewe_1', ''],
  ])
    test(`does not open in another place: ${place.join(' ')}`, async () => {
      await assert.rejects(sealed.open(await sealed.seal('text', PLACE), place));
    });

  test('does not open under another key', async () => {
    const other = sealedText(async () => 'another secret');
    await assert.rejects(other.open(await sealed.seal('text', PLACE), PLACE));
  });

  test('does not open when any byte of it was changed', async () => {
    const bytes = Buffer.from(await sealed.seal('text', PLACE), 'base64');
    for (let position = 0; position < bytes.length; position += 1) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      await assert.rejects(sealed.open(changed.toString('base64'), PLACE), `byte ${position}`);
    }
    for (let length = 0; length < bytes.length; length += 1)
      await assert.rejects(sealed.open(bytes.subarray(0, length).toString('base64'), PLACE));
  });
});
