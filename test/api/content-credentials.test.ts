import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { call, createVideo, waitFor } from '../support/http.ts';
import { bearer } from '../support/images/requests.ts';
import { hasCredentialsBox } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { download, openUpstreamMedia, toDigest } from '../support/upstream-media.ts';

const service = await openSharedService();
const upstream = await openUpstreamMedia();
const key = bearer(service.apiKey);

const signedUrl = async (path: string): Promise<string> => {
  const { status, headers } = await call(service, 'GET', path);
  assert.equal(status, 302);
  return headers.get('location') ?? '';
};

const readRanges = async (url: string, ranges: readonly string[]): Promise<Buffer> =>
  Buffer.concat(
    await Promise.all(
      ranges.map(async (range) => {
        const response = await fetch(url, { headers: { range: `bytes=${range}` } });
        assert.equal(response.status, 206, range);
        return Buffer.from(await response.arrayBuffer());
      }),
    ),
  );

const readShare = async (item: object): Promise<Buffer> => {
  const { body } = await call(service, 'POST', '/v1/shares', { json: item });
  return download(`${body.url}/content`);
};

const readNativeFile = async (id: string): Promise<Buffer> => {
  const { body } = await call(service, 'GET', `/v1beta/operations/${id}`);
  const [, uri = ''] = /"uri":"([^"]+)"/.exec(JSON.stringify(body)) ?? [];
  return download(uri, key);
};

/** A video of 20 MB is stored in several parts, and one in Base64 is decoded first. */
const VIDEOS = [
  ['a video', 'credentials'],
  ['a large video', 'credentials, size 20MB'],
  ['an inline video', 'credentials, inline video'],
] as const;

describe('with content credentials', { concurrency: VIDEOS.length }, () => {
  for (const [kind, testPrompts] of VIDEOS)
    describe(`${kind} has the bytes of the upstream`, () => {
      let id = '';
      let expected = { digest: '', bytes: 0 };
      before(async () => {
        id = await createVideo(service, `A signed harbour [sample: ${testPrompts}]`);
        const original = await upstream.video(
          `A signed harbour [sample: ${testPrompts.replace(', inline video', '')}]`,
        );
        assert.ok(hasCredentialsBox(original));
        expected = { digest: toDigest(original), bytes: original.length };
        assert.equal((await waitFor(service, id)).body.status, 'completed');
      });
      const requireSame = (bytes: Buffer): void =>
        assert.deepEqual({ digest: toDigest(bytes), bytes: bytes.length }, expected);

      test('in its download', async () => {
        requireSame(await download(`${service.baseUrl}/v1/videos/${id}/content`, key));
      });

      test('in ranges that are put together', async () => {
        const { bytes } = expected;
        const cut = bytes - 5000;
        const ranges = ['0-0', '1-999', `1000-${cut - 1}`, `${cut}-${bytes - 101}`, '-100'];
        requireSame(await readRanges(await signedUrl(`/v1/videos/${id}/content`), ranges));
      });

      test('on its share page', async () => {
        requireSame(await readShare({ video_id: id }));
      });

      test('in the native download of its operation', async () => {
        requireSame(await readNativeFile(id));
      });
    });
});
