import * as z from 'zod/mini';
import { openAiErrorSchema } from '../api/errors.ts';
import { image } from '../body/image.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Zod adds the limits of JavaScript's integers, and gives integer literals the type `number`. */
const tidyIntegers = (schema: JsonSchema): void => {
  if (schema.type === 'number' && [schema.const, ...(schema.enum ?? [])].some(Number.isInteger))
    schema.type = 'integer';
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
};

/** Replaces a `oneOf` of one option, for which generators create a needless type. */
const tidyChoice = (schema: JsonSchema): void => {
  const [only, ...others] = schema.oneOf ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.oneOf;
  Object.assign(schema, only);
};

/** Adjusts the schemas that Zod generates. */
export const tidySchema = ({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void => {
  tidyIntegers(jsonSchema);
  tidyChoice(jsonSchema);
};

const isRejected = (field: unknown): boolean => Object.hasOwn(Object(field), 'not');

/** A form sends only text, so values that are not text are removed. */
const asText = (field: JsonSchema): JsonSchema => {
  const texts = field.enum?.filter((value) => typeof value === 'string') ?? [];
  return field.type === undefined && field.anyOf === undefined && texts.length > 0
    ? { ...field, type: 'string', enum: texts }
    : field;
};

/** Removes fields that are never accepted, because generators cannot create code for them in a form. */
export const withoutRejectedFields = (schema: JsonSchema): JsonSchema => {
  const fields = Object.entries(schema.properties ?? {});
  const rejected = fields.filter(([, field]) => isRejected(field)).map(([name]) => name);
  return {
    ...schema,
    description: `${schema.description} Not supported: ${rejected.join(', ')}.`,
    properties: Object.fromEntries(
      fields
        .filter(([, field]) => !isRejected(field))
        .map(([name, field]) => [name, typeof field === 'boolean' ? field : asText(field)]),
    ),
  };
};

const PREFIX = '#/components/schemas/';
export const schemaRef = (name: string) => ({ $ref: `${PREFIX}${name}` });

/** Used by several slices. */
export const SHARED_SCHEMAS = { InputImage: image, ErrorResponse: openAiErrorSchema };

/** Zod schemas as JSON schemas that refer to each other by name. */
export const toComponents = (
  schemas: Readonly<Record<string, z.core.$ZodType>>,
): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `${PREFIX}${id}`,
    override: tidySchema,
  });
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema]),
  );
};
