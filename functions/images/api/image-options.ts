import * as z from 'zod/mini';
import { refuse } from '../../platform/body/parse.ts';
import { choice, leaf, lenientFields, numberFrom, says, wholeNumber } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/models.ts';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES, type ImageConfig, MAX_SEED } from '../domain/image-request.ts';

const SIZE_MESSAGE = `must be one of ${listed(IMAGE_SIZES)}.`;

export const imageSize = z.pipe(
  z.enum([...new Set(IMAGE_SIZES.flatMap((name) => [name, name.toLowerCase()]))], says(SIZE_MESSAGE)),
  z.transform((name, context) => {
    const size = name.toUpperCase();
    return isOneOf(IMAGE_SIZES, size) ? size : refuse(context, SIZE_MESSAGE);
  }),
);

export const imageConfig = z
  .pipe(
    lenientFields({
      aspectRatio: z.optional(choice(IMAGE_ASPECT_RATIOS).check(z.describe('Aspect ratio.'))),
      imageSize: z.optional(imageSize.check(z.describe('Resolution.'))),
    }),
    z.transform(({ aspectRatio, imageSize: size }): ImageConfig => ({ aspectRatio, imageSize: size })),
  )
  .check(z.describe('Aspect ratio and resolution of the image. Field names may also be in snake_case.'));

/** The first configuration that has a field decides it. */
export const mergeConfigs = (configs: readonly (ImageConfig | undefined)[]): ImageConfig => ({
  aspectRatio: configs.find((config) => config?.aspectRatio !== undefined)?.aspectRatio,
  imageSize: configs.find((config) => config?.imageSize !== undefined)?.imageSize,
});

const SEED = says(`must be a whole number from ${-MAX_SEED} to ${MAX_SEED}.`);

export const sampling = {
  maxOutputTokens: z.optional(wholeNumber(1).check(z.describe('Maximum number of tokens in the response.'))),
  temperature: z.optional(numberFrom(0, 2)),
  topP: z.optional(numberFrom(0, 1)),
  seed: z.optional(
    z.int(SEED).check(z.gte(-MAX_SEED, { ...SEED, abort: true }), z.lte(MAX_SEED, { ...SEED, abort: true })),
  ),
};

/** Rejected rather than ignored, so that no client mistakes one image for several. */
export const imageCount = z.optional(z.literal(1, says('must be 1: each request generates one image.')));

/** Rejected rather than ignored, because the client would wait for a tool call that never comes. */
export const noTools = z.optional(
  leaf(
    (value, context): readonly unknown[] =>
      Array.isArray(value) && value.length === 0
        ? value
        : refuse(context, 'is not supported: the model generates images and calls no tools.'),
    { type: 'array', items: { type: 'object' }, maxItems: 0 },
  ),
);
