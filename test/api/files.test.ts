import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import OpenAI7, { toFile as toFile7 } from 'openai';
import OpenAI6, { toFile as toFile6 } from 'openai-6';
import { jpegWithBytes, readUpload, send } from '../support/files.ts';
import { call, readError, readId } from '../support/http.ts';
import { file, PNG, SVG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const HOUR = 60 * 60;

const CLIENTS = [
  ['7.55.0', OpenAI7, toFile7],
  ['6.49.0', OpenAI6, toFile6],
] as const;

for (const [version, OpenAI, toFile] of CLIENTS)
  test(`openai ${version} creates, lists, retrieves, downloads and deletes a file`, async () => {
    const apiKey = await service.issueKey(`files-${randomUUID()}`);
    const client = new OpenAI({ apiKey, baseURL: `${service.baseUrl}/v1` });
    const photo = jpegWithBytes(3_000_000);
    const created = await client.files.create({
      file: await toFile(photo, 'Häuser "am" See.jpg', { type: 'image/jpeg' }),
      purpose: 'vision',
      expires_after: { anchor: 'created_at', seconds: HOUR },
    });
    const { id, created_at, ...rest } = created;
    assert.match(id, /^file_/);
    assert.deepEqual(rest, {
      object: 'file',
      bytes: 3_000_000,
      expires_at: created_at + HOUR,
      filename: rest.filename,
      purpose: 'vision',
      status: 'processed',
    });
    assert.match(rest.filename, /^Häuser .+ See\.jpg$/);
    assert.deepEqual(await client.files.retrieve(id), created);
    assert.deepEqual(await client.files.waitForProcessing(id), created);
    const second = await client.files.create({ file: await toFile(PNG, 'a.png'), purpose: 'user_data' });
    const ids = async (query: OpenAI7.FileListParams) => {
      const found: string[] = [];
      for await (const each of client.files.list(query)) found.push(each.id);
      return found;
    };
    assert.deepEqual(await ids({}), [second.id, id]);
    assert.deepEqual(await ids({ order: 'asc', limit: 1 }), [id, second.id]);
    assert.deepEqual(await ids({ purpose: 'user_data' }), [second.id]);
    assert.deepEqual(await ids({ after: second.id }), [id]);
    const content = await client.files.content(id);
    assert.match(content.headers.get('content-disposition') ?? '', /filename\*=UTF-8''H%C3%A4user/);
    assert.equal(content.headers.get('content-type'), 'image/jpeg');
    assert.ok(Buffer.from(await content.arrayBuffer()).equals(photo));
    assert.deepEqual(await client.files.delete(id), { id, object: 'file', deleted: true });
    await assert.rejects(client.files.retrieve(id), { status: 404, code: 'file_not_found' });
    assert.deepEqual(await ids({}), [second.id]);
  });

const form = (fields: Readonly<Record<string, string | File>>): FormData => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
};
const image = file(PNG, 'a.png', 'image/png');

describe('a file', () => {
  test('is kept two days unless asked otherwise, and has a name although none was given', async () => {
    const head = (name: string, more = '') =>
      `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n${more}\r\n`;
    const body = Buffer.concat([
      Buffer.from(
        `${head('purpose')}vision\r\n${head('file', 'content-type: application/octet-stream\r\n')}`,
      ),
      PNG,
      Buffer.from('\r\n--edge--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
    const answer = await call(service, 'POST', '/v1/files', { headers, body: new Uint8Array(body) });
    const { filename, expires_at, created_at } = answer.body;
    assert.deepEqual([answer.status, filename], [200, 'file']);
    assert.equal(Number(expires_at) - Number(created_at), 48 * HOUR);
  });

  test('is served to HEAD by an address of its own', async () => {
    const id = readId(
      await call(service, 'POST', '/v1/files', { body: form({ file: image, purpose: 'vision' }) }),
    );
    const { status, headers } = await call(service, 'HEAD', `/v1/files/${id}/content`);
    assert.equal(status, 302);
    const head = await fetch(headers.get('location') ?? '', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(PNG.length)]);
  });
});

test('a name leads to a download that works', async () => {
  const name = `😀 a/b\\c %0d%0a '"; x=*.png`;
  const created = await call(service, 'POST', '/v1/files', {
    json: { filename: name, bytes: PNG.length, mime_type: 'image/png', purpose: 'vision' },
  });
  assert.equal(created.body.filename, name);
  assert.deepEqual(await send(readUpload(created.body), PNG), [200, undefined]);
  const { headers } = await call(service, 'GET', `/v1/files/${readId(created)}/content`);
  const response = await fetch(headers.get('location') ?? '');
  const [, exact = ''] =
    /filename\*=UTF-8''([^;]+)$/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  assert.deepEqual([response.status, decodeURIComponent(exact)], [200, name]);
});

test('a refused form leaves no file', async () => {
  const key = await service.issueKey(`files-${randomUUID()}`);
  const REFUSED: readonly (readonly [fields: Record<string, string | File>, code: string, param: string])[] =
    [
      [{ purpose: 'vision' }, 'invalid_request', 'file'],
      [{ file: file(SVG, 'a.png', 'image/png'), purpose: 'vision' }, 'invalid_image', 'file'],
      [
        {
          file: image,
          purpose: 'vision',
          'expires_after[anchor]': 'created_at',
          'expires_after[seconds]': '3599',
        },
        'invalid_request',
        'expires_after.seconds',
      ],
    ];
  for (const [fields, code, param] of REFUSED) {
    const answer = await call(service, 'POST', '/v1/files', { key, body: form(fields) });
    const error = readError(answer);
    assert.deepEqual([answer.status, error.code, error.param], [400, code, param]);
  }
  assert.deepEqual((await call(service, 'GET', '/v1/files', { key })).body.data, []);
});
