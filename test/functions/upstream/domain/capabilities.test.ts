import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VIDEO_CATALOGUE, type VideoCapabilities } from '../../../../functions/catalogue/domain/models.ts';
import {
  canServe,
  namedVideoModels,
  offeredModels,
  refuseModel,
  videoCapabilities,
} from '../../../../functions/upstream/domain/capabilities.ts';
import {
  combineCapabilities,
  type ImageNeed,
  unmetNeeds,
  type VideoNeeds,
} from '../../../../functions/upstream/domain/needs.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { aVideo } from '../../../support/builders/needs.ts';
import { anUpstream, FAST, IMAGE, OWN_NAMES, STANDARD } from '../../../support/builders/upstream.ts';
import {
  aGeminiApi,
  anInteractionsApi,
  anOpenRouter,
  aVertex,
  aVideosApi,
} from '../../../support/builders/upstream-kinds.ts';

const EVERYTHING: VideoCapabilities = {
  modes: ['text', 'first_frame', 'first_and_last_frame', 'references'],
  seconds: VIDEO_CATALOGUE[STANDARD].seconds,
  resolutions: ['720p', '1080p', '4k'],
  aspectRatios: ['16:9', '9:16'],
  seed: true,
  negativePrompt: true,
};
const GATEWAY = aGeminiApi({ models: OWN_NAMES });

describe('the longest video of Gemini Omni', () => {
  const OMNI = 'video-omni-1.2-flash';
  for (const [title, upstream, seconds] of [
    ['has 15 seconds with version 1.2', anInteractionsApi(), 15],
    ['has 10 seconds at Vertex AI, which has version 1.1', anInteractionsApi({ project: 'project' }), 10],
    ['has 10 seconds with another version', anInteractionsApi({ models: { [OMNI]: 'omni-1.1' } }), 10],
    ['is not limited at a server of other names', anOpenRouter({ models: { [OMNI]: 'google/omni' } }), 15],
  ] as const)
    test(title, () => assert.equal(videoCapabilities(upstream, OMNI)?.seconds.at(-1), seconds));
});

describe('the capabilities of an upstream', () => {
  const ONE_FRAME = { modes: ['text', 'first_frame'] } as const;
  const TWO_FRAMES = { modes: ['text', 'first_frame', 'first_and_last_frame'] } as const;
  const LAST_FRAME_8 = { lastFrameSeconds: [8] } as const;
  const ANY_LAST_FRAME = { lastFrameSeconds: [4, 6, 8] } as const;
  const NO_OPTIONS = { ...ONE_FRAME, seed: false, negativePrompt: false };

  for (const [title, upstream, standard, fast] of [
    ['gemini with its own names', GATEWAY, LAST_FRAME_8, LAST_FRAME_8],
    ['gemini with the default names', aGeminiApi(), undefined, undefined],
    ['vertex', aVertex(), LAST_FRAME_8, { ...LAST_FRAME_8, resolutions: ['720p', '1080p'] }],
    ['openrouter', anOpenRouter(), TWO_FRAMES, TWO_FRAMES],
    ['openai without options', aVideosApi('none'), NO_OPTIONS, NO_OPTIONS],
    ['openai with options in metadata', aVideosApi('metadata'), ONE_FRAME, ONE_FRAME],
    ['openai with options at top level', aVideosApi('top-level'), ONE_FRAME, ONE_FRAME],
    ['another deployment of this service', aVideosApi('media-generation'), LAST_FRAME_8, LAST_FRAME_8],
    [
      'a gateway that accepts 4 and 6 seconds',
      aGeminiApi({ models: OWN_NAMES, offers: { lastFrameSeconds: [4, 6, 8] } }),
      ANY_LAST_FRAME,
      ANY_LAST_FRAME,
    ],
    ['vertex without the fast model', aVertex({ models: { [FAST]: null } }), LAST_FRAME_8, undefined],
  ] as const)
    test(`of ${title} are those of the table`, () => {
      assert.deepEqual(videoCapabilities(upstream, STANDARD), standard && { ...EVERYTHING, ...standard });
      assert.deepEqual(videoCapabilities(upstream, FAST), fast && { ...EVERYTHING, ...fast });
    });

  test('are narrowed by the settings, which cannot add to them', () => {
    const offers = {
      modes: ['references', 'text'],
      seconds: [8],
      resolutions: ['4k', '720p'],
      aspectRatios: ['9:16'],
      seed: false,
      negativePrompt: true,
    } as const;
    assert.deepEqual(videoCapabilities(aVertex({ offers }), FAST), {
      modes: ['text', 'references'],
      seconds: [8],
      lastFrameSeconds: [8],
      resolutions: ['720p'],
      aspectRatios: ['9:16'],
      seed: false,
      negativePrompt: true,
    });
    assert.deepEqual(videoCapabilities(aVideosApi('none', { offers: { seed: true } }), FAST), {
      ...EVERYTHING,
      modes: ['text', 'first_frame'],
      seed: false,
      negativePrompt: false,
    });
  });

  for (const offers of [
    { resolutions: ['4k'] },
    { modes: [] },
    { seconds: [] },
    { aspectRatios: [] },
  ] as const satisfies readonly Upstream['offers'][])
    test(`do not exist if ${JSON.stringify(offers)} leaves nothing of the fast model`, () => {
      const upstream = aVertex({ offers });
      assert.equal(videoCapabilities(upstream, FAST), undefined);
      assert.equal(canServe(upstream, FAST, aVideo()), false);
      assert.ok(!offeredModels([upstream]).includes(FAST));
    });

  test('together are those that at least one upstream has, in the order of the catalogue', () => {
    const one: VideoCapabilities = {
      modes: ['references'],
      seconds: [8],
      resolutions: ['4k'],
      aspectRatios: ['9:16'],
      seed: false,
      negativePrompt: true,
    };
    const other: VideoCapabilities = {
      modes: ['text'],
      seconds: [4, 8],
      resolutions: ['720p'],
      aspectRatios: ['16:9'],
      seed: true,
      negativePrompt: false,
    };
    assert.deepEqual(combineCapabilities([one, other]), {
      modes: ['text', 'references'],
      seconds: [4, 8],
      resolutions: ['720p', '4k'],
      aspectRatios: ['16:9', '9:16'],
      seed: true,
      negativePrompt: true,
    });
    assert.deepEqual(combineCapabilities([one]), one);
  });
});

