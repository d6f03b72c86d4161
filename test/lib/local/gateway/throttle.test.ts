import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThrottle } from '../../../../lib/local/gateway/gateway.ts';

const STAGE = {
  HttpMethod: '*',
  ResourcePath: '/*',
  ThrottlingRateLimit: 1,
  ThrottlingBurstLimit: 2,
} as const;
const CHAT = {
  HttpMethod: 'POST',
  ResourcePath: '/~1v1~1chat~1completions',
  ThrottlingRateLimit: 1,
  ThrottlingBurstLimit: 1,
} as const;

const passed = (take: () => boolean): number => Array.from({ length: 9 }, take).filter(Boolean).length;

test('the limit of a stage applies to each method separately', () => {
  const passes = createThrottle([STAGE, CHAT], () => 0);
  assert.equal(
    passed(() => passes({ method: 'GET', resourcePath: '/v1/videos' })),
    2,
  );
  assert.equal(
    passed(() => passes({ method: 'POST', resourcePath: '/v1/videos' })),
    2,
  );
});

test("a method's own setting takes precedence", () => {
  const passes = createThrottle([STAGE, CHAT], () => 0);
  assert.equal(
    passed(() => passes({ method: 'POST', resourcePath: '/v1/chat/completions' })),
    1,
  );
  assert.equal(
    passed(() => passes({ method: 'GET', resourcePath: '/v1/chat/completions' })),
    2,
  );
});
