import * as z from 'zod/mini';
import { notTheModel } from '../../platform/body/model.ts';
import { refuse } from '../../platform/body/parse.ts';
import { choice, leaf, lenientFields, numberFrom, says, wholeNumber } from '../../platform/body/schema.ts';
import { DomainError, listed } from '../../platform/domain/errors.ts';
import { IMAGE_MODEL, type ImageModel, isOneOf, VIDEO_MODELS } from '../../platform/domain/models.ts';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES, type ImageConfig } from '../domain/image-request.ts';

/** What all image formats can ask for. */

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
  .check(z.describe('What the image is to be like. The names may also be in snake_case.'));

/** Of several places, the first that says something of a field decides it. */
export const firstOf = (configs: readonly (ImageConfig | undefined)[]): ImageConfig => ({
  aspectRatio: configs.find((config) => config?.aspectRatio !== undefined)?.aspectRatio,
  imageSize: configs.find((config) => config?.imageSize !== undefined)?.imageSize,
});

export const MAX_SEED = 2 ** 31 - 1;
const SEED = says(`must be a whole number from ${-MAX_SEED} to ${MAX_SEED}.`);

/** How the model is to work. */
export const sampling = {
  limit: z.optional(wholeNumber(1).check(z.describe('Most tokens of the answer.'))),
  temperature: z.optional(numberFrom(0, 2)),
  share: z.optional(numberFrom(0, 1)),
  seed: z.optional(
    z.int(SEED).check(z.gte(-MAX_SEED, { ...SEED, abort: true }), z.lte(MAX_SEED, { ...SEED, abort: true })),
  ),
};

/** One image a request: a client that asks for more must not take the one for all of them. */
export const one = z.optional(z.literal(1, says('must be 1: one image is generated a request.')));

/** An image model calls nothing: a client that waits for a call must be told. */
export const noTools = z.optional(
  leaf(
    (value, context): readonly unknown[] =>
      Array.isArray(value) && value.length === 0
        ? value
        : refuse(context, 'is not supported: the model makes images and calls nothing, so leave it out.'),
    { type: 'array', items: { type: 'object' }, maxItems: 0 },
  ),
);

export const requireImageModel = (model: string): ImageModel => {
  if (model === IMAGE_MODEL) return model;
  const hint = isOneOf(VIDEO_MODELS, model) ? ` ${model} makes videos, with predictLongRunning.` : '';
  throw new DomainError('model_not_found', `model ${notTheModel([IMAGE_MODEL])}${hint}`, { param: 'model' });
};
