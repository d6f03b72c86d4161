import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { call, type ServiceAccess } from '../../support/http.ts';
import {
  bearer,
  CHAT,
  chatBody,
  EDITS,
  editBody,
  GENERATIONS,
  generationBody,
  NATIVE,
  nativeBody,
  post,
} from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();

const readRows = ({
  body,
}: {
  readonly body: Readonly<Record<string, unknown>>;
}): Record<string, unknown>[] => {
  assert.ok(Array.isArray(body.data), JSON.stringify(body));
  return body.data;
};

/** A client with an account of its own. */
const openAccount = async (name: string) => {
  const apiKey = await service.issueKey(name);
  const access: ServiceAccess = { ...service, apiKey };
  const store = { clientConfig: service.operator, outputs: service.outputs };
  const admin = await issueApiKey(store, { account: name, name: 'admin', kind: 'admin' });
  return {
    get: (path: string) => call(access, 'GET', path),
    remove: (path: string) => call(access, 'DELETE', path),
    post: (path: string, body: object, headers: Record<string, string> = {}) =>
      post(service, path, { ...bearer(apiKey), ...headers }, body),
    listOutputs: async () => readRows(await call(access, 'GET', '/v1/files?purpose=output')),
    countCharges: async (): Promise<number> =>
      readRows(await call(service, 'GET', '/v1/organization/charges?limit=100', { key: admin })).length,
  };
};

const download = async (location: string): Promise<string> =>
  Buffer.from(await (await fetch(location)).arrayBuffer()).toString('base64');

const ENDPOINTS = [
  [GENERATIONS, generationBody, (body: unknown) => Object(body).data[0].b64_json],
  [EDITS, editBody, (body: unknown) => Object(body).data[0].b64_json],
  [CHAT, chatBody, (body: unknown) => /base64,([^)]+)/.exec(Object(body).choices[0].message.content)?.[1]],
  [
    NATIVE,
    nativeBody,
    (body: unknown) =>
      Object(body).candidates[0].content.parts.findLast((part: object) => 'inlineData' in part).inlineData
        .data,
  ],
] as const;

