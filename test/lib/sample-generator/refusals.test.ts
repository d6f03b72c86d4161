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
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '40s' };
  assert.throws(
    () => admit('veo'),
    (error: { code?: number; details?: readonly object[] }) => {
      assert.deepEqual([error.code, error.details?.[1]], [429, retryInfo]);
      return true;
    },
  );
  context.mock.timers.tick(40_000);
  admit('veo');
  assert.throws(() => admit('veo'), { code: 429 });
});
