import * as z from 'zod/mini';
import { promptField } from '../../catalogue/api/request-fields.ts';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES, type ImageConfig } from '../../catalogue/domain/image-sizes.ts';
import { refuse } from '../../platform/body/parse.ts';
import {
  anything,
  choice,
  forbidden,
  ignored,
  lenientFields,
  list,
  map,
  numberFrom,
  says,
  text,
  wholeNumber,
} from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { MAX_SEED } from '../../upstream/domain/image-request.ts';

export const unsupported = (advice: string) =>
  forbidden((context) => refuse(context, `is not supported: ${advice}`), `Not supported: ${advice}`);

export const prompt = promptField('Describes the image.');

const SIZE_MESSAGE = `must be one of ${listed(IMAGE_SIZES)}.`;

export const imageSize = map(
  z.enum([...new Set(IMAGE_SIZES.flatMap((name) => [name, name.toLowerCase()]))], says(SIZE_MESSAGE)),
  (name, context) => {
    const size = name.toUpperCase();
    return isOneOf(IMAGE_SIZES, size) ? size : refuse(context, SIZE_MESSAGE);
  },
);

export const imageConfig = map(
  lenientFields({
    aspectRatio: z.optional(choice(IMAGE_ASPECT_RATIOS).check(z.describe('Aspect ratio.'))),
    imageSize: z.optional(imageSize.check(z.describe('Resolution.'))),
  }),
  ({ aspectRatio, imageSize: size }): ImageConfig => ({ aspectRatio, imageSize: size }),
).check(z.describe('Aspect ratio and resolution of the image. Field names may also be in snake_case.'));

/** The first configuration that has a field decides it. */
export const mergeConfigs = (configs: readonly (ImageConfig | undefined)[]): ImageConfig => ({
  aspectRatio: configs.find((config) => config?.aspectRatio !== undefined)?.aspectRatio,
  imageSize: configs.find((config) => config?.imageSize !== undefined)?.imageSize,
});

const SEED = says(`must be a whole number from ${-MAX_SEED} to ${MAX_SEED}.`);

/** A limit would only cut off the image. */
export const maxTokens = ignored(wholeNumber(1), 'An image always has the tokens of its size.');

export const sampling = {
  temperature: z.optional(numberFrom(0, 2)),
  topP: z.optional(numberFrom(0, 1)),
  seed: z.optional(
    z.int(SEED).check(z.gte(-MAX_SEED, { ...SEED, abort: true }), z.lte(MAX_SEED, { ...SEED, abort: true })),
  ),
};

/** Rejected rather than ignored, so that no client mistakes one image for several. */
export const imageCount = z.optional(z.literal(1, says('must be 1: each request generates one image.')));

const MAX_SAFETY_SETTINGS = 20;

export const safetySettings = list(
  map(
    lenientFields({ category: text(), threshold: text(), method: ignored(anything('SEVERITY')) }),
    ({ category, threshold }) => ({ category, threshold }),
  ),
  MAX_SAFETY_SETTINGS,
);
