import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectTaggingCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { fileKey } from '../../functions/files/domain/file-keys.ts';
import { videoKey } from '../../functions/videos/domain/media.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { openClients } from '../support/aws-clients.ts';
import { call, readError } from '../support/http.ts';
import { JPEG } from '../support/images.ts';
import { putImage, putVideo } from '../support/library-items.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const { s3, dynamo } = openClients(service.operator);
const DAY = 24 * 60 * 60 * 1000;

const openAccount = async () => {
  const account = `library-${randomUUID()}`;
  const [key, adminKey] = await Promise.all([
    service.issueKey(account),
    issueApiKey(
      { clientConfig: service.operator, outputs: service.outputs },
      { account, name: 'admin', kind: 'admin' },
    ),
  ]);
  const send = (method: string, path: string, json?: unknown) =>
    call(service, method, path, { key, ...(json !== undefined && { json }) });
  const limit = `/v1/organization/projects/${account}/storage_limit`;
  const storage = async (json?: unknown) => {
    const { status, body } = await call(service, json === undefined ? 'GET' : 'POST', limit, {
      key: adminKey,
      ...(json !== undefined && { json }),
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  return { account, send, storage };
};

/** Created six days ago, so that a day is left of the week. */
const CREATED = () => Date.now() - 6 * DAY;
const VIDEO = Buffer.alloc(400_000, 1);

const tags = async (Key: string) => {
  const { TagSet } = await s3.send(new GetObjectTaggingCommand({ Bucket: service.mediaBucket, Key }));
  return TagSet;
};
const LIMITED = [{ Key: 'retention', Value: 'limited' }];

describe('a kept item', () => {
  const KINDS = [
    {
      kind: 'video',
      put: (account: string, createdAt: number) =>
        putVideo(service, account, { prompt: 'a boat', createdAt, bytes: VIDEO }),
      objectKey: (_: string, id: string, createdAt: number) => videoKey({ id, createdAt }),
      path: '/v1/videos',
      bytes: VIDEO.length,
    },
    {
      kind: 'image',
      put: (account: string, createdAt: number) =>
        putImage(service, account, { prompt: 'a boat', createdAt, bytes: JPEG }),
      objectKey: (account: string, id: string) => fileKey(account, id),
      path: '/v1/files',
      bytes: JPEG.length,
    },
  ] as const;

  for (const { kind, put, objectKey, path, bytes } of KINDS)
    test(`that is ${kind === 'video' ? 'a video' : 'an image'} ends only when it is released or deleted`, async () => {
      const { account, send, storage } = await openAccount();
      const createdAt = CREATED();
      const id = await put(account, createdAt);
      const other = await put(account, createdAt + 1);
      const key = objectKey(account, id, createdAt);
      assert.deepEqual(await tags(key), LIMITED);

      const kept = await send('POST', `/v1/library/${id}`, { kept: true });
      assert.deepEqual(kept.body, {
        id,
        object: 'library.item',
        kind,
        name: null,
        kept: true,
        expires_at: null,
      });
      assert.deepEqual((await send('POST', `/v1/library/${id}`, { kept: true })).body, kept.body);
      assert.deepEqual(await tags(key), []);
      assert.equal((await storage()).used_bytes, bytes);
      const { body } = await send('GET', `${path}/${id}`);
      assert.deepEqual([body.kept, body.expires_at], [true, null]);
      const listed = async (query: string) =>
        Object(await send('GET', `${path}?${query}`)).body.data.map((item: { id: string }) => item.id);
      assert.deepEqual([await listed('kept=true'), await listed('kept=false')], [[id], [other]]);
      if (kind === 'video') {
        const Key = { id: { S: id } };
        const { Item } = await dynamo.send(
          new GetItemCommand({ TableName: service.outputs.TaskTableName, Key }),
        );
        assert.ok(Number(Item?.expires?.N) > Date.UTC(9999, 0) / 1000, 'the item does not expire either');
      }

      const before = Math.floor(Date.now() / 1000);
      const released = await send('POST', `/v1/library/${id}`, { kept: false });
      const end = Number(released.body.expires_at);
      assert.ok(end >= before + (7 * DAY) / 1000 && end <= before + (7 * DAY) / 1000 + 60, String(end));
      assert.deepEqual(await tags(key), LIMITED);
      const { LastModified, ContentType } = await s3.send(
        new HeadObjectCommand({ Bucket: service.mediaBucket, Key: key }),
      );
      assert.ok((LastModified?.getTime() ?? 0) >= before * 1000, 'its days count from the release');
      assert.equal(ContentType, kind === 'video' ? 'video/mp4' : 'image/jpeg');
      assert.equal((await storage()).used_bytes, 0);

      await send('POST', `/v1/library/${id}`, { kept: true });
      assert.equal((await send('DELETE', `${path}/${id}`)).status, 200);
      assert.equal((await storage()).used_bytes, 0);
      assert.equal((await send('GET', `${path}/${id}`)).status, 404);
    });

  test('needs storage, of which concurrent requests take no more than there is', async () => {
    const { account, send, storage } = await openAccount();
    const { default_limit_bytes, limit_cost } = await storage();
    assert.deepEqual(
      [default_limit_bytes, limit_cost],
      [10_000_000_000, { amount: '0.22', currency: 'USD' }],
    );
    assert.equal((await storage({ limit_megabytes: 1 })).limit_bytes, 1_000_000);
    const ids = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        putVideo(service, account, { prompt: 'a boat', createdAt: CREATED() + index, bytes: VIDEO }),
      ),
    );
    const results = await Promise.all(ids.map((id) => send('POST', `/v1/library/${id}`, { kept: true })));
    assert.deepEqual(results.map(({ status }) => status).sort(), [200, 200, 429, 429, 429]);
    assert.equal((await storage()).used_bytes, 800_000);
    const refused = readError(results.find(({ status }) => status === 429) ?? assert.fail());
    assert.equal(refused.code, 'insufficient_quota');
    assert.match(String(refused.message), / KB of 1 MB are used, and this video has 400 KB\./);
    assert.equal((await storage({ limit_megabytes: null })).limit_bytes, 10_000_000_000);
    assert.equal((await storage({ limit_megabytes: 0 })).limit_bytes, 0);
    const [first] = ids;
    assert.equal((await send('POST', `/v1/library/${first}`, { kept: false })).status, 200);
  });
});

describe('a collection', () => {
  test('has a name, items in an order and a cover, until it is deleted', async () => {
    const { account, send } = await openAccount();
    const video = await putVideo(service, account, { prompt: 'x', createdAt: CREATED(), bytes: VIDEO });
    const image = await putImage(service, account, { prompt: 'x', createdAt: CREATED(), bytes: JPEG });
    const { body } = await send('POST', '/v1/collections', { name: 'Boats', item_ids: [video, image] });
    const { id, created_at, updated_at, ...rest } = body;
    assert.deepEqual(rest, {
      object: 'library.collection',
      name: 'Boats',
      item_ids: [video, image],
      cover_id: video,
    });
    const path = `/v1/collections/${id}`;
    const reordered = await send('POST', path, { order: [image], cover_id: video });
    assert.deepEqual([reordered.body.item_ids, reordered.body.cover_id], [[image, video], video]);
    const without = await send('POST', path, { remove_item_ids: [video] });
    assert.deepEqual([without.body.name, without.body.cover_id], ['Boats', image]);
    assert.equal((await send('POST', path, { name: 'Ships' })).body.name, 'Ships');
    const second = await send('POST', '/v1/collections', { name: 'Empty' });
    const listed = await send('GET', '/v1/collections');
    assert.deepEqual(
      Object(listed.body).data.map((each: { name: string; cover_id: unknown }) => [each.name, each.cover_id]),
      [
        ['Empty', null],
        ['Ships', image],
      ],
    );
    assert.deepEqual(Object((await send('GET', '/v1/files')).body).data.length, 1, 'it is no file');
    assert.equal((await send('GET', `/v1/files/${second.body.id}`)).status, 404);
    assert.equal((await send('DELETE', path)).status, 200);
    assert.equal((await send('DELETE', path)).status, 404);
    assert.equal((await send('GET', `/v1/videos/${video}`)).status, 200);
  });

  test('is shown by a link, as it is when the link is opened', async () => {
    const { account, send } = await openAccount();
    const put = () => putVideo(service, account, { prompt: 'x', createdAt: CREATED(), bytes: VIDEO });
    const [first, second] = [await put(), await put()];
    const { body } = await send('POST', '/v1/collections', { name: 'Boats & ships', item_ids: [first] });
    const created = await send('POST', '/v1/shares', { collection_id: body.id });
    assert.deepEqual([created.status, created.body.collection_id], [200, body.id]);
    const url = String(created.body.url);
    const open = async () => {
      const response = await fetch(url);
      const text = await response.text();
      return { status: response.status, text, items: [...text.matchAll(/<li><a href="\?item=(\w+)"/g)] };
    };
    assert.equal((await open()).items.length, 1);
    await send('POST', `/v1/collections/${body.id}`, { add_item_ids: [second], order: [second] });
    const { text, items } = await open();
    assert.match(text, /<h1 dir="auto">Boats &amp; ships<\/h1>/);
    assert.doesNotMatch(text, new RegExp(`${account}|${first}|${body.id}`));
    const posters = [...text.matchAll(/<video src="(http[^"]+)#t=0\.1"/g)];
    assert.deepEqual([items.length, posters.length], [2, 2]);
    const poster = await fetch(String(posters[0]?.[1]).replaceAll('&amp;', '&'));
    assert.equal((await poster.arrayBuffer()).byteLength, VIDEO.length);
    const download = await fetch(`${url}/content?item=${items[1]?.[1]}&download=1`);
    assert.equal(download.headers.get('content-disposition'), 'attachment; filename="video-2.mp4"');
    const listed = await send('GET', `/v1/shares?collection_id=${body.id}`);
    assert.deepEqual(
      Object(listed.body).data.map((each: { id: string }) => each.id),
      [created.body.id],
    );
    assert.equal((await send('DELETE', `/v1/collections/${body.id}`)).status, 200);
    assert.equal((await open()).status, 404);
    assert.equal((await fetch(`${url}/content?item=${items[1]?.[1]}`)).status, 404);
  });
});
