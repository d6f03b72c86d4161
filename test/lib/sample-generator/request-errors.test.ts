import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  createVideo,
  IMAGE_MODEL,
  KEY,
  poll,
  post,
  runGenerator,
  textBody,
  VIDEO_MODEL,
} from './support/running-generator.ts';
import { png, SUNRISE } from './support/test-pictures.ts';

const NOT_SUPPORTED =
  'Your use case is currently not supported. Please refer to Gemini API documentation for current model offering.';
const OUT_OF_BOUND =
  'The number value for `durationSeconds` is out of bound. Please provide a value between 4 and 8, inclusive.';
const instead = (field: string) =>
  `\`${field}\` isn't supported by this model. Please remove it or refer to the Gemini API documentation for supported usage.`;

const generator = await runGenerator({ drafts: true });
after(() => generator.stop());
const picture = {
  bytesBase64Encoded: (await png(SUNRISE, 64, 64)).toString('base64'),
  mimeType: 'image/png',
};

describe("errors use the upstream's own messages", () => {
  const references = (count: number, referenceType = 'asset') =>
    Array.from({ length: count }, () => ({ image: picture, referenceType }));
  const withInstance = (more: object, parameters: object = { durationSeconds: 8 }) => ({
    instances: [{ prompt: 'p', ...more }],
    parameters,
  });

  const REFUSALS: readonly (readonly [string, () => unknown, string | RegExp])[] = [
    ['generateAudio', () => textBody('p', { generateAudio: false }), instead('generateAudio')],
    ['inlineData', () => withInstance({ image: { inlineData: { data: 'x' } } }), /bytesBase64Encoded/],
    ['a misspelled parameter', () => textBody('p', { aspect_ratio: '9:16' }), /aspect_ratio/],
    [
      'references with a negative prompt',
      () => withInstance({ referenceImages: references(1) }, { durationSeconds: 8, negativePrompt: 'n' }),
      'Negative prompt is not supported in your use case.',
    ],
    [
      '1080p at 6 s',
      () => textBody('p', { durationSeconds: 6, resolution: '1080p' }),
      'Resolution 1080p requires duration seconds to be 8 seconds, but got 6',
    ],
    [
      '4k at 4 s',
      () => textBody('p', { durationSeconds: 4, resolution: '4k' }),
      'Resolution 4k requires duration seconds to be 8 seconds, but got 4',
    ],
    ['3 s', () => textBody('p', { durationSeconds: 3 }), OUT_OF_BOUND],
    ['9 s', () => textBody('p', { durationSeconds: 9 }), OUT_OF_BOUND],
    ['5 s', () => textBody('p', { durationSeconds: 5 }), /4, 6 or 8/],
    ['a duration in words', () => textBody('p', { durationSeconds: '8' }), /durationSeconds/],
    ['a square', () => textBody('p', { aspectRatio: '1:1' }), /aspectRatio/],
    ['480p', () => textBody('p', { resolution: '480p' }), /resolution/],
    ['a negative seed', () => textBody('p', { seed: -1 }), /seed/],
    ['a last frame alone', () => withInstance({ lastFrame: picture }), NOT_SUPPORTED],
    [
      'references at 4 s',
      () => withInstance({ referenceImages: references(1) }, { durationSeconds: 4 }),
      NOT_SUPPORTED,
    ],
    ['four references', () => withInstance({ referenceImages: references(4) }), NOT_SUPPORTED],
    ['references of style', () => withInstance({ referenceImages: references(1, 'STYLE') }), NOT_SUPPORTED],
    [
      'references beside a first frame',
      () => withInstance({ image: picture, referenceImages: references(1) }),
      NOT_SUPPORTED,
    ],
    ['no prompt', () => ({ instances: [{}] }), /prompt/],
    ['no instance', () => ({}), /instances/],
    ['a list as the body', () => [], /instances/],
  ];
  for (const [name, body, message] of REFUSALS) {
    test(`${name}: 400`, async () => {
      const response = await createVideo(generator.url, body());
      const { error } = JSON.parse(await response.text());
      assert.deepEqual([response.status, error.code, error.status], [400, 400, 'INVALID_ARGUMENT']);
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
    });
  }

  test('a missing key is 403, a wrong key 400 with the reason API_KEY_INVALID', async () => {
    const method = `${VIDEO_MODEL}:predictLongRunning`;
    assert.equal((await post(generator.url, method, textBody('p'), {})).status, 403);
    assert.equal(
      (await post(generator.url, method, textBody('p'), { authorization: `Bearer ${KEY['x-goog-api-key']}` }))
        .status,
      403,
    );
    const wrong = await post(generator.url, method, textBody('p'), { 'x-goog-api-key': 'other' });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /API_KEY_INVALID/);
  });

  test('the key header is configurable', async () => {
    const other = await runGenerator({ keyHeader: 'X-Vendor-Api-Key' });
    const ask = (headers: Record<string, string>) =>
      post(other.url, `${VIDEO_MODEL}:predictLongRunning`, textBody('p', { durationSeconds: 3 }), headers);
    assert.equal((await ask(KEY)).status, 403);
    assert.equal((await ask({ 'x-vendor-api-key': KEY['x-goog-api-key'] })).status, 400);
    await other.stop();
  });

  const UNKNOWN = [
    ['an unknown model', () => post(generator.url, 'unknown:predictLongRunning', textBody('p'))],
    [
      'a video from an image model',
      () => post(generator.url, `${IMAGE_MODEL}:predictLongRunning`, textBody('p')),
    ],
    ['an image from a video model', () => post(generator.url, `${VIDEO_MODEL}:generateContent`, {})],
    ['an unknown method', () => post(generator.url, `${VIDEO_MODEL}:dance`, textBody('p'))],
    ['an unknown operation', () => poll(generator.url, `models/${VIDEO_MODEL}/operations/aaaaaaaaaaa`)],
  ] as const;
  for (const [name, ask] of UNKNOWN) {
    test(`${name} is 404`, async () => {
      const response = await ask();
      assert.equal(response.status, 404);
      assert.match(await response.text(), /"status":"NOT_FOUND"/);
    });
  }

  test('an unknown file is 403', async () => {
    const response = await fetch(`${generator.url}/v1beta/files/aaaaaaaaaaa0:download?alt=media`, {
      headers: KEY,
    });
    assert.equal(response.status, 403);
  });

  test('rejects invalid JSON and a body over 20 MiB with 400', async () => {
    const send = (body: string) =>
      fetch(`${generator.url}/v1beta/models/${VIDEO_MODEL}:predictLongRunning`, {
        method: 'POST',
        headers: KEY,
        body,
      });
    assert.match(await (await send('{')).text(), /Invalid JSON payload/);
    assert.match(await (await send('x'.repeat(101 * 1024 * 1024))).text(), /payload size exceeds the limit/);
  });
});
