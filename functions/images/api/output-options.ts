import type * as z from 'zod/mini';
import {
  BEST_QUALITY,
  type ImageConversion,
  OUTPUT_FORMATS,
  type OutputFormat,
} from '../../catalogue/domain/image-conversion.ts';
import { refuse } from '../../platform/body/parse.ts';
import { choice, optional, wholeNumber } from '../../platform/body/schema.ts';

/** The fields of the Images API that decide how the image is encoded. */
export const outputFields = {
  output_format: optional(
    choice(OUTPUT_FORMATS),
    'The format of the image. Default: the format in which the generator returns it, usually jpeg.',
  ),
  output_compression: optional(
    wholeNumber(0, BEST_QUALITY, `must be a whole number from 0 to ${BEST_QUALITY}.`),
    'The quality of a jpeg or webp image. Lower values make smaller files. 100, the default, leaves a jpeg image unchanged; png accepts only 100.',
  ),
};

/** Undefined if the image is to be returned as the upstream made it. */
export const toConversion = (
  format: OutputFormat | undefined,
  quality: number | undefined,
  context: z.core.ParsePayload,
  path: readonly string[],
): ImageConversion | undefined => {
  const compressed = (quality ?? BEST_QUALITY) !== BEST_QUALITY;
  if (format === 'png' && compressed)
    return refuse(context, `must be ${BEST_QUALITY} for png, which is lossless: use jpeg or webp.`, { path });
  if (format === undefined && !compressed) return undefined;
  return { format: format ?? 'jpeg', quality: quality ?? BEST_QUALITY };
};
