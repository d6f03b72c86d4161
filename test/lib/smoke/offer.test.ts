import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modelList } from '../../../functions/models/api/models.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { chooseSettings, readOffer, type VideoMode } from '../../../lib/smoke/offer.ts';
import { anUpstream } from '../../support/builders/upstream.ts';
import { aGeminiApi, anOpenRouter, aVideosApi } from '../../support/builders/upstream-kinds.ts';

const [STANDARD, FAST] = ['video-3.1-generate-preview', 'video-3.1-fast-generate-preview'] as const;
const ALIASES = { 'sora-2': FAST, 'sora-2-pro': STANDARD };

/** Read from the list that a service with this upstream returns. */
const read = (upstream: Upstream) => readOffer(modelList({ aliases: ALIASES, upstreams: [upstream] }));

const everything = {
  model: FAST,
  modes: ['text', 'first_frame', 'first_and_last_frame', 'references'],
  seconds: [4, 6, 8],
  resolutions: ['720p', '1080p', '4k'],
  aspectRatios: ['16:9', '9:16'],
};

/** Without a document, the service is checked as a whole. */
const FEATURES = { webhooks: true, google: true };

describe('the offer of a service', () => {
  test('has the fast video model with its options, and images', () => {
    assert.deepEqual(read(anUpstream('sample')), { video: everything, images: true, ...FEATURES });
  });

  test('has no reference images with OpenRouter', () => {
    const video = { ...everything, modes: ['text', 'first_frame', 'first_and_last_frame'] };
    assert.deepEqual(read(anOpenRouter()), { video, images: true, ...FEATURES });
  });

  test('has the other video model if the fast one is not offered, and no images without their model', () => {
    const offer = read(aVideosApi('none', { models: { [FAST]: null } }));
    assert.deepEqual([offer?.video?.model, offer?.video?.modes], [STANDARD, ['text', 'first_frame']]);
    assert.equal(offer?.images, false);
  });

  test('has no video with an upstream for images', () => {
    assert.deepEqual(read(aGeminiApi()), { video: undefined, images: true, ...FEATURES });
  });

  test('has the features whose operations are in the document', () => {
    const list = modelList({ aliases: ALIASES, upstreams: [anUpstream('sample')] });
    const core = readOffer(list, { paths: { '/v1/videos': {} } });
    assert.deepEqual([core?.webhooks, core?.google], [false, false]);
    const paths = { '/v1/webhook_endpoints': {}, '/v1beta/models': {} };
    const all = readOffer(list, { paths });
    assert.deepEqual([all?.webhooks, all?.google], [true, true]);
  });

  for (const [problem, list] of [
    ['no list', undefined],
    ['an empty list', { data: [] }],
    ['the models of another service', { data: [{ id: 'gpt-4o' }, null] }],
  ] as const)
    test(`is unknown with ${problem}`, () => assert.equal(readOffer(list), undefined));
});

describe('the settings of a video', () => {
  const small = { model: FAST, size: '1280x720' };
  const CASES: readonly (readonly [string, object, VideoMode, object])[] = [
    ['have the shortest duration', {}, 'text', { ...small, seconds: 4 }],
    ['have an offered duration', { seconds: [6, 8] }, 'first_frame', { ...small, seconds: 6 }],
    ['last 8 seconds with a last frame', {}, 'first_and_last_frame', { ...small, seconds: 8 }],
    ['last 8 seconds with references', {}, 'references', { ...small, seconds: 8 }],
    [
      'have an offered size, whose resolution requires 8 seconds',
      { resolutions: ['4k', '1080p'], aspectRatios: ['9:16'] },
      'text',
      { model: FAST, size: '1080x1920', seconds: 8 },
    ],
  ];
  for (const [title, part, mode, expected] of CASES)
    test(title, () => assert.deepEqual(chooseSettings({ ...everything, ...part }, mode), expected));
});
