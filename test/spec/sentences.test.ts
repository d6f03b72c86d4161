/** Sentences that several kinds of requests can break, each sent as JSON, as a form and with the `openai` SDK. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import { type Answer, call, FAST_MODEL, HELD_BACK, MODEL, readError } from '../support/http.ts';
import { dataUri, file, JPEG, PNG, SVG, WEBP } from '../support/images.ts';
import { service } from './requests.ts';

const IMAGE = dataUri(PNG, 'image/png');
const FRAMES = { input_reference: IMAGE, last_frame: dataUri(JPEG, 'image/jpeg') };

type Fields = Readonly<Record<string, unknown>>;
type Outcome = readonly [seconds: string, size: string] | { readonly refused: string; readonly says: RegExp };
type Sentence = readonly [sentence: string, fields: Fields, outcome: Outcome];
const refused = (param: string, says = /./): Outcome => ({ refused: param, says });
const accepted = (seconds = '8', size = '1280x720'): Outcome => [seconds, size];

const toForm = (fields: Fields): FormData => {
  const form = new FormData();
  const append = (name: string, value: unknown): void => {
    if (value instanceof File) form.append(name, value);
    else if (Array.isArray(value)) for (const item of value) append(name, item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) append(`${name}[${key}]`, inner);
    else form.append(name, String(value));
  };
  for (const [name, value] of Object.entries(fields)) append(name, value);
  return form;
};

const client = new OpenAI({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });

type Sent =
  | { readonly seconds: unknown; readonly size: unknown }
  | { readonly param: unknown; readonly message: string };

const read = (answer: Answer): Sent =>
  answer.status === 200 ? { seconds: answer.body.seconds, size: answer.body.size } : readError(answer);

type Sender = 'as JSON' | 'as a form' | 'with the SDK';
const SENDERS: Readonly<Record<Sender, (fields: Fields) => Promise<Sent>>> = {
  'as JSON': async (json) => read(await call(service, 'POST', '/v1/videos', { json })),
  'as a form': async (fields) => read(await call(service, 'POST', '/v1/videos', { body: toForm(fields) })),
  'with the SDK': async ({ prompt = '', ...fields }) =>
    client.videos.create({ prompt: String(prompt), ...fields }).catch((error: unknown) => {
      if (error instanceof APIError) return { param: error.param, message: error.message };
      throw error;
    }),
};

const VALID = { model: MODEL, prompt: HELD_BACK };

const VALUES = {
  /** Accepted values of a field; the seconds and the size that they give. */
  accepted: [
    ...['1280x720', '720x1280', '1920x1080', '1080x1920', '3840x2160', '2160x3840'].map(
      (size) => ['size', size, accepted('8', size)] as const,
    ),
    ...['4', '6', '8'].map((seconds) => ['seconds', seconds, accepted(seconds)] as const),
    ['resolution', '720p', accepted()],
    ['resolution', '1080p', accepted('8', '1920x1080')],
    ['resolution', '4k', accepted('8', '3840x2160')],
    ['aspectRatio', '16:9', accepted()],
    ['aspectRatio', '9:16', accepted('8', '720x1280')],
    ['negativePrompt', 'rain', accepted()],
    ['seed', 4_294_967_295, accepted()],
    ...[dataUri(JPEG, 'image/jpeg'), IMAGE, dataUri(WEBP, 'image/webp')].map(
      (image) => ['input_reference', image, accepted()] as const,
    ),
    ...['reference_image', 'reference_images', 'referenceImages'].map(
      (name) => [name, [IMAGE, IMAGE, IMAGE], accepted()] as const,
    ),
  ],
  refused: [
    ...['sora-1', 'image-3.1-flash-image-preview', 'VIDEO-3.1-generate-preview'].map(
      (model) => ['model', model] as const,
    ),
    ...['', ' '].map((prompt) => ['prompt', prompt] as const),
    ...['seconds', 'duration'].flatMap((name) => [0, 5, 7, 10].map((value) => [name, value] as const)),
    ...['640x480', '1280', '1280X720p', '1024x1024'].map((size) => ['size', size] as const),
    ...['480p', '2160p'].map((resolution) => ['resolution', resolution] as const),
    ...['1:1', '4:3', 'portrait'].map((aspectRatio) => ['aspectRatio', aspectRatio] as const),
    ...[1.5, 'seven'].map((seed) => ['seed', seed] as const),
    ...['true', 'false'].map((generateAudio) => ['generateAudio', generateAudio] as const),
    ...[dataUri(SVG, 'image/svg+xml'), 'https://10.0.0.1/a.png', 'no image'].map(
      (image) => ['input_reference', image] as const,
    ),
    ['last_frame', IMAGE, 'input_reference'],
    ['lastFrame', IMAGE, 'input_reference'],
    ['reference_image', [IMAGE, IMAGE, IMAGE, IMAGE]],
    ['reference_images', [IMAGE, IMAGE, IMAGE, IMAGE]],
    ['referenceImages', [IMAGE, IMAGE, IMAGE, IMAGE]],
    ...['video', 'input_video'].map((name) => [name, IMAGE] as const),
  ],
} as const satisfies Readonly<Record<string, readonly (readonly unknown[])[]>>;

