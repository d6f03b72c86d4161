import * as z from 'zod/mini';
import { listed } from '../domain/errors.ts';
import { aliasesOf, DEFAULT_ALIASES, type ModelAliases, resolveModel } from '../domain/model-aliases.ts';
import { isOneOf } from '../domain/models.ts';
import { type BodyFields, fieldOf } from './fields.ts';
import { refuse } from './parse.ts';
import { text } from './schema.ts';

const ALIASES_EXIST = 'or an alias of one; GET /v1/models lists them.';

/** What the document says of a model's name. */
export const modelNames = (models: readonly string[]) => ({
  description: `One of ${listed(models)}, ${ALIASES_EXIST}`,
  enum: [...models, ...models.flatMap((name) => aliasesOf(DEFAULT_ALIASES, name))],
});

/** The rest of a sentence that begins with the field's name. */
export const notTheModel = (models: readonly string[]): string =>
  `must be ${listed(models)}, ${ALIASES_EXIST}`;

/** A model that is not known is an error of its own. Aliases are replaced before, by `withOwnModel`. */
export const model = <const T extends readonly string[]>(models: T) =>
  z.pipe(
    text(`is required: one of ${listed(models)}.`).check(z.meta(modelNames(models))),
    z.transform((name, context): T[number] =>
      isOneOf(models, name) ? name : refuse(context, notTheModel(models), { code: 'model_not_found' }),
    ),
  );

/** A body that names its model as this service does. */
export const withOwnModel = (aliases: ModelAliases, body: BodyFields): BodyFields => {
  const name = fieldOf(body, 'model');
  return typeof name === 'string' ? { ...body, model: resolveModel(aliases, name) } : body;
};
