import type * as z from 'zod/mini';
import { MAX_REFERENCE_IMAGES } from '../../domain/models.ts';

const FILE = { type: 'string', format: 'binary' };

/** What a form sends in another way than JSON does: images are files, and metadata is text. */
const FORM_FIELDS: Readonly<Record<string, object>> = {
  input_reference: FILE,
  last_frame: FILE,
  reference_images: { type: 'array', items: FILE, maxItems: MAX_REFERENCE_IMAGES },
  metadata: { type: 'string', contentMediaType: 'application/json' },
};

/** The form of the request whose JSON this describes: the same fields, parsed by the same schema. */
export const formSchema = (schema: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema => ({
  ...schema,
  description: 'A create request as a form. Unknown fields are ignored.',
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const inForm = FORM_FIELDS[name];
      return [name, inForm === undefined ? field : { description: Object(field).description, ...inForm }];
    }),
  ),
});
