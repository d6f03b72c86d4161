import { MODEL } from '../../support/http.ts';
import { type Case, JSON_TYPE, shown, withField } from './case.ts';
import { HALF, NOT_CHOICE, NOT_IMAGE, NOT_OBJECT, NOT_TEXT, NOT_WHOLE_NUMBER } from './values.ts';

const VALID = { model: MODEL, prompt: 'a fox' };
const LONG = 'x'.repeat(32_001);
const NOT_DURATION = [null, ...NOT_WHOLE_NUMBER, 0, 3, 5, 7, 9, 60, '5'];
const NOT_SEED = [null, ...NOT_WHOLE_NUMBER, 4_294_967_296];
const NO_CHOICE = [null, ...NOT_CHOICE];
const NO_IMAGE = [null, [], ...NOT_IMAGE];
const NO_REFERENCE = [null, ...NOT_IMAGE, ...NOT_IMAGE.slice(0, 4).map((value) => [value])];

/** Each field of the create request with the values that it does not take. */
const FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  model: NO_CHOICE,
  prompt: [...NOT_TEXT, '', ' ', '\n\t', HALF, LONG],
  seconds: NOT_DURATION,
  duration: NOT_DURATION,
  'metadata.durationSeconds': NOT_DURATION,
  size: [...NO_CHOICE, '1280X720', '1x1', '720x720', '-1280x720', '1280x720x1'],
  resolution: NO_CHOICE,
  'metadata.resolution': NO_CHOICE,
  aspectRatio: [...NO_CHOICE, '1:1', '16/9', '16:9:1'],
  'metadata.aspectRatio': NO_CHOICE,
  negativePrompt: [...NOT_TEXT, HALF, LONG],
  'metadata.negativePrompt': [...NOT_TEXT, HALF, LONG],
  seed: NOT_SEED,
  'metadata.seed': NOT_SEED,
  metadata: [null, ...NOT_OBJECT],
  input_reference: NO_IMAGE,
  'metadata.image': NO_IMAGE,
  last_frame: NO_IMAGE,
  'metadata.lastFrame': NO_IMAGE,
  reference_images: NO_REFERENCE,
  'metadata.referenceImages': NO_REFERENCE,
  reference_type: [...NOT_TEXT, 'style', '', HALF],
  generateAudio: [true, false, null, 'x'],
  'metadata.generateAudio': [true, null],
  video: ['x', null, {}],
};

const expectedParam = (field: string): string => (field.endsWith('generateAudio') ? 'generateAudio' : field);

export const CREATE_CASES: readonly Case[] = Object.entries(FIELDS).flatMap(([field, values]) =>
  values.map((value) => ({
    title: `POST /v1/videos with ${field} ${shown(value)}`,
    family: 'openAi',
    method: 'POST',
    path: '/v1/videos',
    headers: JSON_TYPE,
    body: JSON.stringify(withField(VALID, field, value)),
    statuses: field === 'model' ? [400, 404] : [400],
    param: expectedParam(field),
  })),
);
