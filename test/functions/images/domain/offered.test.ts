import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  offeredImageSizes,
  refuseUnofferedImage,
  sizeNotOffered,
} from '../../../../functions/images/domain/offered.ts';
import { type ImageRequest, textPart } from '../../../../functions/upstream/domain/image-request.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { aGeminiApi, anOpenRouter, aVertex, aVideosApi } from '../../../support/builders/upstream-kinds.ts';

const IMAGE = 'image-3.1-flash-image-preview';
const anImagesApi = aVideosApi('none', { models: { [IMAGE]: 'gpt-image-2' } });

const turn = { role: 'user', parts: [textPart('A fox')] } as const;
const SAFETY = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];

const refuse = (upstreams: readonly Upstream[], change: Partial<ImageRequest>) => {
  const error = refuseUnofferedImage(upstreams, { ...IMAGE_REQUEST, ...change });
  return error && [error.code, error.param, error.message];
};

describe('an image is refused with a sentence that names the option:', () => {
  for (const [title, upstreams, change, message] of [
    [
      'a conversation with a server of the Images API',
      [anImagesApi],
      { turns: [turn, turn] },
      `This deployment does not offer a conversation of several turns with ${IMAGE}. Leave it out.`,
    ],
    [
      'a system instruction with a server of the Images API',
      [anImagesApi],
      { systemInstruction: 'Draw' },
      `This deployment does not offer a system instruction with ${IMAGE}. Leave it out.`,
    ],
    [
      'temperature 0 with a server of the Images API',
      [anImagesApi],
      { sampling: { ...IMAGE_REQUEST.sampling, temperature: 0 } },
      `This deployment does not offer sampling options (seed, temperature, topP, maximum tokens) with ${IMAGE}. Leave them out.`,
    ],
    [
      'safety settings at OpenRouter, also beside a conversation',
      [anOpenRouter()],
      { turns: [turn, turn], safetySettings: SAFETY },
      `This deployment does not offer safety settings with ${IMAGE}. Leave them out.`,
    ],
    [
      'the smallest size at OpenRouter',
      [anOpenRouter()],
      { config: { aspectRatio: undefined, imageSize: '512' } },
      `This deployment does not offer size 512 with ${IMAGE}. It offers 1K, 2K, 4K.`,
    ],
    [
      'options that only different upstreams offer',
      [anOpenRouter(), anImagesApi],
      { systemInstruction: 'Draw', config: { aspectRatio: undefined, imageSize: '512' } },
      `This deployment offers a system instruction and size 512 with ${IMAGE}, but not in one image. Leave one of them out.`,
    ],
  ] as const satisfies readonly (readonly [string, readonly Upstream[], Partial<ImageRequest>, string])[])
    test(title, () => assert.deepEqual(refuse(upstreams, change), ['not_offered', null, message]));

  test('no image model', () =>
    assert.deepEqual(refuse([aVideosApi('none')], { systemInstruction: 'Draw' }), [
      'model_not_found',
      'model',
      `This deployment does not offer ${IMAGE}; it offers video-3.1-generate-preview, video-3.1-fast-generate-preview.`,
    ]));
});

describe('an image is accepted', () => {
  const everything = {
    turns: [turn, turn],
    systemInstruction: 'Draw',
    safetySettings: SAFETY,
    sampling: { ...IMAGE_REQUEST.sampling, seed: 0 },
    config: { aspectRatio: undefined, imageSize: '512' },
  } as const;
  for (const [title, upstreams, change] of [
    ['with every option by Google', [aGeminiApi()], everything],
    ['with every option if one upstream offers all', [anImagesApi, anOpenRouter(), aVertex()], everything],
    ['without options by a server of the Images API', [anImagesApi], { safetySettings: [] }],
    ['by another upstream if one makes only videos', [aVideosApi('none'), anOpenRouter()], {}],
  ] as const satisfies readonly (readonly [string, readonly Upstream[], Partial<ImageRequest>])[])
    test(title, () => assert.equal(refuse(upstreams, change), undefined));
});

describe('the sizes of images', () => {
  for (const [title, upstreams, sizes] of [
    ['Google', [aGeminiApi()], ['512', '1K', '2K', '4K']],
    ['OpenRouter', [anOpenRouter()], ['1K', '2K', '4K']],
    ['several upstreams', [anOpenRouter(), anImagesApi], ['512', '1K', '2K', '4K']],
    ['no upstream for images', [aVideosApi('none')], []],
  ] as const satisfies readonly (readonly [string, readonly Upstream[], readonly string[]])[])
    test(`of ${title} are ${sizes.join(', ') || 'none'}`, () =>
      assert.deepEqual(offeredImageSizes(upstreams), sizes));

  test('are named if one is not offered', () =>
    assert.equal(
      sizeNotOffered('4K', ['1K', '2K']),
      `This deployment does not offer size 4K with ${IMAGE}. It offers 1K, 2K.`,
    ));
});
