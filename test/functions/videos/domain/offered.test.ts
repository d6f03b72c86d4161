import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VideoCapabilities } from '../../../../functions/catalogue/domain/models.ts';
import type { VideoNeeds } from '../../../../functions/upstream/domain/needs.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import {
  capabilitySets,
  findRefusal,
  refuseRetired,
  refuseUnoffered,
  retiredModel,
  videoNeeds,
} from '../../../../functions/videos/domain/offered.ts';
import type { VideoRequest } from '../../../../functions/videos/domain/video-request.ts';
import { aVideo } from '../../../support/builders/needs.ts';
import { TEXT_REQUEST } from '../../../support/builders/requests.ts';
import { aGeminiApi, anOpenRouter, aVertex, aVideosApi } from '../../../support/builders/upstream-kinds.ts';

const [STANDARD, FAST] = ['video-3.1-generate-preview', 'video-3.1-fast-generate-preview'] as const;
const MODES = {
  text: { mode: 'text' },
  firstFrame: { mode: 'first_frame' },
  firstAndLastFrame: { mode: 'first_and_last_frame' },
  references: { mode: 'references' },
} as const satisfies Readonly<Record<string, Partial<VideoRequest>>>;

/** A request without options, with what a test needs to be different. */
const request = (change: Partial<VideoRequest> = {}): VideoRequest => ({
  ...TEXT_REQUEST,
  model: FAST,
  seconds: 8,
  seed: undefined,
  ...change,
});

const refuse = (upstreams: readonly Upstream[], change: Partial<VideoRequest>) => {
  const error = refuseUnoffered(upstreams, request(change), (field) => `metadata.${field}`);
  return error && [error.code, error.param, error.message];
};

describe('the needs of a request', () => {
  test('contain its options, and whether it has a negative prompt and a seed', () => {
    const options = { mode: 'references', resolution: '4k', aspectRatio: '9:16' } as const;
    assert.deepEqual(
      videoNeeds({ ...options, seconds: 8, negativePrompt: '', seed: 0 }),
      aVideo({ ...options, negativePrompt: true, seed: true }),
    );
    assert.deepEqual(videoNeeds({ ...request(), mode: 'text' }), aVideo());
  });
});

describe('a request is refused with a sentence that names the option and the accepted values:', () => {
  const plainServer = [aVideosApi('none')];
  const narrowed = [
    aVertex({ offers: { modes: ['first_frame'], seconds: [6, 8], aspectRatios: ['16:9'], seed: false } }),
  ];
  const textOnly = [aVertex({ offers: { modes: ['text'] } })];
  const { text, firstFrame, firstAndLastFrame, references } = MODES;
  const NO_LAST = 'It offers text alone, a first frame.';
  const NO_REFERENCES = 'It offers text alone, a first frame, a first and a last frame.';
  const otherOptions = { negativePrompt: 'rain', seed: 7 };
  const OUT = 'Leave it out.';

  const REFUSED: readonly (readonly [
    what: string,
    upstreams: readonly Upstream[],
    change: Partial<VideoRequest>,
    param: string,
    advice: string,
  ])[] = [
    ['a first and a last frame', plainServer, { ...firstAndLastFrame }, 'last_frame', NO_LAST],
    ['reference images', [anOpenRouter()], { ...references }, 'reference_images', NO_REFERENCES],
    ['resolution 4k', [aVertex()], { resolution: '4k' }, 'resolution', 'It offers 720p, 1080p.'],
    ['a negative prompt', plainServer, { negativePrompt: 'rain' }, 'negativePrompt', OUT],
    ['a seed', plainServer, { seed: 0 }, 'seed', OUT],
    ['text alone', narrowed, { ...text }, 'prompt', 'It offers a first frame.'],
    ['4 seconds', narrowed, { ...firstFrame, seconds: 4 }, 'seconds', 'It offers 6, 8.'],
    ['aspect ratio 9:16', narrowed, { ...firstFrame, aspectRatio: '9:16' }, 'aspectRatio', 'It offers 16:9.'],
    ['a first frame', textOnly, { ...firstFrame }, 'input_reference', 'It offers text alone.'],
    // The first of several options that are not offered.
    ['reference images', plainServer, { ...references, ...otherOptions }, 'reference_images', NO_LAST],
  ];
  for (const [what, upstreams, change, param, advice] of REFUSED)
    test(`${what}: ${JSON.stringify(Object.keys(change))}`, () =>
      assert.deepEqual(refuse(upstreams, change), [
        'not_offered',
        `metadata.${param}`,
        `This deployment does not offer ${what} with ${FAST}. ${advice}`,
      ]));
});

