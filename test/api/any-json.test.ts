import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFile, anyVideo, anyWebhookChange, WEBHOOK } from '../support/any-bodies.ts';
import { call, readError, readId } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

/** A few of each: a unit test sends hundreds to the same readers and use cases. */
const RUNS = { numRuns: longOr(12, 300), seed: 20_261_115 };
const headers = { 'content-type': 'application/json' };

test('any JSON value sent to create gets a 200 or a 4xx in the right form', async () => {
  await fc.assert(
    fc.asyncProperty(anyVideo, async (json) => {
      const answer = await call(service, 'POST', '/v1/videos', { body: JSON.stringify(json), headers });
      if (answer.status === 200) return assert.equal(answer.body.object, 'video');
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} for ${JSON.stringify(json)}`);
      assert.match(readError(answer).type, /^invalid_request_error$/);
    }),
    RUNS,
  );
});

test('any JSON value sent as a file gets a 200 with an upload or a 4xx in the right form', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async (json) => {
      const answer = await call(service, 'POST', '/v1/files', { json });
      if (answer.status === 200) return assert.equal(Object(answer.body.upload).method, 'PUT');
      assert.equal(answer.status, 400, JSON.stringify(json));
      assert.match(readError(answer).type, /^invalid_request_error$/);
    }),
    RUNS,
  );
});

test('any JSON value sent to a webhook endpoint gets a 200 or a 4xx in the right form', async () => {
  const path = `/v1/webhook_endpoints/${readId(await call(service, 'POST', '/v1/webhook_endpoints', { json: WEBHOOK }))}`;
  await fc.assert(
    fc.asyncProperty(anyWebhookChange, fc.constantFrom('', '/rotate_secret'), async (json, action) => {
      const answer = await call(service, 'POST', `${path}${action}`, { body: JSON.stringify(json), headers });
      if (answer.status === 200) return assert.equal(answer.body.object, 'webhook_endpoint');
      assert.equal(answer.status, 400, `${answer.status} for ${JSON.stringify(json)}`);
      readError(answer);
    }),
    RUNS,
  );
});
