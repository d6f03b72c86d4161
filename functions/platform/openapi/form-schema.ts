import type * as z from 'zod/mini';
import { MAX_REFERENCE_IMAGES } from '../domain/models.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const FILE = { type: 'string', format: 'binary' };

/** What a form sends in another way than JSON does: images are files, and metadata is text. */
const FORM_FIELDS: Readonly<Record<string, object>> = {
  input_reference: FILE,
  last_frame: FILE,
  reference_images: { type: 'array', items: FILE, maxItems: MAX_REFERENCE_IMAGES },
  // Without a media type: generators would make a file of it.
  metadata: { type: 'string', description: 'The options as JSON text.' },
};

const isRefused = (field: unknown): boolean => Object.hasOwn(Object(field), 'not');

/** A form sends text alone, so of a number or a flag and its text only the text. */
const asText = (field: Schema): Schema => {
  const texts = field.enum?.filter((value) => typeof value === 'string') ?? [];
  return field.type === undefined && field.anyOf === undefined && texts.length > 0
    ? { ...field, type: 'string', enum: texts }
    : field;
};

/** Generators write code for each field of a form, and can write none for one that takes no value. */
export const withoutRefused = (schema: Schema): Schema => {
  const fields = Object.entries(schema.properties ?? {});
  const refused = fields.filter(([, field]) => isRefused(field)).map(([name]) => name);
  return {
    ...schema,
    description: `${schema.description} Refused are ${refused.join(', ')}.`,
    properties: Object.fromEntries(
      fields
        .filter(([, field]) => !isRefused(field))
        .map(([name, field]) => [name, typeof field === 'boolean' ? field : asText(field)]),
    ),
  };
};

/** The form of the request whose JSON this describes: the same fields, parsed by the same schema. */
export const formSchema = (schema: Schema): Schema =>
  withoutRefused({
    ...schema,
    description:
      'A create request as a form. An image is a file, or input_reference[file_id] and the like with the id of one. Unknown fields are ignored.',
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const inForm = FORM_FIELDS[name];
        return [name, inForm === undefined ? field : { description: Object(field).description, ...inForm }];
      }),
    ),
  });
