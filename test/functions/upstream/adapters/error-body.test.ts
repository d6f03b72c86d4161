import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connectBearer } from '../../../../functions/upstream/adapters/upstream-connection.ts';
import { readFailure } from '../../../../functions/upstream/adapters/upstream-http.ts';
import { RECORDED_FAILURES } from '../recorded/failures.ts';
import { credentialFrom } from './answering-client.ts';
import { startRecorder } from './recording-server.ts';
import { json } from './upstream-answers.ts';
import type { Answer } from './upstream-server.ts';

const readMessage = async (body: unknown) =>
  (await readFailure(Response.json(body, { status: 400 }))).error.message;

describe('the message of an error', () => {
  test('is one line', async () =>
    assert.equal(
      await readMessage({ error: { message: ' No.\u001b[31m\r\n\u0000\u2028Never.\ud800' } }),
      'No. [31m Never.\ufffd',
    ));

  for (const [title, body] of [
    ["Google's", { error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT', details: [] } }],
    ["Google's in a list", [{ error: { code: 400, message: 'No.' } }, { error: { message: 'Later.' } }]],
    ['with a code of another type', { error: { code: 'invalid_request', message: 'No.' } }],
    ["OpenAI's", { error: { message: 'No.', type: 'invalid_request_error', param: 'size', code: null } }],
    ["OpenRouter's", { error: { code: 400, message: 'No.', metadata: { field: 'x' } }, user_id: 'u' }],
    ['a text', { error: 'No.' }],
    ['at top level', { code: 'fail_to_fetch_task', message: 'No.', data: null }],
    ['with other wrong types', { error: { message: 'No.', status: 7, details: 'x', metadata: [] } }],
  ] as const)
    test(`is read from a body that is ${title}`, async () => assert.equal(await readMessage(body), 'No.'));

  for (const body of [null, 'text', [], [null], {}, { error: null }, { error: 7 }, { error: { message: 7 } }])
    test(`is the status if the body is ${JSON.stringify(body)}`, async () =>
      assert.equal(await readMessage(body), 'The generator answered 400.'));
});

describe('an answer to a call', () => {
  const { retired, retiredWithReplacement, vertexUnknown, flagged, noCredit, outOfQuota } = RECORDED_FAILURES;
  const google = (status: string, ...details: readonly object[]) => ({
    error: { message: 'No.', status, details },
  });
  const quota = (...quotaIds: readonly string[]) =>
    google('RESOURCE_EXHAUSTED', { violations: [...quotaIds.map((quotaId) => ({ quotaId })), {}] });
  const invalidKey = google('INVALID_ARGUMENT', { reason: 'OTHER' }, { reason: 'API_KEY_INVALID' });

  const ANSWERS: readonly (readonly [title: string, status: number, body: object, fault: string])[] = [
    ['302', 302, {}, 'operator'],
    ['400', 400, google('INVALID_ARGUMENT', { reason: 'OTHER' }), 'rejected'],
    ['400 for the location', 400, google('FAILED_PRECONDITION'), 'operator'],
    ['400 for the key', 400, invalidKey, 'operator'],
    ['401', 401, {}, 'operator'],
    ['402', 402, noCredit, 'operator'],
    ['403', 403, { error: { code: 403, message: 'No.' } }, 'operator'],
    ['403 for a flagged prompt', 403, flagged, 'rejected'],
    ['403 with flagged input alone', 403, { error: { metadata: { flagged_input: '…' } } }, 'rejected'],
    ['403 with reasons alone', 403, { error: { metadata: { reasons: ['violence'] } } }, 'rejected'],
    ['404 for a retired model', 404, retired, 'retired'],
    ['404 that recommends a model', 404, retiredWithReplacement, 'retired'],
    ["Vertex AI's 404", 404, vertexUnknown, 'retired'],
    ['410', 410, {}, 'retired'],
    ['408', 408, {}, 'unanswered'],
    ['409', 409, {}, 'rejected'],
    ['413', 413, {}, 'rejected'],
    ['429', 429, { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }, 'busy'],
    ['429 for a minute', 429, quota('PerMinute'), 'busy'],
    ['429 for a day', 429, quota('PerMinute', 'RequestsPerDayPerProject'), 'exhausted'],
    ['429 for a used-up account', 429, outOfQuota, 'operator'],
    ['429 with such a type', 429, { error: { type: 'insufficient_quota' } }, 'operator'],
    ['429 with such a code', 429, { error: { code: 'insufficient_quota' } }, 'operator'],
    ['500 that mentions another model', 500, retiredWithReplacement, 'failing'],
    ['502', 502, {}, 'unanswered'],
    ['503', 503, {}, 'failing'],
    ['504', 504, {}, 'unanswered'],
    ['599', 599, {}, 'failing'],
  ];
  const REFUSED_KEYS = ['400 for the key', '401', '403'];
  for (const [title, status, body, fault] of ANSWERS)
    test(`of ${title} is ${fault}`, async () => {
      const { error, refusesCredential } = await readFailure(Response.json(body, { status }), true);
      const replacement = title === '404 that recommends a model' ? 'gemini-omni-1.1-flash' : undefined;
      assert.deepEqual(
        [error.fault, error.httpStatus, error.replacement, refusesCredential],
        [fault, status, replacement, REFUSED_KEYS.includes(title)],
      );
    });

  for (const [status, fault] of [
    [404, 'operator'],
    [410, 'rejected'],
  ] as const)
    test(`of ${status} to a poll, which names no model, is ${fault}`, async () => {
      const { error } = await readFailure(Response.json(retiredWithReplacement, { status }));
      assert.deepEqual([error.fault, error.replacement], [fault, undefined]);
    });

  const NOW = Date.UTC(2026, 10, 19);
  const epochIn = (seconds: number) => String(NOW / 1000 + seconds);
  for (const [delay, header, busy, exhausted] of [
    ['34s', '5', 34],
    ['0.5s', undefined, 0.5],
    ['12', undefined, 12],
    ['soon', '5', 5],
    [undefined, '120', 120],
    [undefined, 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    [undefined, '5 s', undefined],
    [undefined, '-5', undefined],
    [undefined, '1e13', undefined],
    [undefined, undefined, undefined],
    [undefined, '3601', 3600, 3601],
    [undefined, '86401', 3600, 86_400],
    ['9000000000000s', '5', 3600, 86_400],
    [undefined, '9'.repeat(400), 3600, 86_400],
    [undefined, epochIn(90), 90],
    [undefined, `${epochIn(90)}000`, 90],
    [undefined, epochIn(-90), 0],
    [undefined, epochIn(7200), 3600, 7200],
    [undefined, epochIn(90_000), 3600, 86_400],
  ] as const)
    test(`with RetryInfo ${delay} and retry-after ${header?.slice(0, 20)} asks for ${busy} seconds`, async () => {
      const headers = header === undefined ? {} : { 'retry-after': header };
      const read = async (...details: readonly object[]) => {
        const body = google(
          'RESOURCE_EXHAUSTED',
          {},
          ...details,
          delay === undefined ? {} : { retryDelay: delay },
        );
        const { error } = await readFailure(Response.json(body, { status: 429, headers }), true, NOW);
        return [error.fault, error.retryAfterSeconds];
      };
      assert.deepEqual(await read(), ['busy', busy]);
      const perDay = { violations: [{ quotaId: 'PerDay' }] };
      assert.deepEqual(await read(perDay), ['exhausted', exhausted ?? busy]);
    });
});

describe('an error body', () => {
  const callAt = (baseUrl: string, timeoutMs: number) =>
    connectBearer({ baseUrl, credential: credentialFrom(async () => 'secret'), fetch }).call('v1/x', {
      timeoutMs,
      maxBytes: 1000,
    });

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
});
