import * as z from 'zod/mini';
import {
  aliasesFor,
  findModelName,
  type ModelAliases,
  resolveModel,
} from '../../platform/domain/model-aliases.ts';
import { isOneOf, MODELS } from '../../platform/domain/models.ts';

type ModelName = (typeof MODELS)[number];

/** A name that requests can use, and the model that it stands for. */
export type ListedName = { readonly name: string; readonly model: ModelName };

/** The models, then their aliases: some clients offer only the names that they know. */
export const listNames = (aliases: ModelAliases): ListedName[] => [
  ...MODELS.map((model) => ({ name: model, model })),
  ...MODELS.flatMap((model) => aliasesFor(aliases, model).map((name) => ({ name, model }))),
];

/** Accepts the prefixes that requests can have. */
export const findListedName = (aliases: ModelAliases, given: string): ListedName | undefined => {
  const name = findModelName(aliases, given);
  const model = resolveModel(aliases, given);
  return name !== undefined && isOneOf(MODELS, model) ? { name, model } : undefined;
};

export const modelSchema = z
  .object({
    id: z.string().check(z.describe('The name that requests use: a model or an alias.')),
    object: z.literal('model'),
    created: z.int().check(z.gte(0)),
    owned_by: z.string(),
    alias_of: z
      .nullable(z.enum(MODELS))
      .check(z.describe('The model that this alias stands for; null for a model.')),
    aliases: z.array(z.string()).check(z.describe('Other names of the model; empty for an alias.')),
  })
  .check(z.describe('A model of this service, or an alias of one.'));

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });

export type ModelObject = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;

/** The models have no release date, but clients of OpenAI's API require one. */
const RELEASED_AT = 1_767_225_600;

export const modelObject = (aliases: ModelAliases, { name, model }: ListedName): ModelObject => ({
  id: name,
  object: 'model',
  created: RELEASED_AT,
  owned_by: 'media-generation',
  alias_of: name === model ? null : model,
  aliases: name === model ? aliasesFor(aliases, model) : [],
});

export const modelList = (aliases: ModelAliases): ModelList => ({
  object: 'list',
  data: listNames(aliases).map((listed) => modelObject(aliases, listed)),
});
