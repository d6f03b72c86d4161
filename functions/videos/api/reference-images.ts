import * as z from 'zod/mini';
import { fieldOf, isFields } from '../../platform/body/fields.ts';
import { image } from '../../platform/body/image.ts';
import { parseWithin } from '../../platform/body/parse.ts';
import { fields, forms, list, map, optional, text } from '../../platform/body/schema.ts';
import type { GivenImage } from '../../platform/domain/input-image.ts';
import { MAX_REFERENCE_IMAGES } from '../../platform/domain/models.ts';

// Some clients send the enumeration's name, ASSET.
export const referenceType = text().check(
  z.regex(/^[Aa][Ss][Ss][Ee][Tt]$/, { error: 'must be asset.', abort: true }),
  z.meta({ examples: ['asset', 'ASSET'] }),
);
const givenType = optional(referenceType, 'Only asset.');

/** An image without a wrapper may have the type beside its data. */
const requireAsset = (value: unknown, context: z.core.ParsePayload): unknown => {
  if (isFields(value)) parseWithin(givenType, fieldOf(value, 'referenceType'), context, ['referenceType']);
  return value;
};

const isWrapped = (value: unknown): boolean => isFields(value) && fieldOf(value, 'image') !== undefined;

/** An item is an image in any form, or `{image, referenceType}` around one. */
export const referenceImage = forms<GivenImage>(
  [
    [isWrapped, map(fields({ image, referenceType: givenType }), (item) => item.image)],
    [() => true, z.pipe(z.transform(requireAsset), image)],
  ],
  'must be an image.',
);

export const referenceImages = forms<GivenImage[]>(
  [
    [Array.isArray, list(referenceImage, MAX_REFERENCE_IMAGES)],
    [() => true, map(referenceImage, (item) => [item])],
  ],
  'must be an image or a list of images.',
);
