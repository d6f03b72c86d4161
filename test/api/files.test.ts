import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import OpenAI7, { toFile as toFile7 } from 'openai';
import OpenAI6, { toFile as toFile6 } from 'openai-6';
import { jpegWithBytes, readUpload, send } from '../support/files.ts';
import { call, readError, readId } from '../support/http.ts';
import { file, PNG, png, SVG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const HOUR = 60 * 60;

const CLIENTS = [
  ['7.53.0', OpenAI7, toFile7],
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

  test('is not found by another account, and none is that never was', async () => {
    const id = readId(
      await call(service, 'POST', '/v1/files', { body: form({ file: image, purpose: 'vision' }) }),
    );
    const key = await service.issueKey(`files-${randomUUID()}`);
    for (const [method, path] of [
      ['GET', `/v1/files/${id}`],
      ['GET', `/v1/files/${id}/content`],
      ['DELETE', `/v1/files/${id}`],
      ['GET', '/v1/files/file_0000000000zzzzzzzzzzzzzzzz'],
      ['GET', '/v1/files/file_..%2F..%2Fx'],
      ['DELETE', '/v1/files/storage'],
    ] as const) {
      const answer = await call(service, method, path, { key });
      assert.deepEqual([answer.status, readError(answer).code], [404, 'file_not_found'], path);
    }
    assert.equal((await call(service, 'GET', `/v1/files/${id}`)).status, 200);
  });

  for (const account of ['.', '..', 'a@b.example', '-._@-', '~', 'x'.repeat(100)])
    test(`comes and goes for the account ${account.slice(0, 20)}`, async () => {
      const key = await service.issueKey(account);
      const created = await call(service, 'POST', '/v1/files', {
        key,
        body: form({ file: image, purpose: 'vision' }),
      });
      const path = `/v1/files/${readId(created)}`;
      const { headers } = await call(service, 'GET', `${path}/content`, { key });
      const bytes = Buffer.from(await (await fetch(headers.get('location') ?? '')).arrayBuffer());
      assert.ok(bytes.equals(PNG));
      assert.equal((await call(service, 'DELETE', path, { key })).status, 200);
    });
});

const huge = png(1, 1, { width: 30_000, height: 30_000 });
const REFUSED_FORMS: readonly [
  title: string,
  fields: Record<string, string | File>,
  code: string,
  param: string,
][] = [
  ['no file', { purpose: 'vision' }, 'invalid_request', 'file'],
  ['text in the place of the file', { file: 'x', purpose: 'vision' }, 'invalid_request', 'file'],
  [
    'a text named .png',
    { file: file(SVG, 'a.png', 'image/png'), purpose: 'vision' },
    'invalid_image',
    'file',
  ],
  [
    'an empty file',
    { file: file(Buffer.of(), 'a.png', 'image/png'), purpose: 'vision' },
    'invalid_image',
    'file',
  ],
  [
    'half a file',
    { file: file(PNG.subarray(0, 40), 'a.png', 'image/png'), purpose: 'vision' },
    'invalid_image',
    'file',
  ],
  [
    '30000 pixels a side',
    { file: file(huge, 'a.png', 'image/png'), purpose: 'vision' },
    'invalid_image',
    'file',
  ],
  ['no purpose', { file: image }, 'invalid_request', 'purpose'],
  ['another purpose', { file: image, purpose: 'fine-tune' }, 'invalid_request', 'purpose'],
  [
    'a lifetime that is text',
    { file: image, purpose: 'vision', expires_after: '3600' },
    'invalid_request',
    'expires_after',
  ],
  [
    'a lifetime of 59 minutes',
    {
      file: image,
      purpose: 'vision',
      'expires_after[anchor]': 'created_at',
      'expires_after[seconds]': '3599',
    },
    'invalid_request',
    'expires_after.seconds',
  ],
  [
    'a lifetime from the last use',
    {
      file: image,
      purpose: 'vision',
      'expires_after[anchor]': 'last_used',
      'expires_after[seconds]': '3600',
    },
    'invalid_request',
    'expires_after.anchor',
  ],
];

const named = (name: string) => ({ file: file(PNG, name, 'image/png'), purpose: 'vision' });

describe('a name', () => {
  for (const name of [
    'ü'.repeat(255),
    '😀'.repeat(255),
    'a/b\\c.png',
    '%0d%0a.png',
    `'"; x=*.png`,
    '..',
    'a b.png',
  ])
    test(`leads to a download that works: ${name.slice(0, 20)}`, async () => {
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

  test('of a form is refused beyond 255 characters', async () => {
    const answer = await call(service, 'POST', '/v1/files', { body: form(named('x'.repeat(256))) });
    assert.deepEqual([answer.status, readError(answer).param], [400, 'file']);
  });
});

describe('refuses', () => {
  for (const [title, fields, code, param] of REFUSED_FORMS)
    test(title, async () => {
      const key = await service.issueKey(`files-${randomUUID()}`);
      const answer = await call(service, 'POST', '/v1/files', { key, body: form(fields) });
      const error = readError(answer);
      assert.deepEqual([answer.status, error.code, error.param], [400, code, param]);
      const { body } = await call(service, 'GET', '/v1/files', { key });
      assert.deepEqual(body.data, []);
    });

  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=10001', 'limit'],
    ['limit=1e2', 'limit'],
    ['order=up', 'order'],
    ['after=task_1', 'after'],
    ['purpose=batch', 'purpose'],
  ] as const)
    test(`a list with ${query}`, async () => {
      const answer = await call(service, 'GET', `/v1/files?${query}`);
      assert.deepEqual([answer.status, readError(answer).param], [400, param]);
    });

  test('a body of another type', async () => {
    const answer = await call(service, 'POST', '/v1/files', {
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(PNG),
    });
    assert.deepEqual([answer.status, readError(answer).code], [415, 'unsupported_media_type']);
  });
});
