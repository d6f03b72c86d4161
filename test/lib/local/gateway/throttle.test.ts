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

const CASES = [
  ['GET', '/v1/videos', 2, 'the stage'],
  ['POST', '/v1/videos', 2, 'the stage, for each method separately'],
  ['POST', '/v1/chat/completions', 1, 'its own setting'],
  ['GET', '/v1/chat/completions', 2, 'the stage, although another method has its own'],
] as const;

const passes = createThrottle([STAGE, CHAT], () => 0);
for (const [method, resourcePath, count, source] of CASES)
  test(`${method} ${resourcePath} has the limit of ${source}`, () => {
    const passed = Array.from({ length: 9 }, () => passes({ method, resourcePath }));
    assert.equal(passed.filter(Boolean).length, count);
  });
