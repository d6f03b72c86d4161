import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleVideo, findObstacle, offeredSample } from '../../../console/docs/offered-sample.ts';
import { texts } from '../../../console/texts/texts.ts';
import { FAST, STANDARD } from '../../support/builders/upstream.ts';
import { EVERY_OPTION } from '../../support/video-capabilities.ts';

const FULL = { video: { [STANDARD]: [EVERY_OPTION], [FAST]: [EVERY_OPTION] }, image: true, image_sizes: [] };
const NARROW = {
  ...FULL,
  video: {
    [STANDARD]: [
      { ...EVERY_OPTION, seconds: [8], resolutions: ['1080p' as const], aspect_ratios: ['9:16' as const] },
    ],
  },
};
const NOTHING = { video: {}, image: false, image_sizes: [] };

const body = (name: string) => ({
  schema: { $ref: `#/components/schemas/${name}` },
  examples: { text: { value: 'the first' }, other: { value: 'another' } },
});

describe('a sample of the reference', () => {
  test('is the first example of the document if the deployment offers every video', () => {
    for (const name of ['CreateVideo', 'NativeVideoRequest', 'CreateKey'])
      assert.equal(offeredSample(body(name), FULL), 'the first');
    assert.equal(offeredSample({ schema: {} }, FULL), undefined);
  });

  test('has a model and options that the deployment offers', () => {
    const prompt = texts.video.examples[0];
    assert.deepEqual(offeredSample(body('CreateVideo'), NARROW), {
      model: STANDARD,
      prompt,
      seconds: '8',
      size: '1080x1920',
    });
    assert.deepEqual(offeredSample(body('NativeVideoRequest'), NARROW), {
      instances: [{ prompt }],
      parameters: { durationSeconds: 8, resolution: '1080p', aspectRatio: '9:16' },
    });
    assert.equal(offeredSample(body('GenerateImages'), NARROW), 'the first');
  });
});

describe('a request that the deployment always refuses', () => {
  const operation = { requestBody: { content: {} } };
  for (const [tag, reason] of [
    ['Videos', texts.notOffered.videos],
    ['Images', texts.notOffered.images],
    ['Files', undefined],
  ] as const)
    test(`is explained for ${tag}`, () => {
      assert.equal(findObstacle({ ...operation, tags: [tag] }, NOTHING), reason);
      assert.equal(findObstacle({ ...operation, tags: [tag] }, NARROW), undefined);
    });

  test('has a body: earlier videos can be read', () => {
    assert.equal(findObstacle({ tags: ['Videos'] }, NOTHING), undefined);
    assert.equal(exampleVideo(NOTHING), undefined);
  });
});
