import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { bearer, CHAT, chatBody, NATIVE, nativeBody, post, vendor } from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();

describe('a failure', () => {
  const PROMPTS = [
    ['blocked', 400, 'content_blocked', 'INVALID_ARGUMENT', /PROHIBITED_CONTENT/],
    ['blocked NO_IMAGE', 400, 'content_blocked', 'INVALID_ARGUMENT', /NO_IMAGE/],
    ['text only', 400, 'content_blocked', 'INVALID_ARGUMENT', /without an image/],
    ['error 400', 400, 'upstream_rejected', 'INVALID_ARGUMENT', /invalid argument/],
    ['error 403', 503, 'upstream_unavailable', 'UNAVAILABLE', /not available/],
    ['error 429 retry 3s always', 429, 'rate_limited', 'RESOURCE_EXHAUSTED', /try again later/],
    ['error 429 per-day', 429, 'rate_limited', 'RESOURCE_EXHAUSTED', /tomorrow/],
    ['error 503 always', 503, 'upstream_unavailable', 'UNAVAILABLE', /try again later/],
    ['reset always', 503, 'upstream_unavailable', 'UNAVAILABLE', /try again later/],
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
      }
    });

  test('that names a delay passes it on', async () => {
    const prompt = 'A fox [sample: error 429 retry 3s always]';
    const { headers } = await post(service, CHAT, bearer(service.apiKey), chatBody(prompt));
    assert.equal(headers.get('retry-after'), '3');
  });

  test('that heals at once is not told at all', async () => {
    const prompt = 'A fox [sample: error 503]';
    assert.equal((await post(service, NATIVE, vendor(service.apiKey), nativeBody(prompt))).status, 200);
  });

  const other = `/v1beta/models/video-3.1-generate-preview:generateContent`;
  const REFUSED = [
    ['another model', other, vendor, nativeBody('A fox'), 404],
    ['another action', `/v1beta/models/${IMAGE_MODEL}:countTokens`, vendor, nativeBody('A fox'), 404],
    ['no action', `/v1beta/models/${IMAGE_MODEL}`, vendor, nativeBody('A fox'), 404],
    ['no JSON', NATIVE, vendor, '{', 400],
    ['no contents', NATIVE, vendor, {}, 400],
    ['another model in chat', CHAT, bearer, { ...chatBody('A fox'), model: 'gpt-5' }, 404],
    ['no messages', CHAT, bearer, { model: IMAGE_MODEL }, 400],
    ['no JSON in chat', CHAT, bearer, 'A fox', 400],
  ] as const;
  for (const [title, path, header, body, status] of REFUSED)
    test(`for ${title} is ${status}`, async () => {
      const answer = await post(service, path, header(service.apiKey), body);
      assert.equal(answer.status, status);
      assert.equal(typeof answer.body.error.message, 'string');
      assert.equal(answer.body.error.code === status, path !== CHAT);
    });

  test('for another content type is 415', async () => {
    const headers = { ...bearer(service.apiKey), 'content-type': 'text/plain' };
    assert.equal((await post(service, CHAT, headers, '{}')).status, 415);
  });

  test("for a key in the native family's header is 401 and names the right one", async () => {
    const chat = await post(service, CHAT, vendor(service.apiKey), chatBody('A fox'));
    assert.deepEqual([chat.status, chat.body.error.code], [401, 'invalid_api_key']);
    assert.match(chat.body.error.message, /Authorization: Bearer/);
  });
});
