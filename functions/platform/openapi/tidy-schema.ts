import type * as z from 'zod/mini';

type Schema = z.core.JSONSchema.BaseSchema;

/** Zod states the limits of JavaScript's integers, and takes literal ones for any numbers. */
const tidyIntegers = (schema: Schema): void => {
  if (schema.type === 'number' && [schema.const, ...(schema.enum ?? [])].some(Number.isInteger))
    schema.type = 'integer';
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
};

/** A choice of one is that one; generators make needless types of it. */
const tidyChoice = (schema: Schema): void => {
  const [only, ...others] = schema.oneOf ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.oneOf;
  Object.assign(schema, only);
};

/** What Zod writes, as a person would have written it. */
export const tidySchema = ({ jsonSchema }: { readonly jsonSchema: Schema }): void => {
  tidyIntegers(jsonSchema);
  tidyChoice(jsonSchema);
};
