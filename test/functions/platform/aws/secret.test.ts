import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedSecret } from '../../../../functions/platform/aws/secret.ts';
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
