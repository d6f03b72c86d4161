import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bearer, CHAT, chatBody, NATIVE, nativeBody, post, vendor } from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();

describe('a failure', () => {
  const PROMPTS = [
    ['blocked', 400, 'content_blocked', 'INVALID_ARGUMENT', /PROHIBITED_CONTENT/],
    ['text only', 400, 'content_blocked', 'INVALID_ARGUMENT', /without an image/],
    ['error 400', 400, 'upstream_rejected', 'INVALID_ARGUMENT', /invalid argument/],
    ['error 429 retry 3s always', 429, 'rate_limited', 'RESOURCE_EXHAUSTED', /try again later/],
    ['error 503 always', 503, 'upstream_unavailable', 'UNAVAILABLE', /try again later/],
  ] as const;
  for (const [wish, status, code, nativeStatus, message] of PROMPTS)
    test(`of the upstream (${wish}) is told in both dialects`, async () => {
      const chat = await post(service, CHAT, bearer(service.apiKey), chatBody(`A fox [sample: ${wish}]`));
      assert.deepEqual([chat.status, chat.body.error.code], [status, code]);
      assert.match(chat.body.error.message, message);
      assert.deepEqual(Object.keys(chat.body.error), ['message', 'type', 'param', 'code']);
      const native = await post(
        service,
        NATIVE,
        vendor(service.apiKey),
        nativeBody(`A fox [sample: ${wish}]`),
      );
      assert.deepEqual(
        [native.status, native.body.error.code, native.body.error.status],
        [status, status, nativeStatus],
      );
      assert.match(native.body.error.message, message);
      for (const { headers } of [chat, native]) {
        assert.ok(headers.get('x-request-id'));
        assert.equal(headers.has('retry-after'), status === 429 || status === 503);
        if (status === 429) assert.equal(headers.get('retry-after'), '3');
      }
    });

  test('that heals at once is not told at all', async () => {
    const prompt = 'A fox [sample: error 503]';
    assert.equal((await post(service, NATIVE, vendor(service.apiKey), nativeBody(prompt))).status, 200);
  });
});
