import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  offeredModels,
  offersEverything,
  refuseModel,
} from '../../../../functions/upstream/domain/capabilities.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { ALL_NAMES, FAST, IMAGE, STANDARD } from '../../../support/builders/upstream.ts';
import {
  aGeminiApi,
  anInteractionsApi,
  anOpenRouter,
  aVertex,
  aVideosApi,
} from '../../../support/builders/upstream-kinds.ts';

const OMNI = 'video-omni-1.2-flash';
const GATEWAY = aGeminiApi({ models: ALL_NAMES });

describe('the offered models', () => {
  for (const [title, upstreams, offered] of [
    ['the Gemini API', [aGeminiApi()], [IMAGE]],
    ['Vertex AI', [aVertex()], [STANDARD, FAST, IMAGE]],
    ['the Interactions API', [anInteractionsApi()], [OMNI]],
    ['a server of the Videos API', [aVideosApi('none')], [STANDARD, FAST]],
    ['both together', [aVideosApi('none', { models: { [STANDARD]: null } }), aGeminiApi()], [FAST, IMAGE]],
    ['no upstream', [], []],
  ] as const satisfies readonly (readonly [string, readonly Upstream[], readonly string[]])[])
    test(`of ${title} are ${offered.join(', ') || 'none'}`, () =>
      assert.deepEqual(offeredModels(upstreams), offered));

  test('are named by the error for another one', () => {
    const upstreams = [aVideosApi('none', { models: { [STANDARD]: null } }), aGeminiApi()];
    const error = refuseModel(upstreams, STANDARD) ?? assert.fail();
    assert.deepEqual(
      [error.code, error.param, error.message],
      [
        'model_not_found',
        'model',
        'This deployment does not offer video-3.1-generate-preview; it offers video-3.1-fast-generate-preview, image-3.1-flash-image-preview.',
      ],
    );
    assert.equal(refuseModel(upstreams, FAST), undefined);
    assert.equal(refuseModel(upstreams, IMAGE), undefined);
  });
});

describe('everything is offered', () => {
  for (const [title, upstreams, expected] of [
    ['by a gateway with all models', [GATEWAY], true],
    [
      'by two deployments, one for videos and one for images',
      [aVideosApi('media-generation', { models: ALL_NAMES }), aGeminiApi()],
      true,
    ],
    ['beside an upstream that can do less', [aVideosApi('none'), GATEWAY], true],
    ['not without images', [aVideosApi('media-generation')], false],
    ['not without videos', [aGeminiApi()], false],
    ['not without one of the models', [aGeminiApi({ models: { ...ALL_NAMES, [FAST]: null } })], false],
    ['not by Vertex AI, whose fast model has no 4k', [aVertex()], false],
    [
      'not if each mode is offered, but by different upstreams',
      [
        aGeminiApi({ models: ALL_NAMES, offers: { modes: ['text', 'first_frame'] } }),
        aGeminiApi({ models: ALL_NAMES, offers: { modes: ['first_and_last_frame', 'references'] } }),
      ],
      false,
    ],
    ['not without safety settings', [aVideosApi('media-generation'), anOpenRouter()], false],
    ...(
      [
        { modes: ['text', 'first_frame', 'first_and_last_frame'] },
        { seconds: [4, 8] },
        { resolutions: ['720p', '1080p'] },
        { aspectRatios: ['16:9'] },
        { seed: false },
        { negativePrompt: false },
      ] as const
    ).map(
      (offers) =>
        [
          `not with only ${JSON.stringify(offers)}`,
          [aGeminiApi({ models: ALL_NAMES, offers })],
          false,
        ] as const,
    ),
  ] as const satisfies readonly (readonly [string, readonly Upstream[], boolean])[])
    test(title, () => assert.equal(offersEverything(upstreams), expected));
});