describe('a generated image', () => {
  for (const [path, toBody, readImage] of ENDPOINTS)
    test(`is kept as a file, and returned to a repeated request: ${path}`, async () => {
      const account = await openAccount(`keeper${path.replace(/\W+/g, '-')}`);
      const headers = { 'idempotency-key': 'once' };
      const made = await account.post(path, toBody('A stored fox'), headers);
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const id = made.headers.get('x-file-id') ?? '';
      const listed = await account.listOutputs();
      assert.deepEqual(
        listed.map((file) => [file.id, file.purpose, file.prompt, file.size, file.status]),
        [[id, 'output', 'A stored fox', '512x512', 'processed']],
      );
      const { api_key_id: keyId, created_at: created, expires_at: expires } = listed[0] ?? {};
      assert.match(String(keyId), /^key_/);
      assert.equal(Number(expires) - Number(created), 7 * 24 * 3600);
      const content = await account.get(`/v1/files/${id}/content`);
      assert.equal(await download(content.headers.get('location') ?? ''), readImage(made.body));

      const again = await account.post(path, toBody('A stored fox'), headers);
      assert.deepEqual([again.status, again.headers.get('x-file-id')], [200, id]);
      assert.equal(readImage(again.body), readImage(made.body));
      assert.deepEqual(again.body.usage, made.body.usage);
      assert.equal(await account.countCharges(), 1);

      const other = await account.post(path, toBody('Another fox'), headers);
      assert.equal(other.status, 409);
      assert.match(JSON.stringify(other.body), /used with a different request/);
    });

  test('can be edited by its id, and is deleted like any file', async () => {
    const account = await openAccount('editor');
    const made = await account.post(GENERATIONS, generationBody('A fox'), { 'idempotency-key': 'gone' });
    const id = made.headers.get('x-file-id');
    const edited = await account.post(EDITS, { ...generationBody('At night'), image: { file_id: id } });
    assert.equal(edited.status, 200);
    assert.equal((await account.remove(`/v1/files/${id}`)).status, 200);
    assert.equal((await account.get(`/v1/files/${id}`)).status, 404);
    const again = await account.post(GENERATIONS, generationBody('A fox'), { 'idempotency-key': 'gone' });
    assert.deepEqual([again.status, again.body.error.code], [409, 'idempotency_key_reused']);
    assert.match(again.body.error.message, /is deleted/);
    assert.equal(await account.countCharges(), 2);
  });

  test('is returned as a signed URL on request', async () => {
    const account = await openAccount('linker');
    const body = { ...generationBody('A fox'), response_format: 'url' };
    const { data, output_format } = (await account.post(GENERATIONS, body)).body;
    assert.deepEqual([Object.keys(data[0]), output_format], [['url'], 'jpeg']);
    const response = await fetch(data[0].url);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/jpeg']);
    assert.match(response.headers.get('content-disposition') ?? '', /filename="file_\w+\.jpg"/);
    assert.match(data[0].url, /X-Amz-Expires=300/);
  });

  test('cannot be requested twice at once with the same key', async () => {
    const account = await openAccount('hasty');
    const headers = { 'idempotency-key': 'twice' };
    const body = generationBody('A fox [sample: delay 25s]');
    const both = await Promise.all([
      account.post(GENERATIONS, body, headers),
      account.post(GENERATIONS, body, headers),
    ]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const refused = both.find(({ status }) => status === 409);
    assert.deepEqual(
      [refused?.body.error.code, refused?.headers.get('x-should-retry')],
      ['request_in_progress', null],
    );
    assert.equal(await account.countCharges(), 1);
  });
});

describe('several images', () => {
  test('are in one response, with the sum of their tokens and a charge each', async () => {
    const account = await openAccount('several');
    const one = await account.post(GENERATIONS, generationBody('A fox'));
    const { status, headers, body } = await account.post(GENERATIONS, { ...generationBody('A fox'), n: 3 });
    assert.equal(status, 200);
    assert.deepEqual([body.data.length, body.size, body.errors], [3, '512x512', undefined]);
    assert.equal(body.usage.total_tokens, 3 * one.body.usage.total_tokens);
    const ids = (headers.get('x-file-id') ?? '').split(',');
    const listed = await account.listOutputs();
    assert.ok(ids.every((id) => listed.some((file) => file.id === id)));
    assert.deepEqual([new Set(ids).size, listed.length, await account.countCharges()], [3, 4, 4]);
  });

  test('of which one fails are returned with the error, and repeated with it', async () => {
    const account = await openAccount('partly');
    const request = { ...generationBody('A fox [sample: error 429 retry 1s]'), n: 2 };
    const headers = { 'idempotency-key': 'partly' };
    const made = await account.post(GENERATIONS, request, headers);
    const again = await account.post(GENERATIONS, request, headers);
    for (const { status, body } of [made, again]) {
      assert.deepEqual([status, body.data.length, body.errors.length], [200, 1, 1]);
      assert.equal(body.errors[0].code, 'rate_limited');
      assert.ok([0, 1].includes(body.errors[0].index));
    }
    assert.deepEqual(again.body.data, made.body.data);
    assert.equal(again.headers.get('x-file-id'), made.headers.get('x-file-id'));
    assert.equal(await account.countCharges(), 1);
  });

  test('are events of a stream, each with its file', async () => {
    const key = await service.issueKey('streamer');
    const response = await fetch(`${service.baseUrl}${GENERATIONS}`, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json' },
      body: JSON.stringify({ ...generationBody('A fox [sample: error 429 retry 1s]'), n: 2, stream: true }),
    });
    const text = await response.text();
    assert.equal(text.match(/event: image_generation\.completed\ndata: .*"file_id":"file_\w+"/g)?.length, 1);
    assert.equal(text.match(/event: error\ndata: .*"code":"rate_limited"/g)?.length, 1);
  });
});

test('a streamed chat completion names the file in its last choice', async () => {
  const key = await service.issueKey('chatter');
  const response = await fetch(`${service.baseUrl}${CHAT}`, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify({ ...chatBody('A fox'), stream: true }),
  });
  assert.match(await response.text(), /"finish_reason":"stop"\}\],"file_id":"file_\w+"\}\n\ndata: \[DONE\]/);
});
