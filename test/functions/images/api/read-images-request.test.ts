import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import {
  type ImagesRequest,
  readEditImages,
  readGenerateImages,
  withImagesDefaults,
} from '../../../../functions/images/api/read-images-request.ts';
import { FilePart } from '../../../../functions/platform/body/fields.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { dataUri, imageKind, JPEG, PNG } from '../../../support/images.ts';

const PROMPT = 'A fox';
const URI = dataUri(PNG, 'image/png');
const BASE = { model: IMAGE_MODEL, prompt: PROMPT };
const generate = (fields: object): ImagesRequest => readGenerateImages({ ...BASE, ...fields }).data;
const edit = (fields: object): ImagesRequest => readEditImages({ ...BASE, ...fields }).data;

describe('an option of the Images API is rejected', () => {
  const OPTIONS: readonly (readonly [field: string, value: unknown, message: RegExp])[] = [
    ['n', 11, /^n must be a whole number from 1 to 10/],
    ['quality', 'xhigh', /^quality must be one of auto, low, medium, high, standard, hd\./],
    ['response_format', 'file', /^response_format must be one of b64_json, url: /],
    ['output_format', 'gif', /^output_format must be one of jpeg, png, webp/],
    ['output_compression', 101, /^output_compression must be a whole number from 0 to 100\.$/],
    ['background', 'transparent', /^background must be one of auto, opaque: .*transparent/],
    ['moderation', 'none', /^moderation must be one of auto, low\./],
    ['partial_images', 4, /^partial_images must be one of 0, 1, 2, 3: /],
    ['stream', 'yes', /^stream must be one of true, false: /],
    ['style', 'anime', /^style must be one of vivid, natural\./],
    ['complexity', 'high', /^complexity is not supported: /],
    ['input_fidelity', 'max', /^input_fidelity must be one of low, high\./],
    ['watermark', 'true', /^watermark must be false: /],
    ['steps', 30, /^steps is not an accepted field/],
    ['promt', 'A fox', /^promt is not an accepted field\. Did you mean prompt\?/],
    ['negative_prompt', 'text', /^negative_prompt is not supported: .*prompt/],
    ['negativePrompt', 'text', /^negativePrompt is not supported: .*prompt/],
    ['mask', URI, /^mask is not supported: .*prompt/],
    ['markup', URI, /^markup is not supported: .*another image/],
    ['frame_count', 4, /^frame_count is not supported: /],
    ['frame_duration_ms', 200, /^frame_duration_ms is not supported: /],
    ['svg', { model: 'x' }, /^svg is not supported: /],
    ['width', 512, /^width is not supported: use size/],
    ['height', 512, /^height is not supported: use size/],
    ['size', '1100x1024', /^size must be one of auto, 1:1, .*4K, or WIDTHxHEIGHT .*within 3 %/],
    ['size', 1024, /^size must be one of auto/],
    ['aspect_ratio', '5:1', /^aspect_ratio must be one of 1:1, /],
    ['imageConfig', { aspectRatio: '5:1' }, /^imageConfig.aspectRatio must be one of 1:1, /],
    ['prompt', 'x'.repeat(32_001), /^prompt is longer than 32000 characters/],
    ['prompt', ['a', 'b'], /^prompt must be a string, given once/],
    ['prompt', null, /^prompt is required: 1 to 32000 characters/],
    ['model', 'dall-e-1', /^model must be image-3.1-flash-image-preview, or an alias/],
  ];
  for (const [field, value, message] of OPTIONS)
    test(`if it is ${field} ${JSON.stringify(value)?.slice(0, 40)}`, () => {
      const param = field.replace(/^imageConfig$/, 'imageConfig.aspectRatio');
      const refusal = { name: 'DomainError', param, message };
      assert.throws(() => generate({ [field]: value }), refusal);
      assert.throws(() => edit({ image: URI, [field]: value }), refusal);
    });
});

describe('the size of an image', () => {
  const SIZES = [
    [{}, undefined, undefined],
    [{ size: 'auto' }, undefined, undefined],
    [{ size: '1024x1024' }, '1:1', '1K'],
    [{ size: '5504x3072' }, '16:9', '4K'],
    [{ size: '2K' }, undefined, '2K'],
    [{ aspect_ratio: '9:16', image_size: '2k' }, '9:16', '2K'],
    [{ aspectRatio: '9:16', imageSize: '4K' }, '9:16', '4K'],
    [{ imageConfig: { aspectRatio: '4:5' }, size: '2048x2048' }, '4:5', '2K'],
    [{ aspect_ratio: '16:9', imageConfig: { aspectRatio: '4:5', imageSize: '512' } }, '16:9', '512'],
  ] as const;
  for (const [fields, aspectRatio, imageSize] of SIZES)
    test(`${JSON.stringify(fields)} is ${aspectRatio} at ${imageSize}`, () => {
      assert.deepEqual(generate(fields).request.config, { aspectRatio, imageSize });
    });
});

