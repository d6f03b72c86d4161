import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VIDEO_MODELS } from '../../../functions/catalogue/domain/models.ts';
import { servedImage, servedVideo } from '../../../functions/openapi/offered-examples.ts';
import { imageRules, videoRules } from '../../../functions/openapi/offered-fields.ts';
import { combineCapabilities } from '../../../functions/upstream/domain/needs.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { capabilitySets } from '../../../functions/videos/domain/offered.ts';
import { aVertex } from '../../support/builders/upstream-kinds.ts';

const STANDARD = 'video-3.1-generate-preview';
const FAST = 'video-3.1-fast-generate-preview';

const serve = (offers: Upstream['offers'], example: unknown, videoModels = VIDEO_MODELS.slice()) => {
  const upstreams = [aVertex({ offers })];
  const can = combineCapabilities(videoModels.flatMap((model) => capabilitySets(upstreams, model)));
  return servedVideo(example, { upstreams, videoModels, rules: videoRules(can, () => true) });
};

describe('an example of a video is kept', () => {
  for (const [title, offers, kept, dropped] of [
    ['with the offered length', { seconds: [4] }, { seconds: '4' }, { seconds: 6 }],
    ['with the default length', { seconds: [8] }, {}, { seconds: 4 }],
    ['with a length twice', { seconds: [4] }, { duration: 4, seconds: 8 }, { duration: 8, seconds: 4 }],
    [
      'with a length in the field that takes precedence',
      { seconds: [4] },
      { metadata: { durationSeconds: 4 }, duration: 8 },
      { metadata: { durationSeconds: 8 }, duration: 4 },
    ],
    ['with the offered resolution', { resolutions: ['1080p'] }, { resolution: '1080p' }, {}],
    ['with a size', { resolutions: ['1080p'] }, { size: '1920x1080' }, { size: '1280x720' }],
    [
      'with a resolution that takes precedence over a size',
      { resolutions: ['1080p'] },
      { resolution: '1080p', size: '1280x720' },
      { resolution: '720p', size: '1920x1080' },
    ],
    ['with the offered aspect ratio', { aspectRatios: ['9:16'] }, { aspectRatio: '9:16' }, {}],
    ['with the ratio of a size', { aspectRatios: ['9:16'] }, { size: '720x1280' }, { size: '1280x720' }],
    ['without a seed', { seed: false }, {}, { parameters: { seed: 0 } }],
    ['without a negative prompt', { negativePrompt: false }, {}, { negativePrompt: 'rain' }],
    ['from text', { modes: ['text'] }, {}, { input_reference: 'x' }],
    ['from a first frame', { modes: ['first_frame'] }, { input_reference: 'x' }, {}],
    ['from a native frame', { modes: ['first_frame'] }, { instances: [{ image: {} }] }, { instances: [{}] }],
    [
      'from a first and a last frame',
      { modes: ['first_and_last_frame'] },
      { input_reference: 'x', last_frame: 'y' },
      { input_reference: 'x' },
    ],
    [
      'from a native first and last frame',
      { modes: ['first_and_last_frame'] },
      { instances: [{ image: {}, lastFrame: {} }] },
      { instances: [{ image: {} }] },
    ],
    [
      'from reference images',
      { modes: ['references'] },
      { metadata: { reference_images: [{ image: 'x' }] } },
      { input_reference: 'x' },
    ],
    [
      'from native reference images',
      { modes: ['references'] },
      { instances: [{ referenceImages: [{ image: {} }] }] },
      { instances: [{ image: {} }] },
    ],
  ] as const satisfies readonly (readonly [string, Upstream['offers'], object, object])[])
    test(title, () => {
      assert.deepEqual([serve(offers, kept), serve(offers, dropped)], [kept, undefined]);
    });

  test('with another model, if its own cannot make the video or is not offered', () => {
    const example = { model: FAST, resolution: '4k' };
    assert.deepEqual(serve({}, example), { ...example, model: STANDARD });
    assert.equal(serve({}, example, [FAST]), undefined);
    assert.deepEqual(serve({}, { model: STANDARD }, [FAST]), { model: FAST });
    assert.deepEqual(serve({}, { model: FAST }), { model: FAST });
  });
});

test('an example of an image is kept if it uses only offered options', () => {
  const rules = imageRules(['instruction']);
  for (const kept of [
    { prompt: 'x', size: '1K' },
    { contents: [{ parts: [] }], systemInstruction: {} },
  ])
    assert.equal(servedImage(kept, rules), kept);
  for (const dropped of [
    { prompt: 'x', seed: 1 },
    { generationConfig: { temperature: 1 } },
    { safetySettings: [] },
    { contents: [{}, {}] },
    { extra_body: { imageConfig: { imageSize: '512' } } },
  ])
    assert.equal(servedImage(dropped, rules), undefined);
});
