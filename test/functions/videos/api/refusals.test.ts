import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { VIDEO_CATALOGUE } from '../../../../functions/catalogue/domain/models.ts';
import type { Advice } from '../../../../functions/platform/body/field-names.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { readNativeVideoDraft } from '../../../../functions/videos/api/native-video.ts';
import { readVideoDraft, videoFieldNames } from '../../../../functions/videos/api/read-video-request.ts';
import {
  CONVERSIONS,
  genericOptions,
  otherOptions,
  SPELLINGS,
  TOP_LEVEL_ONLY,
} from '../../../../functions/videos/api/video-field-names.ts';
import { resolveVideoRequest } from '../../../../functions/videos/domain/video-request.ts';
import { PNG } from '../../../support/images.ts';

/** Every refusal that depends on a model, word for word. `RECORD=1` writes the file; review its changes. */
const RECORDED = join(import.meta.dirname, 'refusals.json');

const IMAGE = { bytesBase64Encoded: PNG.toString('base64'), mimeType: 'image/png' };
const VALUES = [
  '',
  null,
  0,
  3,
  5,
  7,
  10,
  '8.0',
  ' 8',
  -8,
  '1e1',
  'abc',
  '360p',
  '720P',
  '2k',
  '1:1',
  '720x720',
  true,
];
const FIELDS = [
  'seconds',
  'duration',
  'durationSeconds',
  'size',
  'resolution',
  'aspectRatio',
  'seed',
  'width',
  'n',
];
const images = (count: number) => Array.from({ length: count }, () => IMAGE);

const COMBINATIONS: readonly object[] = [
  ...['1080p', '4k'].flatMap((resolution) => [4, 6].map((seconds) => ({ resolution, seconds }))),
  ...['1920x1080', '2160x3840'].map((size) => ({ size, duration: 6 })),
  ...[4, 6].flatMap((seconds) => [
    { seconds, reference_images: images(1) },
    { seconds, input_reference: IMAGE, last_frame: IMAGE },
    { metadata: { durationSeconds: seconds, referenceImages: images(2) } },
  ]),
  { reference_images: images(4) },
  { reference_images: images(2), metadata: { reference_images: images(2) } },
  { reference_images: images(1), input_reference: IMAGE },
  { reference_images: images(1), last_frame: IMAGE },
  { last_frame: IMAGE },
  { reference_images: images(1), negativePrompt: 'rain' },
  { reference_images: images(1), metadata: { negative_prompt: 'rain' } },
  { reference_images: [{ image: IMAGE, referenceType: 'style' }] },
  { width: 720 },
  { height: 720 },
  { width: 720, height: 720 },
  { width: 1280, height: 720, size: '720x1280' },
  { input_reference: IMAGE, metadata: { input_reference: IMAGE } },
  { seed: 4_294_967_296 },
  { generateAudio: false },
  { metadata: { generateAudio: true } },
  ...[
    'orientation',
    'n_frames',
    'quality',
    'images',
    'image_url',
    'video',
    'characters',
    'remixed_from_video_id',
  ].map((name) => ({ [name]: 'x' })),
];

const bodies: readonly object[] = [
  ...FIELDS.flatMap((name) =>
    VALUES.flatMap((value) => [
      { [name]: value },
      ...(name === 'n' ? [] : [{ metadata: { [name]: value } }]),
    ]),
  ),
  ...COMBINATIONS,
];

const NATIVE: readonly (readonly [instance: object, parameters: object])[] = [
  ...['durationSeconds', 'resolution', 'aspectRatio', 'seed', 'sampleCount'].flatMap((name) =>
    VALUES.map((value) => [{}, { [name]: value }] as const),
  ),
  [{ lastFrame: IMAGE }, {}],
  [{ image: IMAGE, lastFrame: IMAGE }, { durationSeconds: 4 }],
  [{ referenceImages: images(4).map((image) => ({ image })) }, {}],
  [{ referenceImages: [{ image: IMAGE }], image: IMAGE }, {}],
  [{ referenceImages: [{ image: IMAGE }] }, { durationSeconds: 6 }],
  [{ referenceImages: [{ image: IMAGE }] }, { negativePrompt: 'rain' }],
  [{}, { resolution: '1080p', durationSeconds: 4 }],
  [{}, { generateAudio: true }],
];

const outcome = (act: () => { seconds: number; resolution: string; aspectRatio: string }): string => {
  try {
    const { seconds, resolution, aspectRatio } = act();
    return `accepted: ${seconds} s, ${resolution}, ${aspectRatio}`;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `${error.code} ${error.param ?? '-'}: ${error.message}`;
  }
};

const title = (value: unknown): string => JSON.stringify(value).replaceAll(JSON.stringify(IMAGE), '<image>');

const outcomes = (model: 'video-3.1-generate-preview' | 'video-3.1-fast-generate-preview') => ({
  ...Object.fromEntries(
    bodies.map((body) => [
      title(body),
      outcome(() => {
        const sent = { model, prompt: 'a fox', ...body };
        return resolveVideoRequest(readVideoDraft(sent).data, videoFieldNames(sent));
      }),
    ]),
  ),
  ...Object.fromEntries(
    NATIVE.map(([instance, parameters]) => [
      `native ${title({ ...instance, parameters })}`,
      outcome(() =>
        resolveVideoRequest(
          readNativeVideoDraft(model, { instances: [{ prompt: 'a fox', ...instance }], parameters }).data,
        ),
      ),
    ]),
  ),
});

/** The names of other services: what each means here, or the advice that refuses it. */
const NAMES_RECORDED = join(import.meta.dirname, 'other-names.json');
const adviceByName = (advice: Advice) =>
  Object.fromEntries(advice.flatMap(([names, text]) => names.map((name) => [name, text])));
const entry = VIDEO_CATALOGUE['video-3.1-generate-preview'];
const otherNames = {
  spellings: SPELLINGS,
  converted: Object.keys(CONVERSIONS),
  refused: adviceByName(otherOptions(entry)),
  refusedAtTopLevel: adviceByName(genericOptions(entry)),
  onlyAtTopLevel: adviceByName(TOP_LEVEL_ONLY),
};

test('the names of other services are the recorded ones', () => {
  if (process.env.RECORD === '1') writeFileSync(NAMES_RECORDED, `${JSON.stringify(otherNames, null, 1)}\n`);
  assert.deepEqual(otherNames, JSON.parse(readFileSync(NAMES_RECORDED, 'utf8')));
});

describe('refusals of the models of the specification', () => {
  if (process.env.RECORD === '1')
    writeFileSync(RECORDED, `${JSON.stringify(outcomes('video-3.1-generate-preview'), null, 1)}\n`);
  const recorded: unknown = JSON.parse(readFileSync(RECORDED, 'utf8'));
  for (const model of ['video-3.1-generate-preview', 'video-3.1-fast-generate-preview'] as const)
    test(`have the recorded words for ${model}`, () => assert.deepEqual(outcomes(model), recorded));
});
