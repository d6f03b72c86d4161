import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { readUploadUrl, relatedBody, sendCommand, startUpload } from '../support/google-uploads.ts';
import { call } from '../support/http.ts';
import { largePng, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const shared = await openSharedService();
const service = { ...shared, apiKey: await shared.issueKey(`google-${randomUUID()}`) };
const open = async (bytes?: number) => readUploadUrl(await startUpload(service, bytes));
const readFile = (body: Readonly<Record<string, unknown>>): Record<string, string> => Object(body.file);
const nativeError = (code: number, status: string, message: RegExp) => ({ code, status, message });
const assertError = (
  { status, body }: { readonly status: number; readonly body: Readonly<Record<string, unknown>> },
  expected: ReturnType<typeof nativeError>,
): void => {
  const { error } = body;
  const { message, ...rest } = Object(error);
  assert.deepEqual([status, rest], [expected.code, { code: expected.code, status: expected.status }]);
  assert.match(message, expected.message);
};
const INVALID = 'INVALID_ARGUMENT';

describe('an upload in the native format', { concurrency: 4 }, () => {
  test('starts with a secret URL that contains no key', async () => {
    const { status, headers, body } = await startUpload(service, PNG.length);
    assert.deepEqual([status, body], [200, {}]);
    const url = new URL(headers.get('x-goog-upload-url') ?? '');
    assert.equal(`${url.origin}${url.pathname}`, `${service.baseUrl}/upload/v1beta/files`);
    assert.deepEqual(Array.from(url.searchParams.keys()), ['upload_id', 'upload_protocol']);
    assert.ok(!url.href.includes(service.apiKey));
    assert.deepEqual(
      [headers.get('x-goog-upload-status'), headers.get('x-goog-upload-chunk-granularity')],
      ['active', '262144'],
    );
  });

  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'image/png', undefined])
    test(`accepts bytes of the type ${type}, without a key`, async () => {
      const headers = type === undefined ? undefined : { 'content-type': type };
      const step = { bytes: PNG, ...(headers && { headers }) };
      const { status, uploadStatus, body } = await sendCommand(
        await open(PNG.length),
        'upload, finalize',
        step,
      );
      assert.deepEqual([status, uploadStatus], [200, 'final']);
      const { displayName, sizeBytes, sha256Hash } = readFile(body);
      const hash = createHash('sha256').update(PNG).digest('base64');
      assert.deepEqual([displayName, sizeBytes, sha256Hash], ['first', String(PNG.length), hash]);
    });

  test('joins 9 MB that come in chunks of 4 MB', async () => {
    const image = largePng(9_000_000);
    const url = await open(image.length);
    const CHUNK = 4 * 1024 * 1024;
    for (const offset of [0, CHUNK]) {
      const bytes = image.subarray(offset, offset + CHUNK);
      const { headers, uploadStatus } = await sendCommand(url, 'upload', { bytes, offset });
      const received = headers.get('x-goog-upload-size-received');
      assert.deepEqual([uploadStatus, received], ['active', String(offset + CHUNK)]);
    }
    const early = await sendCommand(url, 'finalize');
    assertError(early, nativeError(400, INVALID, /8388608 bytes have arrived, but .* is 90000/));
    const queried = await sendCommand(url, 'query');
    assert.equal(queried.headers.get('x-goog-upload-size-received'), String(2 * CHUNK));
    const last = { bytes: image.subarray(2 * CHUNK), offset: 2 * CHUNK };
    const { body } = await sendCommand(url, 'upload, finalize', last);
    const { name = '' } = readFile(body);
    const content = await call(service, 'GET', `/v1/files/${name.replace('files/', 'file_')}/content`);
    const stored = Buffer.from(await (await fetch(content.headers.get('location') ?? '')).arrayBuffer());
    assert.ok(stored.equals(image));
  });

  test('can be cancelled', async () => {
    const url = await open(PNG.length);
    await sendCommand(url, 'upload', { bytes: PNG.subarray(0, 9) });
    assert.equal((await sendCommand(url, 'cancel')).uploadStatus, 'cancelled');
    const late = await sendCommand(url, 'upload', { bytes: PNG.subarray(9), offset: 9 });
    assertError(late, nativeError(404, 'NOT_FOUND', /upload_id does not name an upload that is open/));
    assert.equal(late.uploadStatus, 'cancelled');
  });

  test('is rejected by the gateway if a request has 8 MB', async () => {
    const image = largePng(9_000_000);
    const url = await open(image.length);
    const response = await sendCommand(url, 'upload', { bytes: image.subarray(0, 8 * 1024 * 1024) });
    assert.equal(response.status, 413);
    assert.match(String(Object(response.body.error).message), /about 4\.4 MB are accepted.*POST \/v1\/files/);
  });

  test('is accepted in one request with its metadata', async () => {
    const send = (headers: Readonly<Record<string, string>>) =>
      call(service, 'POST', '/upload/v1beta/files', {
        body: relatedBody({ file: { displayName: 'whole' } }, PNG),
        headers: { 'content-type': 'multipart/related; boundary=b', ...headers },
      });
    const { status, headers, body } = await send({ 'x-goog-upload-protocol': 'multipart' });
    assert.deepEqual([status, headers.get('x-goog-upload-status')], [200, 'final']);
    const { displayName, name = '' } = readFile(body);
    assert.equal(displayName, 'whole');
    assert.deepEqual((await call(service, 'GET', `/v1beta/${name}`)).body, body.file);
    const refused = await send({ 'x-goog-upload-protocol': 'raw' });
    assertError(refused, nativeError(400, INVALID, /must be one of resumable, multipart/));
  });

  test('is the same file in both formats, also before its bytes have arrived', async () => {
    const json = { filename: 'b.png', bytes: PNG.length, mime_type: 'image/png', purpose: 'vision' };
    const { body } = await call(service, 'POST', '/v1/files', { json });
    const bare = String(body.id).replace('file_', '');
    const pending = await call(service, 'GET', `/v1beta/files/${bare}`);
    assert.deepEqual([pending.body.state, pending.body.displayName], ['PROCESSING', 'b.png']);
    assert.equal((await call(service, 'DELETE', `/v1beta/files/${bare}`)).status, 200);
    assert.equal((await call(service, 'GET', `/v1/files/${body.id}`)).status, 404);
  });
});