const show = (value: unknown): string => JSON.stringify(value).replace(/"data:(image[^;]*);[^"]*"/g, '$1');

const FIELDS: readonly Sentence[] = [
  ...VALUES.accepted.map(
    ([name, value, outcome]): Sentence => [
      `\`${name}\`: ${show(value)}`,
      { ...VALID, [name]: value },
      outcome,
    ],
  ),
  ...VALUES.refused.map(
    ([name, value, param = name]): Sentence => [
      `\`${name}\`: ${show(value)} is no value`,
      { ...VALID, [name]: value },
      refused(param),
    ],
  ),
];

const inlineImage = (mimeType = 'image/png', referenceType = 'asset') => ({
  image: { bytesBase64Encoded: PNG.toString('base64'), mimeType },
  referenceType,
});
const inMetadata = (...referenceImages: object[]): Fields => ({ ...VALID, metadata: { referenceImages } });
const METADATA: readonly Sentence[] = [
  ['Reference images in `metadata`.', inMetadata(inlineImage(), inlineImage(), inlineImage()), accepted()],
  [
    'Reference images in `metadata`: at most 3.',
    inMetadata(inlineImage(), inlineImage(), inlineImage(), inlineImage()),
    refused('metadata.referenceImages'),
  ],
  [
    '`referenceType` must be `asset`.',
    inMetadata(inlineImage('image/png', 'style')),
    refused('metadata.referenceImages[0].referenceType'),
  ],
  [
    '`image.bytesBase64Encoded` is Base64 image data.',
    inMetadata({ image: { bytesBase64Encoded: 'no image', mimeType: 'image/png' } }),
    refused('metadata.referenceImages[0].image.bytesBase64Encoded'),
  ],
];

const FRAME = file(PNG, 'first.png', 'image/png');
const LAST = file(JPEG, 'last.jpg', 'image/jpeg');
const FILES: readonly Sentence[] = [
  ['A file as `input_reference`.', { ...VALID, input_reference: FRAME }, accepted()],
  ['A file as `last_frame`.', { ...VALID, input_reference: FRAME, last_frame: LAST }, accepted()],
  ['A file as `lastFrame`.', { ...VALID, input_reference: FRAME, lastFrame: LAST }, accepted()],
  ['Files as `reference_image`.', { ...VALID, reference_image: [FRAME, LAST] }, accepted()],
  ['Files as `reference_images`.', { ...VALID, reference_images: [FRAME, LAST] }, accepted()],
  ['Files as `referenceImages`.', { ...VALID, referenceImages: [FRAME, LAST] }, accepted()],
  ['`reference_type` is `asset`.', { ...VALID, reference_image: FRAME, reference_type: 'asset' }, accepted()],
  [
    'A file that is no image.',
    { ...VALID, input_reference: file(SVG, 'a.svg', 'image/svg+xml') },
    refused('input_reference'),
  ],
];