describe('the number of images', () => {
  test('is 1 by default', () => assert.equal(generate({}).count, 1));
  test('is read from JSON and forms', () =>
    assert.deepEqual([generate({ n: 3 }).count, edit({ image: URI, n: '3' }).count], [3, 3]));
  test('is at most 4 at 4K', () => {
    assert.equal(generate({ n: 4, size: '4K' }).count, 4);
    assert.equal(generate({ n: 10, size: '2K' }).count, 10);
    assert.equal(generate({ n: 10, size: '2K', output_format: 'png' }).count, 10);
    assert.equal(generate({ n: 2, size: '4K', output_format: 'png' }).count, 2);
    assert.throws(() => generate({ n: 3, size: '4K', output_format: 'png' }), {
      param: 'n',
      message: 'n must be at most 2 at 4K as png.',
    });
    const message = 'n must be at most 4 at 4K.';
    assert.throws(() => generate({ n: 5, size: '4096x4096' }), {
      code: 'invalid_request',
      param: 'n',
      message,
    });
  });
});

describe('the conversion of an image', () => {
  const CONVERSIONS = [
    [{}, undefined],
    [{ output_format: null, output_compression: null }, undefined],
    [{ output_compression: 100 }, undefined],
    [{ output_format: 'jpeg' }, { format: 'jpeg', quality: 100 }],
    [{ output_format: 'png' }, { format: 'png', quality: 100 }],
    [
      { output_format: 'png', output_compression: '100' },
      { format: 'png', quality: 100 },
    ],
    [
      { output_format: 'webp', output_compression: 80 },
      { format: 'webp', quality: 80 },
    ],
    [{ output_compression: 0 }, { format: 'jpeg', quality: 0 }],
  ] as const;
  for (const [fields, conversion] of CONVERSIONS)
    test(`is ${JSON.stringify(conversion)} for ${JSON.stringify(fields)}`, () => {
      assert.deepEqual(generate(fields).conversion, conversion);
      assert.deepEqual(edit({ image: URI, ...fields }).conversion, conversion);
    });

  test('compresses no PNG', () => {
    const fields = { output_format: 'png', output_compression: 80 };
    const refusal = { param: 'output_compression', message: /must be 100 for png.*jpeg or webp/ };
    assert.throws(() => generate(fields), refusal);
    assert.throws(() => edit({ image: URI, ...fields }), refusal);
  });
});

describe('the images of an edit', () => {
  const FILE = new FilePart(JPEG);
  const imageTypes = (fields: object): string[] =>
    edit(fields).request.turns.flatMap(({ parts }) =>
      parts.map(({ content }) => (content.kind === 'text' ? content.text : imageKind(content.image))),
    );
  const TAKEN = [
    ['a file', { image: FILE }, ['image/jpeg']],
    ['files', { image: [FILE, new FilePart(PNG)] }, ['image/jpeg', 'image/png']],
    ['a data URI', { image: URI }, ['image/png']],
    ['a list of addresses', { images: [{ image_url: URI }, { image_url: URI }] }, ['image/png', 'image/png']],
    ['both fields', { image: FILE, images: [URI] }, ['image/jpeg', 'image/png']],
    ['ten of them', { image: Array(10).fill(FILE) }, Array(10).fill('image/jpeg')],
  ] as const;
  for (const [title, fields, types] of TAKEN)
    test(`are accepted as ${title}, after the prompt`, () =>
      assert.deepEqual(imageTypes(fields), [PROMPT, ...types]));

  const REFUSED = [
    ['none', {}, 'image', /^image is required/],
    ['an empty list', { image: [] }, 'image', /^image must be a list with at least one/],
    ['eleven', { image: Array(11).fill(FILE) }, 'image', /^image must be at most 10 images/],
    ['eleven in two', { image: Array(6).fill(FILE), images: Array(5).fill(URI) }, 'images', /at most 10/],
    [
      'an address without TLS',
      { images: [{ image_url: 'http://example.com/fox.png' }] },
      'images[0].image_url',
      /https/,
    ],
    ['no id of a file', { images: [{ file_id: 'file-1' }] }, 'images[0].file_id', /such as file_abc/],
    ['an id and an image', { image: { file_id: 'file_1', image_url: URI } }, 'image', /one of file_id/],
    ['no image', { image: new FilePart(Buffer.from('GIF89a')) }, 'image', /image\/jpeg/],
    ['one among others', { image: [FILE, new FilePart(Buffer.alloc(0))] }, 'image[1]', /is empty/],
  ] as const;
  for (const [title, fields, param, message] of REFUSED)
    test(`are rejected if there is ${title}`, () => {
      assert.throws(
        () => edit(fields),
        (error) => {
          assert.ok(error instanceof DomainError);
          assert.match(error.message, message);
          assert.ok(error.param?.startsWith(param), String(error.param));
          return true;
        },
      );
    });

  test('are rejected by generations', () => {
    for (const field of ['image', 'images'])
      assert.throws(() => generate({ [field]: URI }), { param: field, message: /\/v1\/images\/edits/ });
  });
});

