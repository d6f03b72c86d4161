import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { call, MODEL, readError, readId } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

const NAMES = [
  'model',
  'prompt',
  'seconds',
  'duration',
  'size',
  'resolution',
  'aspectRatio',
  'negativePrompt',
  'seed',
  'metadata',
  'input_reference',
  'last_frame',
  'lastFrame',
  'reference_images',
  'referenceImages',
  'reference_type',
  '__proto__',
];

/** Accepted videos fail at once, so that none of them is rendered. */
const failing = (prompt: unknown): unknown =>
  typeof prompt === 'string' && prompt.trim() !== '' ? `${prompt}[sample: error 400]` : prompt;

/** Any JSON value at all, or an object that is nearly a request: the second finds the deeper faults. */
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc
    .dictionary(
      fc.constantFrom(...NAMES),
      fc.oneof(fc.jsonValue(), fc.constantFrom('8', 4, '16:9', '4k', {}, [], '')),
    )
    .map((fields) => ({
      model: MODEL,
      ...fields,
      prompt: failing('prompt' in fields ? fields.prompt : 'a'),
    })),
);

test('any JSON value sent to create gets a 200 or a 4xx in the right form', async () => {
  await fc.assert(
    fc.asyncProperty(anyBody, async (json) => {
      const answer = await call(service, 'POST', '/v1/videos', {
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json' },
      });
      if (answer.status === 200) return assert.equal(answer.body.object, 'video');
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} for ${JSON.stringify(json)}`);
      assert.match(readError(answer).type, /^invalid_request_error$/);
    }),
    { numRuns: 400, seed: 20_261_115 },
  );
});

const FILE_FIELDS = ['filename', 'bytes', 'mime_type', 'purpose', 'expires_after', 'sha256', '__proto__'];
const FILE = { filename: 'a.png', bytes: 9, mime_type: 'image/png', purpose: 'vision' };
const anyFile = fc.oneof(
  fc.jsonValue(),
  fc
    .dictionary(fc.constantFrom(...FILE_FIELDS), fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })))
    .map((fields) => ({ ...FILE, ...fields })),
);

test('any JSON value sent as a file gets a 200 with an upload or a 4xx in the right form', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async (json) => {
      const answer = await call(service, 'POST', '/v1/files', { json });
      if (answer.status === 200) return assert.equal(Object(answer.body.upload).method, 'PUT');
      assert.equal(answer.status, 400, JSON.stringify(json));
      assert.match(readError(answer).type, /^invalid_request_error$/);
    }),
    { numRuns: 300, seed: 20_261_115 },
  );
});

test('any JSON value sent to a webhook endpoint gets a 200 or a 4xx in the right form', async () => {
  const valid = { name: 'Hook', url: 'https://hooks.example.com', event_types: ['video.failed'] };
  const path = `/v1/webhook_endpoints/${readId(await call(service, 'POST', '/v1/webhook_endpoints', { json: valid }))}`;
  const value = fc.oneof(
    fc.jsonValue(),
    fc.webUrl().map((url) => url.replace('http:', 'https:')),
    fc.constantFrom(...Object.values(valid), 'https://[::1]', '', true),
  );
  const names = [...Object.keys(valid), 'keep_old_secret_active_for_24_hours', '__proto__'];
  const body = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), value));
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom('', '/rotate_secret'), async (json, action) => {
      const answer = await call(service, 'POST', `${path}${action}`, {
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json' },
      });
      if (answer.status === 200) return assert.equal(answer.body.object, 'webhook_endpoint');
      assert.equal(answer.status, 400, `${answer.status} for ${JSON.stringify(json)}`);
      readError(answer);
    }),
    { numRuns: 200, seed: 20_261_115 },
  );
});
