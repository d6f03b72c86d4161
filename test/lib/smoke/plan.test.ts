import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CheckFailure } from '../../../lib/smoke/answers.ts';
import { connect } from '../../../lib/smoke/api.ts';
import type { Offer } from '../../../lib/smoke/offer.ts';
import { describeQuantities, planChecks } from '../../../lib/smoke/plan.ts';
import type { Plan } from '../../../lib/smoke/run-checks.ts';
import { trackTasks } from '../../../lib/smoke/tasks.ts';
import { startServer } from '../../support/server.ts';

const FAST = 'video-3.1-fast-generate-preview';
const IMAGE = 'image-3.1-flash-image-preview';
const OPTIONS = { origin: 'https://app.example.com', long: false, sampleGenerator: true };

const video = {
  model: FAST,
  modes: ['text', 'first_frame', 'first_and_last_frame', 'references'],
  seconds: [4, 6, 8],
  resolutions: ['720p'],
  aspectRatios: ['16:9'],
};
const EVERYTHING: Offer = { video, images: true, webhooks: true, google: true };

const names = ({ series }: Plan): readonly string[] => series.flat().map(({ name }) => name);

const TEXT = [
  'creates a video from text',
  'completes the video',
  'returns the video as a generation',
  'downloads the whole video',
  'downloads a part of the video with Range',
  'deletes the video, then answers 404',
];
const FIRST_FRAME = ['accepts a form of 4 MB', 'generates a video from a first frame'];
const FRAMES = 'generates a video from a first and a last frame';
const REFERENCES = 'generates a video from reference images';
const LONG = ['completes a generation of over two minutes', 'stores and serves a file of over 20 MB'];
const IMAGES = ['native format', 'native format, streamed', 'chat format', 'chat format, streamed'].map(
  (format) => `generates a 4K image, ${format}`,
);
const ALL_VIDEOS = [...TEXT, ...FIRST_FRAME, FRAMES, REFERENCES];

const NO_MODEL = 'the service offers no video model';
const notOffered = (input: string) => `the service does not offer ${input} with ${FAST}`;

const CASES: readonly (readonly [
  title: string,
  offer: Offer,
  skipped: readonly string[],
  quantities: string,
])[] = [
  ['everything if everything is offered', EVERYTHING, [], '24 seconds of video and 4 images in 4K'],
  [
    'no reference images if they are not offered',
    { ...EVERYTHING, video: { ...video, modes: ['text', 'first_frame', 'first_and_last_frame'] } },
    [`${REFERENCES}: ${notOffered('reference images')}`],
    '16 seconds of video and 4 images in 4K',
  ],
  [
    'only text if no image is accepted',
    { ...EVERYTHING, video: { ...video, modes: ['text'] } },
    [
      ...FIRST_FRAME.map((name) => `${name}: ${notOffered('a first frame')}`),
      `${FRAMES}: ${notOffered('a first and a last frame')}`,
      `${REFERENCES}: ${notOffered('reference images')}`,
    ],
    '4 seconds of video and 4 images in 4K',
  ],
  [
    'no frames and references if 8 seconds are not offered',
    { ...EVERYTHING, video: { ...video, seconds: [6] } },
    [FRAMES, REFERENCES].map((name) => `${name}: ${notOffered('the required 8 seconds')}`),
    '12 seconds of video and 4 images in 4K',
  ],
  [
    'no videos without a video model',
    { ...EVERYTHING, video: undefined },
    ALL_VIDEOS.map((name) => `${name}: ${NO_MODEL}`),
    '4 images in 4K',
  ],
  [
    'no images without the image model',
    { ...EVERYTHING, images: false, video },
    IMAGES.map((name) => `${name}: the service does not offer ${IMAGE}`),
    '24 seconds of video',
  ],
  [
    'the same without features',
    { ...EVERYTHING, webhooks: false, google: false },
    [
      'sends a sample event to a webhook endpoint: the service leaves out the feature webhooks',
      'stores a Google upload unchanged: the service leaves out the feature google',
      'accepts ?key= from clients of Google only: the service leaves out the feature google',
    ],
    '24 seconds of video and 4 images in 4K',
  ],
];

describe('the plan generates', () => {
  for (const [title, offer, skipped, quantities] of CASES)
    test(title, () => {
      const plan = planChecks(OPTIONS, offer);
      assert.deepEqual(plan.skipped, skipped);
      assert.equal(describeQuantities(plan), quantities);
      assert.equal(names(plan).length + skipped.length, 27);
      const skippedNames = skipped.map((line) => line.split(': ')[0]);
      assert.ok(!names(plan).some((name) => skippedNames.includes(name)));
    });

  test('nothing without checks that generate something', () => {
    assert.equal(
      describeQuantities({ series: [[{ name: 'a', run: async () => {} }]], skipped: [] }),
      'nothing',
    );
  });
});

describe('the plan', () => {
  test('starts with the checks that take longest', () => {
    const plan = planChecks({ ...OPTIONS, long: true }, EVERYTHING);
    const slow = [...IMAGES, ...LONG, ...ALL_VIDEOS];
    assert.deepEqual(names(plan).slice(0, slow.length), slow);
  });

  test('skips long generations without the sample generator or a video model', () => {
    const skipped = (options: object, offer: Offer) =>
      planChecks({ ...OPTIONS, long: true, ...options }, offer).skipped.filter((line) =>
        LONG.some((name) => line.startsWith(name)),
      );
    const withoutGenerator = LONG.map((name) => `${name}: requires the sample generator`);
    assert.deepEqual(skipped({ sampleGenerator: false }, EVERYTHING), withoutGenerator);
    const withoutModel = LONG.map((name) => `${name}: ${NO_MODEL}`);
    assert.deepEqual(skipped({}, { ...EVERYTHING, video: undefined }), withoutModel);
  });

  test('tries a colon in the path of a model that is offered', async () => {
    const paths: string[] = [];
    const server = await startServer(({ url = '' }, response) => {
      paths.push(url);
      response.end();
    });
    const api = connect({ baseUrl: server.url, apiKey: 'key' }, new AbortController().signal);
    for (const offer of [
      EVERYTHING,
      { ...EVERYTHING, video: undefined },
      { ...EVERYTHING, images: false, video },
    ]) {
      const check = planChecks(OPTIONS, offer)
        .series.flat()
        .find(({ name }) => name.includes('a colon'));
      await assert.rejects(
        async () => check?.run({ api, tasks: trackTasks(api), note: () => {} }),
        CheckFailure,
      );
    }
    await server.close();
    const image = `/v1beta/models/${IMAGE}:generateContent`;
    assert.deepEqual(paths, [image, image, `/v1beta/models/${FAST}:predictLongRunning`]);
  });

  test('skips the preflight of an allowed origin if none is known', () => {
    const { skipped } = planChecks({ ...OPTIONS, origin: undefined }, EVERYTHING);
    assert.deepEqual(skipped, [
      'answers the preflight of an allowed origin: set --origin to an origin of allowedOrigins',
    ]);
  });
});
