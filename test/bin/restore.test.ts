import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

test('npm run restore refuses a moment before the recovery of the tables, which begins with the service', async () => {
  await openCloud();
  const args = ['--to', '2026-11-16T09:30:00Z', '--rehearse', '--data', data];
  const { code, output, errors } = await runCommand('restore', args);
  assert.deepEqual([code, output], [1, '']);
  // DynamoDB can restore nothing within the first five minutes.
  assert.match(
    errors,
    /^(The tables cannot be restored yet: their recovery began at|--to must be from) \d{4}-/,
  );
});