const SENTENCES: readonly Sentence[] = [
  [
    '`model` is required.',
    { prompt: HELD_BACK },
    refused('model', /is required: one of video-3\.1-generate-preview, video-3/),
  ],
  ['`model` is one of the two video model identifiers.', { ...VALID, model: FAST_MODEL }, accepted()],
  ['`prompt` is required.', { model: MODEL }, refused('prompt')],
  ...([4, 6, 8] as const).flatMap((seconds) => [
    [`Durations: ${seconds}, as \`seconds\`.`, { ...VALID, seconds }, accepted(`${seconds}`)] as const,
    [
      `Durations: ${seconds}, as \`duration\`.`,
      { ...VALID, duration: seconds },
      accepted(`${seconds}`),
    ] as const,
    [
      `Durations: ${seconds}, as \`metadata.durationSeconds\`.`,
      { ...VALID, metadata: { durationSeconds: seconds } },
      accepted(`${seconds}`),
    ] as const,
    [
      `First-and-last-frame requests should use 8 seconds: ${seconds} are accepted.`,
      { ...VALID, ...FRAMES, seconds },
      accepted(`${seconds}`),
    ] as const,
  ]),
  [
    'A field that is overridden is checked: `seconds`.',
    { ...VALID, duration: 8, seconds: 5 },
    refused('seconds', /duration takes precedence/),
  ],
  [
    'A field that is overridden is checked: `size`.',
    { ...VALID, metadata: { resolution: '1080p', aspectRatio: '9:16' }, size: '640x480' },
    refused('size', /metadata\.resolution takes precedence/),
  ],
  [
    'Resolutions: 4k, as `metadata.resolution`.',
    { ...VALID, metadata: { resolution: '4k' } },
    accepted('8', '3840x2160'),
  ],
  ['Resolutions: 1080p, as `size`.', { ...VALID, size: '1080x1920' }, accepted('8', '1080x1920')],
  ['1080p and 4k accept only 8 seconds.', { ...VALID, seconds: 4, size: '1920x1080' }, refused('seconds')],
  [
    'Aspect ratios: 9:16, as `metadata.aspectRatio`.',
    { ...VALID, metadata: { aspectRatio: '9:16' } },
    accepted('8', '720x1280'),
  ],
  [
    '`negativePrompt` must not be sent with reference images.',
    { ...VALID, negativePrompt: 'rain', reference_image: IMAGE },
    refused('negativePrompt', /^(400 )?Negative prompt is not supported in your use case$/),
  ],
  ['`seed` is an integer.', { ...VALID, seed: 0 }, accepted()],
  ['`last_frame` requires `input_reference`.', { ...VALID, last_frame: IMAGE }, refused('input_reference')],
  ['`lastFrame` is a last frame.', { ...VALID, input_reference: IMAGE, lastFrame: IMAGE }, accepted()],
  ['`input_reference` is a first frame.', { ...VALID, input_reference: IMAGE, seconds: 4 }, accepted('4')],
  [
    'Reference images: `reference_image`, `reference_images` or `referenceImages`, repeatable.',
    { ...VALID, reference_image: IMAGE, reference_images: IMAGE, referenceImages: IMAGE },
    accepted(),
  ],
  [
    'Reference images: at most 3.',
    { ...VALID, reference_image: [IMAGE, IMAGE], referenceImages: [IMAGE, IMAGE] },
    refused('reference_image', /at most 3/),
  ],
  [
    'Reference-image requests must use 8 seconds.',
    { ...VALID, reference_images: IMAGE, seconds: 6 },
    refused('seconds'),
  ],
  [
    '`reference_type`: only `asset`.',
    { ...VALID, reference_images: IMAGE, reference_type: 'style' },
    refused('reference_type'),
  ],
  ['Do not send `generateAudio`.', { ...VALID, generateAudio: 'true' }, refused('generateAudio')],
  [
    'Duration order: `metadata.durationSeconds` first.',
    { ...VALID, metadata: { durationSeconds: 4 }, duration: 6, seconds: 8 },
    accepted('4'),
  ],
  ['Duration order: then `duration`.', { ...VALID, duration: 6, seconds: 8 }, accepted('6')],
  ['Duration order: then 8.', VALID, accepted()],
  [
    'Resolution order: `metadata.resolution` before `size`.',
    { ...VALID, metadata: { resolution: '4k' }, size: '1080x1920' },
    accepted('8', '2160x3840'),
  ],
  [
    'Aspect ratio order: `aspectRatio` before `size`.',
    { ...VALID, aspectRatio: '9:16', size: '1920x1080' },
    accepted('8', '1080x1920'),
  ],
  [
    'Aspect ratio order: `metadata.aspectRatio` before `size`.',
    { ...VALID, metadata: { aspectRatio: '16:9' }, size: '720x1280' },
    accepted(),
  ],
  ...(['1080p', '4k'] as const).flatMap((resolution) =>
    ([4, 6] as const).map(
      (seconds): Sentence => [
        `${resolution} requires 8 seconds: ${seconds} are refused.`,
        { ...VALID, metadata: { resolution }, duration: seconds },
        refused('duration', /8/),
      ],
    ),
  ),
  ...(['seconds', 'duration'] as const).flatMap((name) =>
    ([4, 6] as const).map(
      (seconds): Sentence => [
        `Reference images: \`${name}\` 8, not ${seconds}.`,
        { ...VALID, reference_image: IMAGE, [name]: seconds },
        refused(name, /8/),
      ],
    ),
  ),
  [
    'A field that is overridden is checked: `duration`.',
    { ...VALID, metadata: { durationSeconds: 8 }, duration: 5 },
    refused('duration', /metadata\.durationSeconds takes precedence/),
  ],
  [
    'The other model has the same options.',
    { ...VALID, model: FAST_MODEL, negativePrompt: 'rain', seed: 1, size: '2160x3840' },
    accepted('8', '2160x3840'),
  ],
  [
    'The other model has the same options with frames.',
    { ...VALID, ...FRAMES, model: FAST_MODEL, metadata: { resolution: '1080p' } },
    accepted('8', '1920x1080'),
  ],
  [
    'The other model has the same options with references.',
    { ...VALID, model: FAST_MODEL, reference_image: IMAGE, aspectRatio: '9:16' },
    accepted('8', '720x1280'),
  ],
];

