import * as z from 'zod/mini';
import { IMAGE_TYPES } from '../../domain/models.ts';

/** A whole PNG of one pixel, so that the examples can be sent as they stand. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

export const base64Schema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/), z.meta({ description: 'Base64 image data.', examples: [PIXEL] }));

export const dataUriSchema = z.string().check(
  z.regex(/^data:image\/(?:jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/),
  z.meta({
    description: `An image of type ${IMAGE_TYPES.join(', ')} as a data URI; remote addresses are refused.`,
    examples: [`data:image/png;base64,${PIXEL}`],
  }),
);

export const imageTypeSchema = z.enum(IMAGE_TYPES).check(z.meta({ examples: ['image/png'] }));

/** The forms in which a JSON body can hold an image. */
export const inputImageSchema = z
  .union([
    dataUriSchema,
    z.object({ image_url: z.union([dataUriSchema, z.object({ url: dataUriSchema })]) }),
    z.object({ bytesBase64Encoded: base64Schema, mimeType: imageTypeSchema }),
  ])
  .check(z.describe('An image within JSON: at most 10 MB and 8192 pixels a side.'));
