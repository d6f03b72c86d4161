import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openAiClient } from '../../../../functions/upstream/adapters/openai.ts';
import { readFailure } from '../../../../functions/upstream/adapters/upstream-http.ts';
import { RECORDED_FAILURES } from '../recorded/failures.ts';
import { credentialFrom } from './answering-client.ts';
import { startRecorder } from './recording-server.ts';
import { json } from './upstream-answers.ts';
import type { Answer } from './upstream-server.ts';

const failure = async (status: number, body: unknown, namesModel?: boolean) =>
  (await readFailure(Response.json(body, { status }), namesModel)).error;

describe('the message of an error', () => {
  for (const [title, body] of [
    ["Google's", { error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT', details: [] } }],
    ["Google's in a list", [{ error: { code: 400, message: 'No.' } }, { error: { message: 'Later.' } }]],
    ['with a code of another type', { error: { code: 'invalid_request', message: 'No.' } }],
    ["OpenAI's", { error: { message: 'No.', type: 'invalid_request_error', param: 'size', code: null } }],
    ["OpenRouter's", { error: { code: 400, message: 'No.', metadata: { field: 'x' } }, user_id: 'u' }],
    ['a text', { error: 'No.' }],
    ['at top level', { code: 'fail_to_fetch_task', message: 'No.', data: null }],
    [
      'with other fields of wrong types',
      { error: { message: 'No.', status: 7, details: 'x', metadata: [] } },
    ],
  ] as const)
    test(`is read from a body that is ${title}`, async () =>
      assert.equal((await failure(400, body)).message, 'No.'));

  for (const body of [
    null,
    7,
    'text',
    [],
    [null],
    {},
    { error: null },
    { error: 7 },
    { error: { message: 7 } },
  ])
    test(`is the status if the body is ${JSON.stringify(body)}`, async () =>
      assert.equal((await failure(400, body)).message, 'The generator answered 400.'));
});

describe('an answer to a call', () => {
  const { retired, retiredWithReplacement, vertexUnknown, flagged, noCredit, outOfQuota } = RECORDED_FAILURES;

  for (const [title, status, body, namesModel, fault, replacement] of [
    ['404 for a retired model', 404, retired, true, 'retired', undefined],
    ['404 that recommends a model', 404, retiredWithReplacement, true, 'retired', 'gemini-omni-1.1-flash'],
    ["Vertex AI's 404", 404, vertexUnknown, true, 'retired', undefined],
    ['410', 410, {}, true, 'retired', undefined],
    ['404 on a poll', 404, retiredWithReplacement, false, 'operator', undefined],
    ['410 on a poll', 410, {}, false, 'rejected', undefined],
    ['403 for a flagged prompt', 403, flagged, true, 'rejected', undefined],
    ['403 for the key', 403, { error: { code: 403, message: 'No.' } }, true, 'operator', undefined],
    ['402', 402, noCredit, true, 'operator', undefined],
    ['429 for a used-up account', 429, outOfQuota, true, 'operator', undefined],
    ['429 with such a type', 429, { error: { type: 'insufficient_quota' } }, true, 'operator', undefined],
    ['429 with such a code', 429, { error: { code: 'insufficient_quota' } }, true, 'operator', undefined],
    [
      '400 for another reason',
      400,
      { error: { details: [{ reason: 'OTHER' }] } },
      true,
      'rejected',
      undefined,
    ],
    ['429', 429, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }, true, 'busy', undefined],
    ['500 that mentions another model', 500, retiredWithReplacement, true, 'failing', undefined],
  ] as const)
    test(`of ${title} is ${fault}`, async () => {
      const error = await failure(status, body, namesModel);
      assert.deepEqual([error.fault, error.httpStatus, error.replacement], [fault, status, replacement]);
    });

  for (const [title, status, body, refuses] of [
    ['401', 401, {}, true],
    ['403', 403, {}, true],
    ['403 for a flagged prompt', 403, flagged, false],
    ['403 with flagged input alone', 403, { error: { metadata: { flagged_input: '…' } } }, false],
    ['403 with reasons alone', 403, { error: { metadata: { reasons: ['violence'] } } }, false],
    ['400 for another reason', 400, { error: { details: [{ reason: 'OTHER' }] } }, false],
    ['402', 402, noCredit, false],
    ['400', 400, {}, false],
  ] as const)
    test(`of ${title} ${refuses ? 'refuses' : 'does not refuse'} the key`, async () =>
      assert.equal((await readFailure(Response.json(body, { status }))).refusesCredential, refuses));

  test('that asks for a delay names it', async () => {
    const response = Response.json({ error: 'Busy.' }, { status: 429, headers: { 'retry-after': '17' } });
    assert.equal((await readFailure(response)).error.retryAfterSeconds, 17);
  });
});

describe('an error body', () => {
  const callAt = (baseUrl: string, timeoutMs: number) =>
    openAiClient({
      baseUrl,
      options: 'none',
      credential: credentialFrom(async () => 'secret'),
      modelName: (model) => model,
      fetch,
    }).call('v1/x', { timeoutMs, maxBytes: 1000 });

  /** Writes as long as somebody reads. */
  const endless =
    (start: string, counted: { bytes: number }): Answer =>
    (response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.write(start);
      const chunk = Buffer.alloc(16_384, 'a');
      const write = (): void => {
        while (!response.destroyed && response.write(chunk)) counted.bytes += chunk.length;
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    };

  test('that never ends is left after its beginning', async () => {
    const counted = { bytes: 0 };
    await using server = await startRecorder(endless('{"error":{"message":"', counted));
    await assert.rejects(callAt(server.url, 20_000), {
      fault: 'rejected',
      httpStatus: 400,
      message: 'The generator answered 400.',
    });
    const read = counted.bytes;
    assert.ok(read < 16_000_000, `${read} bytes`);
  });

  test('of 64 KB is read, and one byte more is not', async () => {
    const padded = (length: number) => {
      const empty = JSON.stringify({ error: { message: 'No.', padding: '' } });
      return { error: { message: 'No.', padding: 'a'.repeat(length - empty.length) } };
    };
    await using server = await startRecorder(json(400, padded(65_536)), json(400, padded(65_537)));
    await assert.rejects(callAt(server.url, 20_000), { message: 'No.' });
    await assert.rejects(callAt(server.url, 20_000), { message: 'The generator answered 400.' });
  });

  test('that stops in the middle is left when the call times out', async () => {
    await using server = await startRecorder((response) => {
      response.writeHead(402, { 'content-type': 'application/json' });
      response.write('{"error":');
    });
    await assert.rejects(callAt(server.url, 300), { fault: 'operator', httpStatus: 402 });
  });

  test('that breaks off leaves the status', async () => {
    await using server = await startRecorder((response) => {
      response.writeHead(503, { 'content-length': '100' });
      response.write('{"error":', () => response.socket?.destroy());
    });
    await assert.rejects(callAt(server.url, 20_000), { fault: 'failing', httpStatus: 503 });
  });
});