const sendEach = (title: string, sentences: readonly Sentence[], senders: readonly Sender[]): void => {
  describe(title, { concurrency: 4 }, () => {
    for (const [sentence, fields, outcome] of sentences)
      for (const how of senders)
        test(`${sentence} Sent ${how}.`, async () => {
          const answer = await SENDERS[how](fields);
          if ('refused' in outcome) {
            assert.ok('message' in answer, 'the request was accepted');
            assert.equal(answer.param, outcome.refused, answer.message);
            assert.match(answer.message, outcome.says);
          } else assert.deepEqual('seconds' in answer ? [answer.seconds, answer.size] : answer, outcome);
        });
  });
};

sendEach('a sentence of the specification', SENTENCES, ['as JSON', 'as a form', 'with the SDK']);
sendEach('a field of a video', FIELDS, ['as JSON', 'as a form', 'with the SDK']);
sendEach('reference images of a JSON body', METADATA, ['as JSON']);
sendEach('a file', FILES, ['as a form', 'with the SDK']);

describe('an alias of a model', () => {
  const ALIAS = `sora-2-pro=${MODEL}`;
  test('is named by the response, even if that is an error', async () => {
    const send = (json: object) => call(service, 'POST', '/v1/videos', { json });
    const created = await send({ ...VALID, model: 'sora-2-pro' });
    assert.deepEqual([created.body.model, created.headers.get('x-model-alias')], [MODEL, ALIAS]);
    const error = await send({ ...VALID, model: 'sora-2-pro', seconds: 5 });
    assert.deepEqual([error.status, error.headers.get('x-model-alias')], [400, ALIAS]);
    const found = await call(service, 'GET', '/v1/models/sora-2-pro');
    assert.equal(found.headers.get('x-model-alias'), ALIAS);
    assert.equal((await send(VALID)).headers.get('x-model-alias'), null);
  });
});

test('8 seconds are recommended with a first and a last frame', async () => {
  const advice = async (seconds: number) =>
    (await call(service, 'POST', '/v1/videos', { json: { ...VALID, ...FRAMES, seconds } })).headers.get(
      'x-advice',
    );
  const ADVICE = '8 seconds are recommended with a first and a last frame';
  assert.deepEqual([await advice(4), await advice(6), await advice(8)], [ADVICE, ADVICE, null]);
  const { capabilities } = (await call(service, 'GET', `/v1/models/${MODEL}`)).body;
  assert.deepEqual(Reflect.get(Object(capabilities), 'seconds_by_mode'), {
    text: [4, 6, 8],
    first_frame: [4, 6, 8],
    first_and_last_frame: [4, 6, 8],
    references: [8],
  });
});
