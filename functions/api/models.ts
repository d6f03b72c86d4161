import * as z from 'zod/mini';
import { MODELS } from '../domain/models.ts';

/** The models have no date of their own; clients of this shape require one. */
const RELEASED_AT = 1_767_225_600;

const modelObject = (id: ModelObject['id']): ModelObject => ({
  id,
  object: 'model',
  created: RELEASED_AT,
  owned_by: 'media-generation',
});

export const modelList = (): ModelList => ({ object: 'list', data: MODELS.map(modelObject) });

export const findModel = (id: string) => modelList().data.find((model) => model.id === id);

export const modelSchema = z
  .object({
    id: z.enum(MODELS),
    object: z.literal('model'),
    created: z.int().check(z.gte(0)),
    owned_by: z.string(),
  })
  .check(z.describe('A model of this service.'));

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });

export type ModelObject = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;