describe('the needs that are not met', () => {
  const LITTLE: VideoCapabilities = {
    modes: ['text'],
    seconds: [8],
    resolutions: ['720p'],
    aspectRatios: ['16:9'],
    seed: false,
    negativePrompt: false,
  };
  for (const [change, unmet] of [
    [{}, []],
    [{ mode: 'first_frame' }, ['mode']],
    [{ resolution: '1080p' }, ['resolution']],
    [{ seconds: 4 }, ['seconds']],
    [{ aspectRatio: '9:16' }, ['aspectRatio']],
    [{ negativePrompt: true }, ['negativePrompt']],
    [{ seed: true }, ['seed']],
    [
      {
        mode: 'references',
        resolution: '4k',
        seconds: 6,
        aspectRatio: '9:16',
        negativePrompt: true,
        seed: true,
      },
      ['mode', 'resolution', 'seconds', 'aspectRatio', 'negativePrompt', 'seed'],
    ],
  ] as const satisfies readonly (readonly [Partial<VideoNeeds>, readonly (keyof VideoNeeds)[]])[])
    test(`of ${JSON.stringify(change)} are ${unmet.join(', ') || 'none'}`, () => {
      assert.deepEqual(unmetNeeds(LITTLE, aVideo(change)), unmet);
      assert.deepEqual(unmetNeeds(EVERYTHING, aVideo(change)), []);
    });
});

describe('an upstream can serve', () => {
  test('a video of which it meets all needs', () => {
    assert.equal(canServe(aVertex(), STANDARD, aVideo({ resolution: '4k' })), true);
    assert.equal(canServe(aVertex(), FAST, aVideo({ resolution: '4k' })), false);
    assert.equal(canServe(aGeminiApi(), FAST, aVideo()), false);
    assert.equal(canServe(aVertex(), IMAGE, aVideo()), false);
    assert.equal(canServe(aVertex(), 'other', aVideo()), false);
  });

  const parts: readonly ImageNeed[] = ['conversation', 'instruction', 'sampling', 'safety', 'size512'];
  for (const [title, upstream, accepted] of [
    ['gemini', aGeminiApi(), parts],
    ['vertex', aVertex(), parts],
    ['openrouter', anOpenRouter(), ['conversation', 'instruction', 'sampling']],
    ['openai', aVideosApi('none', { models: { [IMAGE]: 'gpt-image-2' } }), ['size512']],
  ] as const)
    test(`an image with ${accepted.join(', ')} if it is ${title}`, () => {
      assert.equal(canServe(upstream, IMAGE, { medium: 'image', parts: [] }), true);
      assert.equal(canServe(upstream, IMAGE, { medium: 'image', parts: accepted }), true);
      const served = parts.filter((part) => canServe(upstream, IMAGE, { medium: 'image', parts: [part] }));
      assert.deepEqual(served, accepted);
    });

  test('no image without the image model', () => {
    const videosOnly = aVertex({ models: { [IMAGE]: null } });
    assert.equal(canServe(videosOnly, IMAGE, { medium: 'image', parts: [] }), false);
    assert.equal(canServe(aVideosApi('media-generation'), IMAGE, { medium: 'image', parts: [] }), false);
  });
});

test('an error names the video models that are offered, or all if none is', () => {
  const only = anUpstream('a', { models: { [STANDARD]: 'x', [FAST]: null, 'video-omni-1.2-flash': null } });
  assert.deepEqual(namedVideoModels([only]), [STANDARD]);
  assert.deepEqual(namedVideoModels([]).toSorted(), [FAST, STANDARD, 'video-omni-1.2-flash']);
});

describe('the offered models', () => {
  for (const [title, upstreams, offered] of [
    ['the Gemini API', [aGeminiApi()], [IMAGE]],
    ['Vertex AI', [aVertex()], [STANDARD, FAST, IMAGE]],
    ['the Interactions API', [anInteractionsApi()], ['video-omni-1.2-flash']],
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
