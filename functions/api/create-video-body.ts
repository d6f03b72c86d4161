import { DomainError, invalidField, listed } from '../domain/errors.ts';
import type { InputImage } from '../domain/input-image.ts';
import {
  ASPECT_RATIOS,
  isOneOf,
  MAX_PROMPT_CHARACTERS,
  MAX_SEED,
  PIXEL_SIZES,
  type PixelSize,
  RESOLUTIONS,
  VIDEO_MODELS,
  type VideoModel,
} from '../domain/models.ts';
import type { VideoDraft } from '../domain/video-request.ts';
import { type BodyFields, fieldOf, isFields } from './body-fields.ts';
import { readImage } from './image-fields.ts';
import { readReferences } from './reference-fields.ts';
import { readChoice, readText, readWholeNumber } from './typed-fields.ts';

const NO_FIELDS: BodyFields = Object.freeze(Object.create(null));

const readMetadata = (body: BodyFields): BodyFields => {
  const metadata = fieldOf(body, 'metadata');
  if (metadata === undefined) return NO_FIELDS;
  if (!isFields(metadata)) throw invalidField('metadata', 'metadata must be an object.');
  return metadata;
};

// "Do not send generateAudio": in any place, with any value, as the upstream itself refuses it.
const refuseAudioSwitch = (body: BodyFields, metadata: BodyFields): void => {
  if (Object.hasOwn(body, 'generateAudio') || Object.hasOwn(metadata, 'generateAudio'))
    throw new DomainError(
      'INVALID_ARGUMENT',
      'generateAudio is not supported: audio is always generated, and the prompt alone controls it.',
      { param: 'generateAudio' },
    );
};

// "Extending an existing video: not offered; no video input is accepted."
const refuseVideoInput = (body: BodyFields, metadata: BodyFields): void => {
  if (Object.hasOwn(body, 'video') || Object.hasOwn(metadata, 'video'))
    throw new DomainError('not_offered', 'Video input is not offered: send images or text only.', {
      param: 'video',
    });
};

const readModel = (value: unknown): VideoModel => {
  const model = readText('model', value);
  if (model === undefined) throw invalidField('model', `model is required: one of ${listed(VIDEO_MODELS)}.`);
  if (isOneOf(VIDEO_MODELS, model)) return model;
  throw new DomainError('model_not_found', `model must be one of ${listed(VIDEO_MODELS)}.`, {
    param: 'model',
  });
};

const readLimitedText = (param: string, value: unknown): string | undefined => {
  const text = readText(param, value);
  if (
    text !== undefined &&
    (text.length > 2 * MAX_PROMPT_CHARACTERS || Array.from(text).length > MAX_PROMPT_CHARACTERS)
  )
    throw invalidField(param, `${param} is longer than ${MAX_PROMPT_CHARACTERS} characters.`);
  return text;
};

const readPrompt = (value: unknown): string => {
  const prompt = readLimitedText('prompt', value);
  if (prompt === undefined || prompt.trim() === '')
    throw invalidField('prompt', `prompt is required: 1 to ${MAX_PROMPT_CHARACTERS} characters of text.`);
  return prompt;
};

const isPixelSize = (text: string): text is PixelSize => Object.hasOwn(PIXEL_SIZES, text);

const readSize = (value: unknown): PixelSize | undefined => {
  const size = readText('size', value);
  if (size === undefined || isPixelSize(size)) return size;
  throw invalidField('size', `size must be one of ${listed(Object.keys(PIXEL_SIZES))}.`);
};

const readSeed = (param: string, value: unknown): number | undefined => {
  const seed = readWholeNumber(param, value);
  if (seed !== undefined && seed > MAX_SEED)
    throw invalidField(param, `${param} must be a whole number from 0 to ${MAX_SEED}.`);
  return seed;
};

type Places = readonly (readonly [param: string, value: unknown])[];

/** The one image given for a role, whichever of its names it came under. */
const readOnlyImage = (places: Places): InputImage | undefined => {
  const given = places.filter(([, value]) => value !== undefined);
  const [first, second] = given;
  if (first === undefined) return undefined;
  if (second !== undefined)
    throw invalidField(second[0], `${second[0]} and ${first[0]} are the same image: send one of them.`);
  return readImage(first[0], first[1]);
};

const readFrames = (body: BodyFields, metadata: BodyFields): Pick<VideoDraft, 'firstFrame' | 'lastFrame'> => {
  const inBody = (name: string) => [name, fieldOf(body, name)] as const;
  const inMetadata = (name: string) => [`metadata.${name}`, fieldOf(metadata, name)] as const;
  return {
    firstFrame: readOnlyImage([
      inBody('input_reference'),
      inMetadata('input_reference'),
      inMetadata('image'),
    ]),
    lastFrame: readOnlyImage(
      [inBody, inMetadata].flatMap((place) => [place('last_frame'), place('lastFrame')]),
    ),
  };
};

/** Every field of the create request, checked for itself; how they combine is the domain's matter. */
export const readVideoDraft = (body: BodyFields): VideoDraft => {
  const metadata = readMetadata(body);
  refuseAudioSwitch(body, metadata);
  refuseVideoInput(body, metadata);
  const inBody = (name: string): unknown => fieldOf(body, name);
  const inMetadata = (name: string): unknown => fieldOf(metadata, name);
  return {
    model: readModel(inBody('model')),
    prompt: readPrompt(inBody('prompt')),
    seconds: readWholeNumber('seconds', inBody('seconds')),
    duration: readWholeNumber('duration', inBody('duration')),
    size: readSize(inBody('size')),
    resolution: readChoice('resolution', RESOLUTIONS, inBody('resolution')),
    aspectRatio:
      readChoice('metadata.aspectRatio', ASPECT_RATIOS, inMetadata('aspectRatio')) ??
      readChoice('aspectRatio', ASPECT_RATIOS, inBody('aspectRatio')),
    negativePrompt:
      readLimitedText('metadata.negativePrompt', inMetadata('negativePrompt')) ??
      readLimitedText('negativePrompt', inBody('negativePrompt')),
    seed: readSeed('metadata.seed', inMetadata('seed')) ?? readSeed('seed', inBody('seed')),
    metadata: {
      durationSeconds:
        readWholeNumber('metadata.durationSeconds', inMetadata('durationSeconds')) ??
        readWholeNumber('durationSeconds', inBody('durationSeconds')),
      resolution: readChoice('metadata.resolution', RESOLUTIONS, inMetadata('resolution')),
    },
    ...readFrames(body, metadata),
    references: readReferences(body, metadata),
  };
};
