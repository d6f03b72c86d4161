import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call } from '../support/http.ts';
import { putVideo } from '../support/library-items.ts';
import { openSharedService } from '../support/open-service.ts';
import { wholeMp4 } from '../support/sample-video.ts';

const service = await openSharedService();
const video = { prompt: 'a quiet harbour', createdAt: Date.now(), bytes: wholeMp4() };
const id = await putVideo(service, service.account, video);

const PATHS: readonly [path: string, status: number][] = [
  ['/v1/videos', 200],
  [`/v1/videos/${id}`, 200],
  [`/v1/videos/${id}/content`, 302],
  ['/openapi.json', 200],
  ['/v1/videos?limit=0', 400],
];

describe('HEAD', () => {
  for (const [path, status] of PATHS)
    test(`answers ${path.replace(id, '{task_id}')} as GET does, without a body`, async () => {
      const [head, get] = [await call(service, 'HEAD', path), await call(service, 'GET', path)];
      assert.deepEqual([head.status, get.status, head.body], [status, status, {}]);
      for (const name of ['content-type', 'cache-control', 'retry-after', 'access-control-allow-origin'])
        assert.equal(head.headers.get(name), get.headers.get(name), name);
      assert.ok(head.headers.has('x-request-id'));
    });

  test('needs the key as GET does', async () => {
    assert.equal((await call(service, 'HEAD', '/v1/videos', { key: '' })).status, 401);
  });

  test('leads to the file, by an address that is for HEAD alone', async () => {
    const addressFor = async (method: string): Promise<string> =>
      (await call(service, method, `/v1/videos/${id}/content`)).headers.get('location') ?? '';
    const [head, get] = [await addressFor('HEAD'), await addressFor('GET')];
    const asked = await fetch(head, { method: 'HEAD' });
    const whole = await fetch(get);
    const bytes = (await whole.arrayBuffer()).byteLength;
    assert.deepEqual([asked.status, asked.headers.get('content-type')], [200, 'video/mp4']);
    assert.deepEqual(asked.headers.get('content-length'), String(bytes));
    assert.match(
      asked.headers.get('content-disposition') ?? '',
      /^attachment; filename="a-quiet-harbour-4s-720p\.mp4"/,
    );
    assert.equal((await fetch(get, { method: 'HEAD' })).status, 403);
    assert.equal((await fetch(head)).status, 403);
  });
});
