import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import OpenAI from 'openai';
import { BEARER, readJson, runOpenAi, toForm } from './support/job-servers.ts';
import { readImage } from './support/media.ts';
import { API_KEY, IMAGE_MODEL } from './support/running-generator.ts';
import { png, SUNRISE } from './support/test-pictures.ts';

const server = await runOpenAi();
after(() => server.stop());

const generate = (prompt: string, more: object = {}) =>
  fetch(`${server.url}/v1/images/generations`, {
    method: 'POST',
    headers: BEARER,
    body: JSON.stringify({ model: IMAGE_MODEL, prompt, size: '512x512', ...more }),
  });
const edit = (fields: Readonly<Record<string, unknown>>) =>
  fetch(`${server.url}/v1/images/edits`, {
    method: 'POST',
    headers: BEARER,
    body: toForm({ model: IMAGE_MODEL, prompt: 'A fox', size: '512x512', ...fields }),
  });
const decode = ({ b64_json: base64 = '' }: { b64_json?: string } = {}) => Buffer.from(base64, 'base64');

describe('the Images API', () => {
  test("OpenAI's SDK generates and edits images", async () => {
    const client = new OpenAI({ apiKey: API_KEY, baseURL: `${server.url}/v1` });
    const { data, usage } = await client.images.generate({
      model: IMAGE_MODEL,
      prompt: 'A fox',
      size: '1536x1024',
    });
    assert.equal((await readImage(decode(data?.[0]))).width, 1536);
    assert.deepEqual([usage?.input_tokens, usage?.output_tokens], [2, 1120]);
    const image = new File([new Uint8Array(await png(SUNRISE, 64, 64))], 'fox.png', { type: 'image/png' });
    const edited = await client.images.edit({ model: IMAGE_MODEL, prompt: 'A fox', image: [image, image] });
    assert.equal(edited.usage?.input_tokens_details.image_tokens, 516);
    assert.equal((await readImage(decode(edited.data?.[0]))).width, 1024);
  });

  test('an edit needs a form with an image, in either name', async () => {
    const image = new Blob([new Uint8Array(await png(SUNRISE, 64, 64))], { type: 'image/png' });
    assert.deepEqual([(await edit({ image })).status, (await edit({ 'image[]': image })).status], [200, 200]);
    assert.equal((await edit({})).status, 400);
    const json = await fetch(`${server.url}/v1/images/edits`, {
      method: 'POST',
      headers: BEARER,
      body: '{}',
    });
    assert.equal(json.status, 415);
  });

  test('a blocked prompt is 400 with the code of the moderation', async () => {
    const response = await generate('[sample: blocked]');
    const { error } = await readJson(response);
    assert.deepEqual([response.status, error.code], [400, 'moderation_blocked']);
  });

  test('text only has no image', async () => {
    assert.deepEqual((await readJson(await generate('A fox [sample: text only]'))).data, []);
  });

  for (const [name, more, status, param] of [
    ['an unknown model', { model: 'dall-e-3' }, 404, null],
    ['a video model', { model: 'video-3.1-generate-preview' }, 404, null],
    ['no prompt', { prompt: '' }, 400, 'prompt'],
    ['a URL as the response', { response_format: 'url' }, 400, 'response_format'],
    ['two images', { n: 2 }, 400, 'n'],
    ['an odd size', { size: '511x512' }, 400, 'size'],
    ['a huge size', { size: '9000x9000' }, 400, 'size'],
    ['a size in words', { size: 'large' }, 400, 'size'],
  ] as const)
    test(`${name} is ${status}`, async () => {
      const response = await generate('A fox', more);
      assert.deepEqual([response.status, (await readJson(response)).error.param], [status, param]);
    });
});
