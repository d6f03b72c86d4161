import * as z from 'zod/mini';
import { MAX_REFERENCE_IMAGES } from '../../domain/models.ts';
import { optional, text } from '../body/schema.ts';
import { basics, choices, refused } from './create-video.ts';
import { referenceType } from './reference-images.ts';

const file = (description: string) => optional(z.file(), description);
const files = optional(
  z.array(z.file()).check(z.maxLength(MAX_REFERENCE_IMAGES)),
  'Reference images: repeat the field, with or without [] after its name.',
);

/** The same fields as a form sends them: images are files, and metadata may be text. */
export const createVideoFormSchema = z
  .object({
    ...basics,
    ...choices,
    input_reference: file('First frame: JPEG, PNG or WebP.'),
    last_frame: file('Last frame; needs input_reference.'),
    lastFrame: file('Another name of last_frame.'),
    reference_image: files,
    reference_images: files,
    referenceImages: files,
    reference_type: referenceType,
    ...refused,
    metadata: optional(
      text(),
      'The JSON form’s metadata as text; single fields as metadata[resolution] and so on.',
    ),
  })
  .check(z.describe('A create request as a form. Unknown fields are ignored.'));
