import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cachedSecret, sealedText } from '../../../../functions/platform/aws/secret.ts';
import { startQuietServer } from './quiet-server.ts';

const MINUTE = 60_000;

test('a secret is cached for five minutes', async (context) => {
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
const CONTEXT = ['webhook', 'acme', 'we_1'];

describe('sealed text', () => {
  for (const text of ['', 'whsec_abc=', 'ünïcode 🎬', 'x'.repeat(10_000)])
    test(`can be opened in its own context: ${text.slice(0, 12)}`, async () => {
      assert.equal(await sealed.open(await sealed.seal(text, CONTEXT), CONTEXT), text);
    });

  test('that an earlier version has stored can be opened', async () => {
    const stored = 'AVBVIWINCyiy7gNs0pDyiUW4+q03HUQ4nVnpmL6BZIksz3Co9p1i';
    assert.equal(await sealed.open(stored, CONTEXT), 'whsec_abc=');
    await assert.rejects(sealed.open(`Ag${stored.slice(2)}`, CONTEXT), /unknown version 2/);
  });

  test('differs each time, and does not contain the plain text', async () => {
    const [one, other] = [
      await sealed.seal('whsec_secret', CONTEXT),
      await sealed.seal('whsec_secret', CONTEXT),
    ];
    assert.notEqual(one, other);
    assert.ok(!Buffer.from(one, 'base64').includes('secret'));
  });

  for (const context of [
    ['webhook', 'acme', 'we_2'],
    ['webhook', 'other', 'we_1'],
    ['webhook', 'acmewe_1', ''],
  ])
    test(`cannot be opened in another context: ${context.join(' ')}`, async () => {
      await assert.rejects(sealed.open(await sealed.seal('text', CONTEXT), context));
    });

  test('cannot be opened with another key', async () => {
    const other = sealedText(async () => 'another secret');
    await assert.rejects(other.open(await sealed.seal('text', CONTEXT), CONTEXT));
  });

  test('cannot be opened if any byte is changed or missing', async () => {
    const bytes = Buffer.from(await sealed.seal('text', CONTEXT), 'base64');
    for (let position = 0; position < bytes.length; position += 1) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      await assert.rejects(sealed.open(changed.toString('base64'), CONTEXT), `byte ${position}`);
    }
    for (let length = 0; length < bytes.length; length += 1)
      await assert.rejects(sealed.open(bytes.subarray(0, length).toString('base64'), CONTEXT));
  });
});
