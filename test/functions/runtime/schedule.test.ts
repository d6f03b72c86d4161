import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopBefore } from '../../../functions/runtime/schedule.ts';

test('a scheduled run begins nothing new in its last 15 seconds', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  assert.equal(stopBefore({ getRemainingTimeInMillis: () => 55_000 }), 1_040_000);
});