test('a length that no upstream offers with a last frame is refused with the offered ones', () => {
  const both = { ...MODES.firstAndLastFrame, seconds: 4 } as const;
  for (const [upstreams, offered] of [
    [[aVertex()], '8'],
    [[aVertex({ offers: { lastFrameSeconds: [6, 8] } }), aVertex({ name: 'other' })], '6 or 8'],
  ] as const)
    assert.deepEqual(refuse(upstreams, both), [
      'not_offered',
      'metadata.seconds',
      `With a first and a last frame, this deployment offers only ${offered} seconds with ${FAST}, but 4 were requested.`,
    ]);
  assert.equal(refuse([aVertex(), anOpenRouter()], both), undefined);
});

describe('a request is accepted', () => {
  for (const [title, upstreams, change] of [
    ['with every option at Vertex AI', [aVertex()], { model: STANDARD, resolution: '4k', seed: 7 }],
    ['with reference images at Vertex AI', [aVertex()], { ...MODES.references }],
    ['with a first frame at a server of the Videos API', [aVideosApi('none')], { ...MODES.firstFrame }],
    [
      'if one of the upstreams offers all of it',
      [aVideosApi('none'), anOpenRouter(), aVertex()],
      { ...MODES.references, negativePrompt: 'rain', seed: 7, resolution: '1080p' },
    ],
  ] as const satisfies readonly (readonly [string, readonly Upstream[], Partial<VideoRequest>])[])
    test(title, () => assert.equal(refuse(upstreams, change), undefined));
});

test('a model that no upstream offers gets 404 with the offered ones', () => {
  assert.deepEqual(refuse([aGeminiApi()], { resolution: '4k' }), [
    'model_not_found',
    'model',
    'This deployment does not offer video-3.1-fast-generate-preview; it offers image-3.1-flash-image-preview.',
  ]);
  assert.deepEqual(refuse([aVertex({ models: { [FAST]: null } })], {}), [
    'model_not_found',
    'model',
    'This deployment does not offer video-3.1-fast-generate-preview; it offers video-3.1-generate-preview, image-3.1-flash-image-preview.',
  ]);
});

describe('options that only different upstreams offer', () => {
  // References only at the first, 4k only at the second, a seed only at the first.
  const upstreams = [
    aVertex({ name: 'one', offers: { resolutions: ['720p', '1080p'] } }),
    anOpenRouter({ name: 'two', offers: { seed: false } }),
  ];
  const together = (what: string) =>
    `This deployment offers ${what} with ${FAST}, but not in one video. Change one of them.`;
  const { references } = MODES;
  for (const [what, change, param] of [
    ['reference images and resolution 4k', { ...references, resolution: '4k' }, 'resolution'],
    ['resolution 4k and a seed', { resolution: '4k', seed: 7 }, 'seed'],
    // Of all three, the first conflict is named.
    ['reference images and resolution 4k', { ...references, resolution: '4k', seed: 7 }, 'resolution'],
  ] as const satisfies readonly (readonly [string, Partial<VideoRequest>, string])[])
    for (const order of [upstreams, upstreams.toReversed()])
      test(`are refused together: ${JSON.stringify(Object.keys(change))}, with ${order[0]?.name} first`, () =>
        assert.deepEqual(refuse(order, change), ['not_offered', `metadata.${param}`, together(what)]));

  test('are all named if each upstream lacks another one', () => {
    const each = [
      aVertex({ name: 'one', offers: { modes: ['text'] } }),
      aVertex({ name: 'two', offers: { seconds: [4, 6] } }),
      aVertex({ name: 'three', offers: { aspectRatios: ['16:9'] } }),
    ];
    assert.deepEqual(refuse(each, { ...MODES.references, aspectRatio: '9:16' }), [
      'not_offered',
      'metadata.aspectRatio',
      together('reference images, 8 seconds and aspect ratio 9:16'),
    ]);
  });
});

