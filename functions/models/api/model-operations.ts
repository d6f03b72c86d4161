import { ANSWER_EXAMPLES } from '../../platform/openapi/answer-examples.ts';
import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { FOR_BROWSERS } from '../../platform/openapi/parameters.ts';

const notOffered = {
  dialect: 'openAi',
  tag: 'Not supported',
  description: 'Known to clients of this API; answers that it is not supported here.',
  errors: ['not_offered'],
} as const;

export const OTHER_OPERATIONS: readonly Operation[] = [
  {
    dialect: 'openAi',
    tag: 'Models',
    method: 'get',
    path: '/v1/models',
    id: 'listModels',
    summary: 'List the models',
    answers: { 200: answer('All models.', jsonContent('ModelList', ANSWER_EXAMPLES.models)) },
  },
  {
    dialect: 'openAi',
    tag: 'Models',
    method: 'get',
    path: '/v1/models/{model}',
    id: 'getModel',
    summary: 'Describe a model',
    parameters: ['Model'],
    answers: { 200: answer('The model.', jsonContent('Model', ANSWER_EXAMPLES.model)) },
    errors: ['model_not_found'],
  },
  {
    ...notOffered,
    method: 'post',
    path: '/v1/videos/{task_id}',
    id: 'editVideo',
    summary: 'Edit or extend a video',
    parameters: ['TaskId'],
  },
  {
    ...notOffered,
    method: 'post',
    path: '/v1/videos/{task_id}/remix',
    id: 'remixVideo',
    summary: 'Remix a video',
    parameters: ['TaskId'],
  },
  {
    ...notOffered,
    method: 'post',
    path: '/v1/videos/characters',
    id: 'createCharacter',
    summary: 'Create a character',
  },
  {
    ...notOffered,
    method: 'get',
    path: '/v1/videos/characters/{character_id}',
    id: 'getCharacter',
    summary: 'Describe a character',
    parameters: ['CharacterId'],
  },
  {
    tag: 'Service',
    method: 'get',
    path: '/openapi.json',
    id: 'getOpenApi',
    summary: 'This document',
    answers: {
      200: answer(
        'An OpenAPI 3.1 document.',
        { 'application/json': { schema: { type: 'object' } } },
        FOR_BROWSERS,
      ),
    },
  },
];
