import * as z from 'zod/mini';
import { aliasesOf, type ModelAliases, resolveModel } from '../../platform/domain/model-aliases.ts';
import { MODELS } from '../../platform/domain/models.ts';

/** The models have no date of their own; clients of this shape require one. */
const RELEASED_AT = 1_767_225_600;

const modelObject = (id: ModelObject['id'], aliases: ModelAliases): ModelObject => ({
  id,
  object: 'model',
  created: RELEASED_AT,
  owned_by: 'media-generation',
  aliases: aliasesOf(aliases, id),
});

export const modelList = (aliases: ModelAliases): ModelList => ({
  object: 'list',
  data: MODELS.map((id) => modelObject(id, aliases)),
});

export const findModel = (name: string, aliases: ModelAliases): ModelObject | undefined =>
  modelList(aliases).data.find(({ id }) => id === resolveModel(aliases, name));

export const modelSchema = z
  .object({
    id: z.enum(MODELS),
    object: z.literal('model'),
    created: z.int().check(z.gte(0)),
    owned_by: z.string(),
    aliases: z.array(z.string()).check(z.describe('Other names that requests may use for it.')),
  })
  .check(z.describe('A model of this service.'));

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });

export type ModelObject = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;
