import { MODELS } from '../domain/models.ts';
import type { ModelList, ModelObject } from './schemas/model.ts';

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
