import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../../../functions/catalogue/domain/image-sizes.ts';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { readNativeRequest } from '../../../../functions/images/api/native-image.ts';
import { readChatRequest } from '../../../../functions/images/api/read-chat-request.ts';

type Config = Readonly<Record<string, unknown>>;

const native = (imageConfig: unknown) =>
  readNativeRequest(IMAGE_MODEL, {
    contents: [{ parts: [{ text: 'A fox' }] }],
    generationConfig: { responseModalities: ['image'], imageConfig },
  }).data;

const chat = (fields: object, system: readonly object[] = []) =>
  readChatRequest({
    model: IMAGE_MODEL,
    messages: [...system, { role: 'user', content: 'A fox' }],
    ...fields,
  }).data.request;

const snake = ({ aspectRatio, imageSize }: Config) => ({ aspect_ratio: aspectRatio, image_size: imageSize });
const systemMessage = (content: unknown) => [{ role: 'system', content: JSON.stringify(content) }];

/** Every place of a configuration, with its name in errors. */
const WAYS = [
  ['generationConfig.imageConfig', 'aspectRatio', native],
  ['extra_body.imageConfig', 'aspectRatio', (c: Config) => chat({ extra_body: { imageConfig: c } })],
  ['imageConfig', 'aspectRatio', (c: Config) => chat({ imageConfig: c })],
  ['image_config', 'aspect_ratio', (c: Config) => chat({ image_config: snake(c) })],
  [
    'extra_body.google.image_config',
    'aspect_ratio',
    (c: Config) => chat({ extra_body: { google: { image_config: snake(c) } } }),
  ],
  ['google.image_config', 'aspect_ratio', (c: Config) => chat({ google: { image_config: snake(c) } })],
  ['messages[0].content', 'aspectRatio', (c: Config) => chat({}, systemMessage(c))],
  [
    'messages[0].content.imageConfig',
    'aspectRatio',
    (c: Config) => chat({}, systemMessage({ imageConfig: c })),
  ],
] as const;

for (const [param, ratioName, read] of WAYS)
  describe(`a configuration as ${param}`, () => {
    test('accepts every aspect ratio in every size', () => {
      for (const aspectRatio of IMAGE_ASPECT_RATIOS)
        for (const imageSize of [...IMAGE_SIZES, undefined])
          assert.deepEqual(read({ aspectRatio, imageSize }).config, { aspectRatio, imageSize });
      assert.equal(read({ imageSize: '4k' }).config.imageSize, '4K');
    });

    test('rejects others with the accepted ones', () => {
      const sizeName = ratioName === 'aspectRatio' ? 'imageSize' : 'image_size';
      for (const [field, name, values, accepted] of [
        ['aspectRatio', ratioName, ['16:10', '16/9', '16:9 ', '', 'square'], IMAGE_ASPECT_RATIOS],
        ['aspectRatio', ratioName, [1, true, ['1:1']], []],
        ['imageSize', sizeName, ['8K', '1024', '1024x1024', '2 K', '', '512px'], IMAGE_SIZES],
      ] as const)
        for (const value of values)
          assert.throws(() => read({ [field]: value }), {
            code: 'invalid_request',
            param: `${param}.${name}`,
            message: new RegExp(accepted.join(', ')),
          });
    });
  });

test('the first place with a value wins', () => {
  const request = chat(
    {
      extra_body: { imageConfig: { aspectRatio: '1:1' } },
      imageConfig: { aspectRatio: '4:3', imageSize: '2K' },
    },
    systemMessage({ aspectRatio: '8:1', imageSize: '4K' }),
  );
  assert.deepEqual(request.config, { aspectRatio: '1:1', imageSize: '2K' });
});

test('without a configuration, the upstream decides', () => {
  const neither = { aspectRatio: undefined, imageSize: undefined };
  assert.deepEqual(chat({}).config, neither);
  assert.deepEqual(native(undefined).config, neither);
  assert.deepEqual(chat({ extra_body: null, imageConfig: null }).config, neither);
});
