import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upstreamLimits } from '../../../lib/sample-generator/refusals.ts';

test('a model accepts its submits per minute, and says when the oldest one no longer counts', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const { admit } = upstreamLimits({ submitsPerMinute: 2 });
  admit('veo');
  context.mock.timers.tick(20_000);
  admit('veo');
  admit('another');
  assert.throws(() => admit('veo'), { code: 429, facts: { quota: 'minute', retryAfterSeconds: 40 } });
  context.mock.timers.tick(40_000);
  admit('veo');
  assert.throws(() => admit('veo'), { code: 429 });
});
