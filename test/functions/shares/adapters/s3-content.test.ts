import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signContent } from '../../../../functions/shares/adapters/s3-content.ts';
import { startFakeS3 } from '../../platform/aws/fake-s3.ts';

test('a link to shared content is signed for one method, and is not cached', async () => {
  await using s3 = await startFakeS3('get', 'NoSuchKey');
  const sign = signContent(s3.client, 'media');
  const content = { key: 'videos/a.mp4', contentType: 'video/mp4', fileName: 'A fox.mp4' };
  const links = await Promise.all(
    (['GET', 'HEAD'] as const).map((method) =>
      sign(content, { disposition: 'attachment', method, seconds: 60 }),
    ),
  );
  for (const link of links) {
    const { pathname, searchParams } = new URL(link);
    assert.ok(pathname.endsWith('/videos/a.mp4') && link.includes('media'));
    assert.partialDeepStrictEqual(Object.fromEntries(searchParams), {
      'response-content-type': 'video/mp4',
      'response-content-disposition': 'attachment; filename="A fox.mp4"',
      'response-cache-control': 'private, no-store',
      'X-Amz-Expires': '60',
    });
  }
  const [get, head] = links.map((link) => new URL(link).searchParams.get('X-Amz-Signature'));
  assert.notEqual(get, head);
});
