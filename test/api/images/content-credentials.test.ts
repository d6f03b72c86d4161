import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { hasContentCredentials } from '../../../functions/images/domain/content-credentials.ts';
import { call } from '../../support/http.ts';
import { describePicture } from '../../support/images/pictures.ts';
import * as images from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';
import { download, openUpstreamMedia, toDigest } from '../../support/upstream-media.ts';

const service = await openSharedService();
const key = images.bearer(service.apiKey);
const SIGNED = 'A fox [sample: credentials]';
const HEADER = 'x-content-credentials';

const upstream = await openUpstreamMedia();
const original = await upstream.image(SIGNED);
assert.ok(hasContentCredentials(original));

const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await images.post(service, path, { ...key, ...headers }, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 500));
  return answer;
};
const readFile = (id: string): Promise<Buffer> => download(`${service.baseUrl}/v1/files/${id}/content`, key);

/** The first image of any format, wherever that has its Base64. */
const readImage = (body: unknown): Buffer => {
  const texts = JSON.stringify(body).matchAll(/[\w+/=]{1000,}/g);
  return Buffer.from(texts.next().value?.[0] ?? '', 'base64');
};

describe('an image with content credentials has the bytes of the upstream', () => {
  for (const [title, path, body] of [
    ['of the Images API', images.GENERATIONS, images.generationBody(SIGNED)],
    [
      'in the format that it has',
      images.GENERATIONS,
      { ...images.generationBody(SIGNED), output_format: 'jpeg' },
    ],
    ['in the format of Imagen', images.IMAGEN, images.imagenBody(SIGNED)],
    ['in a chat', images.CHAT, images.chatBody(SIGNED)],
    ['in the native format', images.NATIVE, images.nativeBody(SIGNED)],
  ] as const)
    test(`${title}, in the response, its file and its share page`, async () => {
      const { headers, body: answer } = await send(path, body);
      assert.equal(headers.get(HEADER), null);
      const fileId = headers.get('x-file-id') ?? '';
      const share = await call(service, 'POST', '/v1/shares', { json: { file_id: fileId } });
      const copies = [readImage(answer), await readFile(fileId), await download(`${share.body.url}/content`)];
      assert.deepEqual(copies.map(toDigest), Array(3).fill(toDigest(original)));
    });

  test('behind its signed URL', async () => {
    const { body } = await send(images.GENERATIONS, {
      ...images.generationBody(SIGNED),
      response_format: 'url',
    });
    assert.equal(toDigest(await download(body.data[0].url)), toDigest(original));
  });

  test('but not in its preview', async () => {
    const { headers } = await send(images.GENERATIONS, images.generationBody(SIGNED));
    const path = `/v1/files/${headers.get('x-file-id')}/preview`;
    const preview = await download(`${service.baseUrl}${path}`, key);
    assert.equal(describePicture(preview.toString('base64')), 'image/webp 480x480');
    assert.equal(hasContentCredentials(preview), false);
  });
});

const CONVERSIONS = [
  ['png', images.GENERATIONS, images.generationBody, { output_format: 'png' }],
  ['webp', images.EDITS, images.editBody, { output_format: 'webp', output_compression: 50 }],
  [
    'png',
    images.IMAGEN,
    images.imagenBody,
    { parameters: { sampleImageSize: '512', outputOptions: { mimeType: 'image/png' } } },
  ],
] as const;

describe('a conversion', () => {
  for (const [format, path, toBody, options] of CONVERSIONS) {
    const title = `to ${format} (${path})`;
    test(`${title} says that it removed the credentials, also when the request is repeated`, async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { ...toBody(SIGNED), ...options };
      const [made, again] = [await send(path, body, headers), await send(path, body, headers)];
      for (const answer of [made, again]) assert.equal(answer.headers.get(HEADER), 'removed');
      const image = readImage(made.body);
      assert.equal(describePicture(image.toString('base64')), `image/${format} 512x512`);
      assert.equal(hasContentCredentials(image), false);
      assert.equal(again.headers.get('x-file-id'), made.headers.get('x-file-id'));
      const copies = [readImage(again.body), await readFile(made.headers.get('x-file-id') ?? '')];
      assert.deepEqual(copies.map(toDigest), Array(2).fill(toDigest(image)));
    });
  }

  test('in a stream says it in the event of each image, also when the request is repeated', async () => {
    const body = { ...images.generationBody(SIGNED), n: 2, stream: true, output_format: 'png' };
    const headers = { ...key, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    for (const _ of ['first', 'again']) {
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${service.baseUrl}${images.GENERATIONS}`, init);
      assert.equal(response.headers.get(HEADER), null);
      const events = Array.from((await response.text()).matchAll(/^data: (.*)$/gm), ([, data = '']) =>
        JSON.parse(data),
      );
      assert.deepEqual(
        events.map(({ content_credentials, output_format }) => [content_credentials, output_format]),
        Array(2).fill(['removed', 'png']),
      );
    }
  });
});
