import * as z from 'zod/mini';
import { MODELS } from '../../domain/models.ts';

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
