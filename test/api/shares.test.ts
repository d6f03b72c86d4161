import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { hashKey } from '../../functions/identity/domain/api-key.ts';
import { encode } from '../../functions/platform/aws/attributes.ts';
import { revokeApiKey } from '../../lib/operator/administration.ts';
import { call, createVideo, HELD_BACK, readError, readId } from '../support/http.ts';
import { file, JPEG, PNG } from '../support/images.ts';
import { putImage, putVideo } from '../support/library-items.ts';
import { openSharedService } from '../support/open-service.ts';
import { wholeMp4 } from '../support/sample-video.ts';

const shared = await openSharedService();
const ACCOUNT = `secretive-${randomUUID()}`;
const service = { ...shared, apiKey: await shared.issueKey(ACCOUNT) };
const otherKey = await shared.issueKey(`other-${randomUUID()}`);
const dynamo = new DynamoDBClient(service.operator);

const PROMPT = 'A lighthouse <b onclick="x">& it\'s dusk</b>';
const createdAt = Date.now();
const makeImage = () => putImage(service, ACCOUNT, { prompt: PROMPT, createdAt, bytes: JPEG });
const [videoId, imageId] = await Promise.all([
  putVideo(service, ACCOUNT, { prompt: PROMPT, createdAt, bytes: wholeMp4() }),
  makeImage(),
]);

type Terms = Readonly<Record<string, unknown>>;
const create = (json: Terms, key?: string) => call(service, 'POST', '/v1/shares', { json, key });
const share = async (json: Terms) => {
  const { status, body } = await create(json);
  assert.equal(status, 200, JSON.stringify(body));
  return { id: String(body.id), url: String(body.url), body };
};
const revoke = (id: string, key?: string) => call(service, 'DELETE', `/v1/shares/${id}`, { key });

/** A visitor sends no key and no cookie. */
const visit = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const location = async (url: string, init?: RequestInit): Promise<URL> => {
  const { status, headers } = await visit(url, init);
  assert.deepEqual([status, headers.get('cache-control')], [302, 'no-store']);
  return new URL(headers.get('location') ?? '');
};

const SECRETS = [ACCOUNT, videoId, imageId, service.apiKey, 'task_', 'file_', 'share_', 'key_', 'lighthouse'];

describe('a share link', () => {
  test('is described without its secret part, except once', async () => {
    const { id, url, body } = await share({ video_id: videoId, expires_in_seconds: 7200 });
    const { created_at: createdAt, expires_at: expiresAt, api_key_id: keyId, ...rest } = body;
    assert.match(id, /^share_[0-9a-z]{26}$/);
    assert.match(url, new RegExp(`^${service.baseUrl}/s/[0-9a-z]{42}$`));
    assert.deepEqual(rest, {
      id,
      object: 'share',
      url,
      video_id: videoId,
      file_id: null,
      collection_id: null,
      show_prompt: false,
    });
    assert.equal(keyId, `key_${hashKey(service.apiKey).slice(0, 16)}`);
    assert.equal(Number(expiresAt) - Number(createdAt), 7200);
    const { body: list } = await call(service, 'GET', '/v1/shares');
    assert.ok(!JSON.stringify(list).includes(url.slice(-32)));
  });

  for (const [name, terms, media] of [
    ['video', { video_id: videoId }, /<video class="player" src="[^"]+" aria-label="Shared video" controls/],
    ['image', { file_id: imageId }, /<img src="[^"]+" alt="Shared image" width="\d+" height="\d+">/],
  ] as const)
    test(`opens a page with the ${name} and nothing about the account`, async () => {
      const { url } = await share(terms);
      const { status, headers, text } = await visit(url);
      assert.equal(status, 200);
      assert.match(text, media);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'none'; /);
      assert.deepEqual([headers.get('cache-control'), headers.get('set-cookie')], ['no-store', null]);
      assert.doesNotMatch(text, /<script|javascript:|\son\w+=/i);
      const [page, visible] = [text, JSON.stringify([...headers])];
      const leaked = SECRETS.filter((secret) => page.includes(secret) || visible.includes(secret));
      assert.deepEqual(leaked, []);
    });

  for (const [name, terms, type, fileName] of [
    ['video', { video_id: videoId }, 'video/mp4', 'video.mp4'],
    ['image', { file_id: imageId }, 'image/jpeg', 'image.jpg'],
  ] as const)
    test(`leads to the bytes of the ${name} for five minutes, inline or as a download`, async () => {
      const { url } = await share(terms);
      const signed = await location(`${url}/content`);
      assert.ok(Number(signed.searchParams.get('X-Amz-Expires')) <= 300);
      assert.deepEqual(
        SECRETS.filter((secret) => signed.href.includes(secret)),
        [],
      );
      const part = await fetch(signed, { headers: { range: 'bytes=4-7' } });
      assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 4]);
      assert.equal(part.headers.get('content-type'), type);
      assert.equal(part.headers.get('content-disposition'), `inline; filename="${fileName}"`);
      assert.equal(part.headers.get('cache-control'), 'private, no-store');
      const saved = await fetch(await location(`${url}/content?download=1`));
      assert.equal(saved.headers.get('content-disposition'), `attachment; filename="${fileName}"`);
      const head = await fetch(await location(`${url}/content`, { method: 'HEAD' }), { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.equal(head.headers.get('content-length'), String((await saved.arrayBuffer()).byteLength));
    });
});

