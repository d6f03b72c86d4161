import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { jpegWithBytes, readUpload, send } from '../support/files.ts';
import { call, readError, readId } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes);

const offer = (photo: Buffer, more: object = {}, key?: string) =>
  call(service, 'POST', '/v1/files', {
    key,
    json: { filename: 'photo.jpg', bytes: photo.length, mime_type: 'image/jpeg', purpose: 'vision', ...more },
  });

const readStatus = async (id: string): Promise<unknown> =>
  (await call(service, 'GET', `/v1/files/${id}`)).body.status;

describe('an upload by signed address', () => {
  test('takes more bytes than the gateway, whose SHA-256 was given', async () => {
    const photo = jpegWithBytes(12_000_000);
    const { body } = await offer(photo, { sha256: sha256(photo).digest('hex') });
    const id = String(body.id);
    assert.deepEqual([body.status, await readStatus(id)], ['uploaded', 'uploaded']);
    assert.deepEqual(await send(readUpload(body), photo), [200, undefined]);
    const client = new OpenAI({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1` });
    assert.equal((await client.files.waitForProcessing(id, { pollInterval: 100 })).status, 'processed');
    const content = await client.files.content(id);
    assert.ok(Buffer.from(await content.arrayBuffer()).equals(photo));
  });

  test('has no content before it has arrived', async () => {
    const id = readId(await offer(jpegWithBytes(1000)));
    const answer = await call(service, 'GET', `/v1/files/${id}/content`);
    assert.deepEqual([answer.status, readError(answer).code], [409, 'file_not_ready']);
    assert.equal(answer.headers.get('x-should-retry'), 'false');
  });

  const photo = jpegWithBytes(100_000);
  const given = { sha256: sha256(photo).digest('hex') };
  const other = Buffer.from(photo).fill(1, 50_000);
  const REFUSED: readonly [title: string, Record<string, string>, Buffer, answer: [number, string]][] = [
    ['a byte more', {}, Buffer.concat([photo, Buffer.of(1)]), [403, 'SignatureDoesNotMatch']],
    ['a longer life', { 'x-amz-meta-expires-at': '9999999999999' }, photo, [403, 'SignatureDoesNotMatch']],
    ['other bytes', {}, other, [400, 'BadDigest']],
    ['a public object', { 'x-amz-acl': 'public-read' }, photo, [403, 'AccessDenied']],
  ];
  test('is refused with other bytes or headers, and can be made as it was meant after that', async () => {
    const { body } = await offer(photo, given);
    for (const [title, changed, bytes, answer] of REFUSED)
      assert.deepEqual(await send(readUpload(body), bytes, changed), answer, title);
    assert.equal(await readStatus(String(body.id)), 'uploaded');
    assert.deepEqual(await send(readUpload(body), photo), [200, undefined]);
    assert.deepEqual(await send(readUpload(body), photo), [412, 'PreconditionFailed']);
  });

  test('can be made by a page of any origin', async () => {
    const upload = readUpload((await offer(photo, given)).body);
    const preflight = await fetch(upload.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://console.example.com',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': Object.keys(upload.headers).join(','),
      },
    });
    assert.equal(preflight.status, 200);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT/);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /if-none-match/);
    const response = await fetch(upload.url, {
      method: 'PUT',
      headers: { ...upload.headers, origin: 'https://console.example.com' },
      body: new Uint8Array(photo),
    });
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, '*']);
  });

  test('is not offered for more bytes than a request may use', async () => {
    const answer = await offer(photo, { bytes: 14_700_001 }, await service.issueKey('..'));
    const { code, param } = readError(answer);
    assert.deepEqual([answer.status, code, param], [400, 'invalid_request', 'bytes']);
  });
});
