import * as z from 'zod/mini';
import { MAX_EDITED_IMAGES, shared } from './images-request.ts';

/** The same fields as a form sends them: images are files. */
export const editImagesFormSchema = z
  .object({
    ...shared,
    image: z
      .array(z.file())
      .check(
        z.minLength(1),
        z.maxLength(MAX_EDITED_IMAGES),
        z.describe('The images to edit: repeat the field, with or without [] after its name.'),
      ),
  })
  .check(z.describe('An edit as a form. Unknown fields are ignored.'));