describe('a link that does not work', () => {
  const expire = (id: string) =>
    dynamo.send(
      new UpdateItemCommand({
        TableName: service.sharesTable,
        Key: encode({ id }),
        UpdateExpression: 'SET expiresAt = :now',
        ExpressionAttributeValues: encode({ ':now': Date.now() }),
      }),
    );

  test('gets the same page whether it is unknown, revoked or expired, or its item is deleted', async () => {
    const soonGone = await makeImage();
    const [revoked, expired, orphan] = [
      await share({ video_id: videoId }),
      await share({ video_id: videoId }),
      await share({ file_id: soonGone }),
    ];
    for (const { url } of [revoked, expired, orphan]) assert.equal((await visit(url)).status, 200);
    assert.equal((await revoke(revoked.id)).status, 200);
    await expire(expired.id);
    assert.equal((await call(service, 'DELETE', `/v1/files/${soonGone}`)).status, 200);
    const token = revoked.url.slice(-42);
    const unknown = `${service.baseUrl}/s/${token.slice(0, -4)}0000`;
    const malformed = ['x', token.toUpperCase(), `${token}0`, token.slice(1), `${token}%00`, '..%2fv1', '🙂'];
    const urls = [
      ...[revoked, expired, orphan].map(({ url }) => url),
      unknown,
      ...malformed.map((each) => `${service.baseUrl}/s/${each}`),
    ];
    const answers = await Promise.all(
      urls.flatMap((url) => [url, `${url}/content`]).map((url) => visit(url)),
    );
    const seen = answers.map(({ status, headers, text }) => {
      const all = [...headers].filter(([name]) => !/^(?:date$|x-request-id$|x-amz)/.test(name));
      return JSON.stringify([status, all, text]);
    });
    assert.equal(answers[0]?.status, 404);
    assert.deepEqual(new Set(seen), new Set(seen.slice(0, 1)));
  });

  test('has no other method, and no other path', async () => {
    const { url } = await share({ video_id: videoId });
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      assert.equal((await visit(url, { method })).status, 404, method);
    for (const path of ['/other', '/content/more', '/../../v1/videos'])
      assert.equal((await visit(`${url}${path}`)).status === 200, false, path);
    const head = await visit(url, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
  });
});

describe('the links of an account', () => {
  test('are listed newest first, by page and by item', async () => {
    const fileId = await makeImage();
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.unshift((await share({ file_id: fileId })).id);
    const list = async (query: string) => {
      const { body } = await call(service, 'GET', `/v1/shares?${query}`);
      return { ids: Array.from(Object(body.data), (each) => Object(each).id), more: body.has_more };
    };
    assert.deepEqual(await list(`file_id=${fileId}`), { ids, more: false });
    assert.deepEqual(await list(`file_id=${fileId}&limit=2`), { ids: ids.slice(0, 2), more: true });
    // A page can start after a link that was revoked.
    await revoke(ids[1] ?? '');
    assert.deepEqual(await list(`file_id=${fileId}&after=${ids[1]}`), { ids: ids.slice(2), more: false });
    assert.deepEqual(await list(`video_id=${fileId}`), { ids: [], more: false });
  });

  test('belong to the account', async () => {
    const { id, url } = await share({ video_id: videoId });
    const { body } = await call(service, 'GET', '/v1/shares', { key: otherKey });
    assert.deepEqual(body.data, []);
    assert.equal((await revoke(id, otherKey)).status, 404);
    assert.equal((await visit(url)).status, 200);
    const deleted = await revoke(id);
    assert.deepEqual(deleted.body, { id, object: 'share.deleted', deleted: true });
    assert.deepEqual(readError(await revoke(id)), {
      message: `Share ${id} was not found.`,
      type: 'invalid_request_error',
      param: 'share_id',
      code: 'not_found',
    });
  });

  test('cannot be created by a revoked key, and outlive the key', async () => {
    const key = await shared.issueKey(ACCOUNT);
    const made = await create({ video_id: videoId }, key);
    assert.equal(made.status, 200);
    await revokeApiKey(
      { clientConfig: service.operator, outputs: service.outputs },
      `key_${hashKey(key).slice(0, 16)}`,
    );
    assert.equal((await create({ video_id: videoId }, key)).status, 401);
    assert.equal((await visit(String(made.body.url))).status, 200);
    assert.equal((await revoke(readId(made))).status, 200);
  });
});

test('no link is created for an upload, an unfinished video or an item of another account', async () => {
  const upload = new FormData();
  upload.append('purpose', 'vision');
  upload.append('file', file(PNG, 'a.png', 'image/png'));
  const uploaded = readId(await call(service, 'POST', '/v1/files', { body: upload }));
  const waiting = await createVideo(service, HELD_BACK);
  const REFUSED: readonly (readonly [
    terms: Terms,
    status: number,
    code: string,
    param: string,
    key?: string,
  ])[] = [
    [{ video_id: videoId, file_id: imageId }, 400, 'invalid_request', 'file_id'],
    [{ video_id: videoId, password: 'x' }, 400, 'unknown_parameter', 'password'],
    [{ file_id: uploaded }, 400, 'invalid_request', 'file_id'],
    [{ video_id: waiting }, 409, 'video_not_ready', 'video_id'],
    [{ video_id: videoId }, 404, 'video_not_found', 'video_id', otherKey],
    [{ file_id: imageId }, 404, 'file_not_found', 'file_id', otherKey],
  ];
  for (const [terms, status, code, param, key] of REFUSED) {
    const answer = await create(terms, key);
    const error = readError(answer);
    assert.deepEqual([answer.status, error.code, error.param], [status, code, param], error.message);
  }
});
