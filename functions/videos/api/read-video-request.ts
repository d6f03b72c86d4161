import * as z from 'zod/mini';
import { model } from '../../catalogue/api/model-field.ts';
import { promptField } from '../../catalogue/api/request-fields.ts';
import type { GivenImage } from '../../catalogue/domain/input-image.ts';
import {
  pixelSizes,
  VIDEO_MODELS,
  type VideoModel,
  type VideoModelEntry,
} from '../../catalogue/domain/models.ts';
import { type BodyFields, ownField, toParam, writtenName } from '../../platform/body/fields.ts';
import { type Parsed, parseNoting, refuse } from '../../platform/body/parse.ts';
import { explainPrecedence, type Precedence, writtenParams } from '../../platform/body/precedence.ts';
import { fields, map, optional } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import type { FieldNames, VideoDraft } from '../domain/video-request.ts';
import {
  CONVERSIONS,
  genericOptions,
  otherOptions,
  SPELLINGS,
  TOP_LEVEL_ONLY,
} from './foreign-video-fields.ts';
import { byModel, videoOptions } from './video-options.ts';

/** `reference_image`, `reference_images` and `referenceImages` can be sent together. */
const MERGED = ['reference_images'];

const SIZES = ['size', 'width', 'height'];
const inMetadata = (name: string): string => `metadata.${name}`;

/** "Duration resolution order", "Resolution order" and "Aspect ratio order"; `metadata` is before the top level. */
const PRECEDENCE: Precedence = [
  ['durationSeconds', 'duration', 'seconds'].flatMap((name) => [[inMetadata(name)], [name]]),
  ...['resolution', 'aspectRatio'].map((name) => [[inMetadata(name)], [name], SIZES.map(inMetadata), SIZES]),
  ...['negativePrompt', 'seed'].map((name) => [[inMetadata(name)], [name]]),
];

/** Checks each field on its own. Options may be at top level or inside metadata. */
const givenFields = (entry: VideoModelEntry, offered: readonly VideoModel[]) => {
  const options = videoOptions(entry);
  const advice = otherOptions(entry);
  return fields(
    {
      model: model(VIDEO_MODELS, offered),
      prompt: promptField('Describes the picture and the sound.'),
      ...options,
      metadata: optional(
        fields(options, {
          spellings: SPELLINGS,
          conversions: CONVERSIONS,
          advice: [...advice, ...TOP_LEVEL_ONLY],
          unknown: 'notes',
          merged: MERGED,
        }),
        'The same options, which take precedence over those at top level, and notes of the client, which are ignored.',
      ),
    },
    {
      spellings: SPELLINGS,
      conversions: CONVERSIONS,
      merged: MERGED,
      advice: [...advice, ...genericOptions(entry)],
    },
  );
};

type GivenFields = z.output<ReturnType<typeof givenFields>>;
type GivenOptions = NonNullable<GivenFields['metadata']>;

type Context = z.core.ParsePayload;

/** The size may also be sent as width and height. */
const readSize = (
  { size, width, height }: GivenOptions,
  place: readonly string[],
  sizes: readonly string[],
  context: Context,
): string | undefined => {
  if (width === undefined && height === undefined) return size;
  const path = [...place, width === undefined ? 'height' : 'width'];
  if (width === undefined) return refuse(context, 'requires width.', { path });
  if (height === undefined) return refuse(context, 'requires height.', { path });
  const pixels = `${width}x${height}`;
  if (!sizes.includes(pixels))
    return refuse(context, `and height together must be one of ${listed(sizes)}.`, { path });
  if (size !== undefined && size !== pixels)
    return refuse(context, `with height and size differ: send one of them.`, { path });
  return pixels;
};

/** Refuses an image that is sent both at top level and inside metadata. */
const onlyImage = (
  name: 'input_reference' | 'last_frame',
  { metadata, ...body }: GivenFields,
  context: Context,
): GivenImage | undefined =>
  body[name] !== undefined && metadata?.[name] !== undefined
    ? refuse(context, `and ${name} are the same image: send one of them.`, { path: ['metadata', name] })
    : (metadata?.[name] ?? body[name]);

const toDraft = (given: GivenFields, entry: VideoModelEntry, context: Context): VideoDraft => {
  const { metadata = {}, ...body } = given;
  const all = [...pixelSizes(entry).keys()];
  const sizes = [readSize(metadata, ['metadata'], all, context), readSize(body, [], all, context)];
  return {
    model: body.model,
    prompt: body.prompt,
    seconds: metadata.seconds ?? body.seconds,
    duration: metadata.duration ?? body.duration,
    size: sizes[0] ?? sizes[1],
    resolution: body.resolution,
    aspectRatio: metadata.aspectRatio ?? body.aspectRatio,
    negativePrompt: metadata.negativePrompt ?? body.negativePrompt,
    seed: metadata.seed ?? body.seed,
    metadata: {
      durationSeconds: metadata.durationSeconds ?? body.durationSeconds,
      resolution: metadata.resolution,
    },
    firstFrame: onlyImage('input_reference', given, context),
    lastFrame: onlyImage('last_frame', given, context),
    references: [...(body.reference_images ?? []), ...(metadata.reference_images ?? [])],
  };
};

/** Checks each field on its own; the domain checks how they combine. */
export const createVideoSchema = (entry: VideoModelEntry, offered = VIDEO_MODELS) =>
  map(givenFields(entry, offered), (given, context) => toDraft(given, entry, context)).check(
    z.describe('A create request in JSON. Unknown fields are rejected.'),
  );

/** Checks a body by the entry of its model; an unknown model is refused whatever the entry. */
export const videoDraftReader = (offered = VIDEO_MODELS): ((body: BodyFields) => Parsed<VideoDraft>) => {
  const schemaFor = byModel((entry) => createVideoSchema(entry, offered));
  return (body) => {
    const name = ownField(body, 'model');
    const known = isOneOf(VIDEO_MODELS, name) ? name : 'video-3.1-generate-preview';
    return parseNoting(schemaFor(known), body, SPELLINGS, explainPrecedence(PRECEDENCE, body, SPELLINGS));
  };
};

export const readVideoDraft = videoDraftReader();

const writtenDuration = (body: BodyFields): string | undefined =>
  PRECEDENCE[0]?.flat().flatMap((path) => writtenParams(body, path, SPELLINGS))[0];

/** Names options as the client wrote them: `metadata.first_frame_image`. */
export const videoFieldNames =
  (body: BodyFields): FieldNames =>
  (field) => {
    // Whether a duration is offered is found out later, when only its value is known.
    if (field === 'seconds') return writtenDuration(body) ?? field;
    const inMetadata = writtenName(ownField(body, 'metadata'), field, SPELLINGS);
    return inMetadata === undefined
      ? (writtenName(body, field, SPELLINGS) ?? field)
      : toParam(['metadata', inMetadata]);
  };