describe('a refusal', () => {
  const can = (change: Partial<VideoCapabilities>): VideoCapabilities => ({
    modes: ['text', 'first_frame'],
    seconds: [4, 6, 8],
    resolutions: ['720p', '1080p'],
    aspectRatios: ['16:9', '9:16'],
    seed: true,
    negativePrompt: true,
    ...change,
  });
  const find = (
    sets: readonly VideoCapabilities[],
    needs: Partial<VideoNeeds>,
    parts?: readonly (keyof VideoNeeds)[],
  ) => {
    const refusal = findRefusal(FAST, sets, aVideo(needs), parts);
    return refusal && [refusal.conflict, refusal.need];
  };

  test('considers only the given parts', () => {
    const needs = { mode: 'references', resolution: '4k', seed: true } as const;
    const sets = [can({ seed: false })];
    assert.deepEqual(find(sets, needs), [['mode'], 'mode']);
    assert.deepEqual(find(sets, needs, ['resolution', 'seconds', 'seed']), [['resolution'], 'resolution']);
    assert.deepEqual(find(sets, needs, ['seconds', 'seed']), [['seed'], 'seed']);
    assert.equal(find(sets, needs, ['seconds', 'aspectRatio']), undefined);
  });
});

test('the capability sets of a model are those of the upstreams that offer it', () => {
  const upstreams = [aGeminiApi(), aVertex(), aVideosApi('none', { models: { [STANDARD]: null } })];
  const offered = capabilitySets(upstreams, STANDARD).map(({ resolutions, seed }) => [resolutions, seed]);
  assert.deepEqual(offered, [[['720p', '1080p', '4k'], true]]);
  assert.deepEqual(
    capabilitySets(upstreams, FAST).map(({ resolutions, seed }) => [resolutions, seed]),
    [
      [['720p', '1080p'], true],
      [['720p', '1080p', '4k'], false],
    ],
  );
});

describe('a request for a retired model', () => {
  const [vertex, openRouter] = [aVertex(), anOpenRouter()];

  test('is known by the name of the upstream and its name for the model', () => {
    assert.equal(retiredModel(vertex, FAST), 'vertex/veo-3.1-fast-generate-001');
    assert.equal(retiredModel(aGeminiApi(), FAST), `gemini/${FAST}`);
  });

  test('is refused once all upstreams that could serve it have retired the model', () => {
    const retired = new Set([retiredModel(vertex, FAST)]);
    assert.equal(refuseRetired([vertex, openRouter], request(), retired), undefined);
    const error = refuseRetired([vertex, openRouter], request({ ...MODES.references }), retired);
    assert.deepEqual(
      [error?.code, error?.param, error?.message],
      [
        'model_unavailable',
        'model',
        'video-3.1-fast-generate-preview is not available: the generator no longer offers it. The operator of this service has to choose another one.',
      ],
    );
    const both = new Set([...retired, retiredModel(openRouter, FAST)]);
    assert.equal(refuseRetired([vertex, openRouter], request(), both)?.code, 'model_unavailable');
    assert.equal(refuseRetired([vertex, openRouter], request({ model: STANDARD }), both), undefined);
  });
});
