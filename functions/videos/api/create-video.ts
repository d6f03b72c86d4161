import * as z from 'zod/mini';
import { parseBody, refuse } from '../../platform/body/parse.ts';
import { map } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import type { GivenImage } from '../../platform/domain/input-image.ts';
import { isOneOf, type PixelSize } from '../../platform/domain/models.ts';
import type { VideoDraft } from '../domain/video-request.ts';
import { type GivenFields, type GivenOptions, givenFields, SIZES, SPELLINGS } from './create-video-fields.ts';

type Context = z.core.ParsePayload;

/** The size of one place, which may come in two numbers. */
const sizeOf = (
  { size, width, height }: GivenOptions,
  place: readonly string[],
  context: Context,
): PixelSize | undefined => {
  if (width === undefined && height === undefined) return size;
  const path = [...place, width === undefined ? 'height' : 'width'];
  if (width === undefined) return refuse(context, 'needs width.', { path });
  if (height === undefined) return refuse(context, 'needs height.', { path });
  const named = `${width}x${height}`;
  if (!isOneOf(SIZES, named))
    return refuse(context, `with height must be one of ${listed(SIZES)}.`, { path });
  if (size !== undefined && size !== named)
    return refuse(context, `with height and size differ: send one of them.`, { path });
  return named;
};

/** The one image given for a role; two places cannot both be right. */
const onlyImage = (
  name: 'input_reference' | 'last_frame',
  { metadata, ...body }: GivenFields,
  context: Context,
): GivenImage | undefined =>
  body[name] !== undefined && metadata?.[name] !== undefined
    ? refuse(context, `and ${name} are the same image: send one of them.`, { path: ['metadata', name] })
    : (metadata?.[name] ?? body[name]);

const toDraft = (given: GivenFields, context: Context): VideoDraft => {
  const { metadata = {}, ...body } = given;
  const sizes = [sizeOf(metadata, ['metadata'], context), sizeOf(body, [], context)];
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

/** Every field of the create request, checked for itself; how they combine is the domain's matter. */
export const createVideoSchema = map(givenFields, toDraft).check(
  z.describe('A create request in JSON. Unknown fields are ignored.'),
);

export const readVideoDraft = (body: unknown): VideoDraft => parseBody(createVideoSchema, body, SPELLINGS);
