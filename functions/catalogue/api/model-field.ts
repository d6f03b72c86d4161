import * as z from 'zod/mini';
import type { BodyFields } from '../../platform/body/fields.ts';
import { refuse } from '../../platform/body/parse.ts';
import { map, text } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import {
  aliasesFor,
  BUILT_IN_ALIASES,
  type DefaultModels,
  type ModelAliases,
  type ModelNames,
  resolveModel,
} from '../domain/model-aliases.ts';

const ALIASES_EXIST = 'or an alias of one; GET /v1/models lists them.';

export const modelNames = (models: readonly string[]) => ({
  description: `One of ${listed(models)}, ${ALIASES_EXIST}`,
  enum: [...models, ...models.flatMap((name) => aliasesFor(BUILT_IN_ALIASES, name))],
});

/** Completes a sentence that begins with the name of the field. */
export const notTheModel = (models: readonly string[]): string =>
  `must be ${listed(models)}, ${ALIASES_EXIST}`;

/** An unknown model has its own error code, and its message names the offered ones. `withOwnModel` has already replaced aliases. */
export const model = <const T extends readonly string[]>(models: T, offered: readonly string[] = models) =>
  map(
    text(`is required: one of ${listed(offered)}.`).check(z.meta(modelNames(models))),
    (name, context): T[number] =>
      isOneOf(models, name) ? name : refuse(context, notTheModel(offered), { code: 'model_not_found' }),
  );

export type NoteAlias = (alias: string) => void;

/** This service's name of a model. A name that it replaces is noted, so that the client and the log learn of it. */
export const ownModelName = (aliases: ModelAliases, name: string, noteAlias: NoteAlias): string => {
  const model = resolveModel(aliases, name);
  if (model !== name) noteAlias(`${name}=${model}`);
  return model;
};

/** Replaces an alias in `model` by this service's name, and a missing model by the default, if there is one. */
export const withOwnModel = (
  { aliases, defaults }: ModelNames,
  medium: keyof DefaultModels,
  body: BodyFields,
  noteAlias: NoteAlias,
): BodyFields => {
  const name = Object.hasOwn(body, 'model') ? body.model : defaults[medium];
  return typeof name === 'string' ? { ...body, model: ownModelName(aliases, name, noteAlias) } : body;
};
