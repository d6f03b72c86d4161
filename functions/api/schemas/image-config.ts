import * as z from 'zod/mini';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../domain/image-request.ts';

const ratio = z.enum(IMAGE_ASPECT_RATIOS).check(z.describe('Aspect ratio.'));
const size = z
  .enum([...IMAGE_SIZES, ...IMAGE_SIZES.map((name) => name.toLowerCase())])
  .check(z.describe('Resolution.'));

export const imageConfigSchema = z
  .object({ aspectRatio: z.optional(ratio), imageSize: z.optional(size) })
  .check(z.describe('What the image is to be like. The names may also be in snake_case.'));
