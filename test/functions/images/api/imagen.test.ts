import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { imagenResponse, readImagenRequest } from '../../../../functions/images/api/imagen.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { GENERATED_IMAGE } from '../../../support/builders/requests.ts';

const read = (body: Readonly<Record<string, unknown>>) => readImagenRequest(IMAGE_MODEL, body).data;
const instances = [{ prompt: 'A fox' }];
const withParameters = (parameters: object) => read({ instances, parameters });

const PLAIN = {
  model: IMAGE_MODEL,
  turns: [{ role: 'user', parts: [{ content: { kind: 'text', text: 'A fox' } }] }],
  safetySettings: undefined,
  config: { aspectRatio: undefined, imageSize: undefined },
  modalities: ['IMAGE'],
  sampling: { seed: undefined },
};

describe('an Imagen request', () => {
  test('with a prompt alone makes one image, because each is charged', () => {
    assert.deepEqual(read({ instances }), {
      request: PLAIN,
      count: 1,
      includeReasons: false,
      conversion: undefined,
    });
  });

  test('passes on its parameters, in camelCase or snake_case', () => {
    const parameters = {
      sampleCount: 4,
      aspectRatio: '3:4',
      sampleImageSize: '2k',
      personGeneration: 'ALLOW_ADULT',
      safetySetting: 'BLOCK_ONLY_HIGH',
      includeRaiReason: true,
      language: 'en',
      outputOptions: { mimeType: 'image/jpeg' },
    };
    assert.deepEqual(withParameters(parameters), {
      request: {
        ...PLAIN,
        safetySettings: [
          { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' },
          { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_ONLY_HIGH' },
          { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'BLOCK_ONLY_HIGH' },
          { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_ONLY_HIGH' },
        ],
        config: { aspectRatio: '3:4', imageSize: '2K' },
      },
      count: 4,
      includeReasons: true,
      conversion: { format: 'jpeg', quality: 100 },
    });
    const snakeCase = withParameters({ sample_count: 2, aspect_ratio: '16:9', image_size: '1K' });
    assert.deepEqual(
      [snakeCase.count, snakeCase.request.config],
      [2, { aspectRatio: '16:9', imageSize: '1K' }],
    );
    assert.equal(withParameters({ seed: 0 }).request.sampling.seed, 0);
  });

  test('is converted to another format or quality', () => {
    const conversion = (outputOptions: object) => withParameters({ outputOptions }).conversion;
    assert.deepEqual(conversion({ mimeType: 'image/png' }), { format: 'png', quality: 100 });
    assert.deepEqual(conversion({ mimeType: 'image/webp' }), { format: 'webp', quality: 100 });
    assert.deepEqual(conversion({ compressionQuality: 75 }), { format: 'jpeg', quality: 75 });
    assert.equal(conversion({}), undefined);
  });

  const REFUSED: readonly (readonly [
    param: string,
    body: Readonly<Record<string, unknown>>,
    message: RegExp,
  ])[] = [
    ['instances', {}, /is required|must be a list/],
    ['instances', { instances: [] }, /at least one item/],
    ['instances', { instances: [...instances, ...instances] }, /sampleCount is the number of images/],
    ['instances.prompt', { instances: {} }, /is required/],
    ['instances[0].prompt', { instances: [{ prompt: ' ' }] }, /1 to 32000 characters/],
    ['instances[0].image', { instances: [{ prompt: 'a', image: {} }] }, /generateContent/],
    ...(
      [
        ['sampleCount', { sampleCount: 5 }, /from 1 to 4/],
        ['sample_count', { sample_count: 0 }, /from 1 to 4/],
        [
          'sampleCount',
          { sampleCount: 3, imageSize: '4K', outputOptions: { mimeType: 'image/png' } },
          /at most 2 at 4K as image\/png/,
        ],
        ['aspectRatio', { aspectRatio: '16:10' }, /21:9/],
        ['sampleImageSize', { sampleImageSize: '3K' }, /4K/],
        ['imageSize', { imageSize: '1K', sampleImageSize: '2K' }, /differ/],
        ['personGeneration', { personGeneration: 'dont_allow' }, /allow_all or allow_adult/],
        ['safetySetting', { safetySetting: 'block_most' }, /block_only_high/],
        ['includeSafetyAttributes', { includeSafetyAttributes: true }, /must be false/],
        ['addWatermark', { addWatermark: false }, /must be true/],
        ['enhancePrompt', { enhancePrompt: false }, /must be true/],
        ['negativePrompt', { negativePrompt: 'rain' }, /in the prompt/],
        ['guidanceScale', { guidanceScale: 5 }, /not supported/],
        ['storageUri', { storageUri: 'gs://bucket' }, /not supported/],
        ['outputOptions.mimeType', { outputOptions: { mimeType: 'image/gif' } }, /image\/jpeg/],
        [
          'outputOptions.compressionQuality',
          { outputOptions: { mimeType: 'image/png', compressionQuality: 75 } },
          /must be 100 for png/,
        ],
      ] as const
    ).map(
      ([name, parameters, message]) => [`parameters.${name}`, { instances, parameters }, message] as const,
    ),
  ];
  for (const [param, body, message] of REFUSED)
    test(`is rejected by its field ${param}: ${JSON.stringify(body).slice(0, 90)}`, () =>
      assert.throws(() => read(body), { code: 'invalid_request', param, message }));
});

describe('an Imagen response', () => {
  const image = GENERATED_IMAGE;
  const prediction = { mimeType: 'image/jpeg', bytesBase64Encoded: 'AAAA' };
  const blocked = new DomainError('content_blocked', 'IMAGE_SAFETY');
  const failed = new DomainError('upstream_unavailable', 'no');

  test('has the images that were made', () => {
    assert.deepEqual(imagenResponse([image, image], false), { predictions: [prediction, prediction] });
    assert.deepEqual(imagenResponse([blocked, image, failed], false), {
      predictions: [prediction],
      errors: [
        { index: 0, code: 400, message: 'IMAGE_SAFETY', status: 'INVALID_ARGUMENT' },
        { index: 2, code: 503, message: 'no', status: 'UNAVAILABLE' },
      ],
    });
  });

  test('has the reasons why images were withheld, if the request asks for them', () => {
    const reason = { raiFilteredReason: 'IMAGE_SAFETY' };
    assert.deepEqual(imagenResponse([blocked, image], true), { predictions: [reason, prediction] });
    assert.deepEqual(imagenResponse([blocked, blocked], true), { predictions: [reason, reason] });
  });

  test('is the first error if there is nothing to return', () => {
    assert.throws(() => imagenResponse([blocked, failed], false), blocked);
    assert.throws(() => imagenResponse([failed], true), failed);
  });
});