describe('a response has URLs by default', () => {
  const CASES: readonly (readonly [title: string, fields: object, hasUrls: boolean, format: unknown])[] = [
    ['with a model name of DALL·E', { model: 'dall-e-3' }, true, 'url'],
    ['also with a prefix', { model: 'openai/dall-e-2', stream: false }, true, 'url'],
    ['but not if images are not stored', { model: 'dall-e-3' }, false, undefined],
    ['also in a form', { model: 'dall-e-3', stream: 'false' }, true, 'url'],
    ['but not in a stream', { model: 'dall-e-3', stream: true }, true, undefined],
    ['but not with other names', { model: 'gpt-image-1' }, true, undefined],
    ['also if they end like one', { model: 'my-dall-e-3' }, true, undefined],
    ['but not if Base64 is asked for', { model: 'dall-e-3', response_format: 'b64_json' }, true, 'b64_json'],
  ];
  for (const [title, fields, hasUrls, format] of CASES)
    test(title, () => assert.equal(withImagesDefaults({ ...fields }, hasUrls).response_format, format));
});

test('an empty model counts as absent', () => {
  assert.deepEqual(withImagesDefaults({ model: '', prompt: PROMPT }, true), { prompt: PROMPT });
});

describe('a field of another service', () => {
  const REFUSED: readonly (readonly [names: string, advice: RegExp])[] = [
    [
      'image_url image_urls input_image input_images input_reference input_references init_image reference_image reference_images',
      /send images as image to \/v1\/images\/edits\.$/,
    ],
    ['resolution ratio', /send size, or aspect_ratio and image_size\.$/],
    ['extra_body extra_fields parameters', /send its fields at top level\.$/],
  ];
  for (const [names, message] of REFUSED)
    test(`gets advice: ${names}`, () => {
      for (const name of names.split(' ')) {
        assert.throws(() => generate({ [name]: 'x' }), { code: 'unknown_parameter', param: name, message });
        assert.throws(() => edit({ image: URI, [name]: 'x' }), { param: name, message });
      }
    });
});

test('options have defaults, and those without an effect are named', () => {
  const request = {
    model: 'image-3.1-flash-image-preview',
    turns: [{ role: 'user', parts: [{ content: { kind: 'text', text: PROMPT } }] }],
    config: { aspectRatio: undefined, imageSize: undefined },
    modalities: ['IMAGE'],
    sampling: { seed: undefined },
  };
  const defaults = { responseFormat: 'b64_json', stream: false, background: 'auto' };
  const whole = { request, count: 1, conversion: undefined, ...defaults };
  assert.deepEqual(generate({}), whole);
  assert.deepEqual(generate({ response_format: 'b64_json', background: 'auto', stream: false }), whole);
  for (const stream of [true, 'true'])
    assert.deepEqual(generate({ seed: '7', response_format: 'url', background: 'opaque', stream }), {
      ...{ ...whole, responseFormat: 'url', stream: true, background: 'opaque' },
      request: { ...request, sampling: { seed: 7 } },
    });
  const unapplied = { quality: 'hd', moderation: 'low', style: 'vivid', input_fidelity: 'low', user: 'a' };
  const named = { ...unapplied, safety_identifier: 'a', metadata: { a: 1 } };
  const others = { n: '10', output_compression: '100', partial_images: '3', watermark: 'false' };
  assert.deepEqual(readGenerateImages({ ...BASE, ...named, ...others }), {
    data: { ...whole, count: 10 },
    ignored: Object.keys(named),
  });
});
