import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { GoogleGenAI } from 'google-genai-2';
import { hasContentCredentials } from '../../../functions/images/domain/content-credentials.ts';
import { ASPECT_RATIOS, IMAGE_SIZES, imagePixels } from '../../../lib/sample-generator/image-sizes.ts';
import { readImage } from './support/media.ts';
import { API_KEY, createImage, IMAGE_MODEL, runGenerator } from './support/running-generator.ts';
import { jpeg, png, SUNRISE } from './support/test-pictures.ts';

type Part = {
  readonly text?: string;
  readonly thought?: boolean;
  readonly inlineData?: { readonly data: string; readonly mimeType: string };
};

const generator = await runGenerator();
after(() => generator.stop());

describe('image responses', () => {
  const ask = async (prompt: string, parts: readonly object[] = [], imageConfig?: object) => {
    const response = await createImage(generator.url, prompt, parts, imageConfig);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const readParts = (body: { candidates: { content: { parts: Part[] } }[] }): Part[] =>
    body.candidates[0]?.content.parts ?? [];
  const decodePicture = (part: Part | undefined) => Buffer.from(part?.inlineData?.data ?? '', 'base64');

  test('a response has a text and an image with the pixels of its aspect ratio and size', async () => {
    const { body } = await ask('A fox', [], { aspectRatio: '21:9', imageSize: '512' });
    const parts = readParts(body);
    const types = parts.map((part) => part.inlineData?.mimeType);
    assert.deepEqual(types, [undefined, 'image/jpeg']);
    const { width, height } = await readImage(decodePicture(parts[1]));
    assert.deepEqual({ width, height }, imagePixels('21:9', '512'));
  });

  test('each aspect ratio has its pixels, and each size those of the upstream', () => {
    for (const aspectRatio of ASPECT_RATIOS) {
      const { width, height } = imagePixels(aspectRatio, '1K');
      const [across = 0, down = 0] = aspectRatio.split(':').map(Number);
      assert.ok(Math.abs(Math.log((width / height) * (down / across))) < 0.04, aspectRatio);
    }
    const widths = IMAGE_SIZES.map((imageSize) => imagePixels('16:9', imageSize).width);
    assert.deepEqual(widths, [688, 1376, 2752, 5504]);
  });

  test('input pictures appear in the result', async () => {
    const data = (await jpeg(SUNRISE, 200, 200)).toString('base64');
    const { body } = await ask('A fox', [{ inlineData: { mimeType: 'image/jpeg', data } }]);
    const { width, height, pixels } = await readImage(decodePicture(readParts(body)[1]));
    const at = (Math.round(0.42 * height) * width + Math.round(width / 2)) * 3;
    const expected = SUNRISE(0.5, 0.5);
    for (const [channel, value] of expected.entries())
      assert.ok(Math.abs((pixels[at + channel] ?? 0) - value) < 20);
  });

  const REFUSED = [
    [{ aspectRatio: '7:3' }, /aspect_ratio/],
    [{ imageSize: '8K' }, /image_size/],
  ] as const;
  for (const [config, message] of REFUSED) {
    test(`rejects ${JSON.stringify(config)} with 400`, async () => {
      const { status, body } = await ask('A fox', [], config);
      assert.equal(status, 400);
      assert.match(body.error.message, message);
    });
  }

  test('blocked returns promptFeedback without candidates', async () => {
    const { status, body } = await ask('[sample: blocked]');
    assert.deepEqual(
      [status, body.promptFeedback, body.candidates],
      [200, { blockReason: 'PROHIBITED_CONTENT' }, undefined],
    );
  });

  for (const reason of ['IMAGE_SAFETY', 'PROHIBITED_CONTENT', 'NO_IMAGE']) {
    test(`blocked ${reason} returns a candidate without parts`, async () => {
      const { body } = await ask(`[sample: blocked ${reason}]`);
      assert.equal(body.candidates[0].finishReason, reason);
      assert.equal(body.candidates[0].content.parts, undefined);
    });
  }

  test('text only returns no image', async () => {
    const { body } = await ask('A fox [sample: text only]');
    const keys = readParts(body).map((part) => Object.keys(part));
    assert.deepEqual(keys, [['text']]);
  });

  test('drafts 2 returns two thoughts, then the final image', async () => {
    const parts = readParts((await ask('A fox [sample: drafts 2]')).body);
    const thoughts = parts.map((part) => part.thought);
    assert.deepEqual(thoughts, [undefined, true, true, undefined]);
    assert.equal(new Set(parts.map((part) => part.inlineData?.data)).size, 4);
  });

  test('size 3MB returns a readable picture of exactly that size', async () => {
    const picture = decodePicture(readParts((await ask('A fox [sample: size 3MB]')).body)[1]);
    assert.equal(picture.length, 3_000_000);
    assert.equal((await readImage(picture)).width, 512);
  });

  test('credentials adds content credentials to a picture, also to a padded one, which stays readable', async () => {
    const read = async (prompt: string) => decodePicture(readParts((await ask(prompt)).body)[1]);
    const [plain, signed, padded] = [
      await read('A fox'),
      await read('A fox [sample: credentials]'),
      await read('A fox [sample: credentials, size 3MB]'),
    ];
    assert.deepEqual([plain, signed, padded].map(hasContentCredentials), [false, true, true]);
    assert.deepEqual((await readImage(signed)).pixels, (await readImage(plain)).pixels);
    assert.equal(padded.length, 3_000_000);
    assert.equal((await readImage(padded)).width, 512);
  });

  test("the vendor's SDK gets an image", async () => {
    const client = new GoogleGenAI({ apiKey: API_KEY, httpOptions: { baseUrl: generator.url } });
    const data = (await png(SUNRISE, 64, 64)).toString('base64');
    const request = {
      model: IMAGE_MODEL,
      contents: ['A fox', { inlineData: { mimeType: 'image/png', data } }],
      config: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '16:9', imageSize: '512' },
      },
    };
    const plain = await client.models.generateContent(request);
    const picture = plain.candidates?.[0]?.content?.parts?.at(-1)?.inlineData?.data ?? '';
    assert.equal((await readImage(Buffer.from(picture, 'base64'))).width, 688);
    assert.equal(plain.candidates?.[0]?.finishReason, 'STOP');
    assert.ok((plain.usageMetadata?.totalTokenCount ?? 0) > 0);
  });
});
