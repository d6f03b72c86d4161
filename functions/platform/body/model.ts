import * as z from 'zod/mini';
import { listed } from '../domain/errors.ts';
import { aliasesOf, DEFAULT_ALIASES, isOneOf, type ModelAliases, resolveModel } from '../domain/models.ts';
import { type BodyFields, fieldOf, refuse } from './parse.ts';
import { text } from './schema.ts';

const ALIASES_EXIST = 'or an alias of one; GET /v1/models lists them.';

/** The description of a model field in the OpenAPI document. */
export const modelNames = (models: readonly string[]) => ({
  description: `One of ${listed(models)}, ${ALIASES_EXIST}`,
  enum: [...models, ...models.flatMap((name) => aliasesOf(DEFAULT_ALIASES, name))],
});

/** Completes a sentence that begins with the name of the field. */
export const notTheModel = (models: readonly string[]): string =>
  `must be ${listed(models)}, ${ALIASES_EXIST}`;

/** An unknown model has its own error code. `withOwnModel` has already replaced aliases. */
export const model = <const T extends readonly string[]>(models: T) =>
  z.pipe(
    text(`is required: one of ${listed(models)}.`).check(z.meta(modelNames(models))),
    z.transform((name, context): T[number] =>
      isOneOf(models, name) ? name : refuse(context, notTheModel(models), { code: 'model_not_found' }),
    ),
  );

/** Replaces an alias in `model` by this service's name. */
export const withOwnModel = (aliases: ModelAliases, body: BodyFields): BodyFields => {
  const name = fieldOf(body, 'model');
  return typeof name === 'string' ? { ...body, model: resolveModel(aliases, name) } : body;
};
