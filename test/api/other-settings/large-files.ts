import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { call, MODEL, readError, waitFor } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { bearer, CHAT, EDITS, NATIVE, post } from '../../support/images/requests.ts';
import { largePng } from '../../support/images.ts';
import { putFile } from '../../support/stored-files.ts';
import { service } from './service.ts';

const ids = await Promise.all([1, 2, 3].map(() => putFile(service, 'tester', largePng(10_000_000))));

/** How long the latest request was that the generator took. */
const latestLength = (): number =>
  Number(
    service.generator.requests().findLast(({ method }) => method === 'POST')?.headers['content-length'] ?? 0,
  );

test('three references of 10 MB make a video', async () => {
  const client = new OpenAI({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1` });
  const reference_images = ids.map((file_id) => ({ file_id }));
  const given = { model: MODEL, prompt: 'a quiet harbour', reference_images };
  const { body } = await waitFor(service, (await client.videos.create(given)).id);
  assert.equal(body.status, 'completed', JSON.stringify(body.error));
  assert.ok(latestLength() > 40_000_000);
});

test('every format makes an image from three of 10 MB', async () => {
  const text = 'a quiet harbour';
  const parts = [{ text }, ...ids.map((id) => ({ fileData: { fileUri: `files/${id}` } }))];
  const content = [
    { type: 'text', text },
    ...ids.map((id) => ({ type: 'image_url', image_url: { url: id } })),
  ];
  const REQUESTS: readonly (readonly [string, object])[] = [
    [NATIVE, { contents: [{ parts }] }],
    [CHAT, { model: IMAGE_MODEL, messages: [{ role: 'user', content }] }],
    [EDITS, { prompt: text, images: ids.map((file_id) => ({ file_id })) }],
  ];
  for (const [path, body] of REQUESTS) {
    const { status } = await post(service, path, bearer(service.apiKey), body);
    assert.deepEqual([path, status], [path, 200]);
    assert.ok(latestLength() > 40_000_000);
  }
});

test('what is more than 100 MB in Base64 is refused with its sum', async () => {
  const [id = ''] = ids;
  const images = Array.from({ length: 8 }, () => ({ file_id: id }));
  const refusal = await call(service, 'POST', EDITS, { json: { prompt: 'a quiet harbour', images } });
  assert.equal(refusal.status, 400);
  assert.match(
    readError(refusal).message,
    /together they have 80(?:\.\d)? MB, but a request may have at most 7\d(?:\.\d)? MB of images\.$/,
  );
  assert.equal(readError(refusal).param, 'images[0].file_id');
});
