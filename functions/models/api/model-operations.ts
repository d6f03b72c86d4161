import { modelNames } from '../../platform/body/schema.ts';
import { DEFAULT_ALIASES, IMAGE_MODEL, MODELS } from '../../platform/domain/models.ts';
import { type ApiPart, jsonContent, response } from '../../platform/openapi/operation.ts';
import { pathParameter, queryParameter } from '../../platform/openapi/parameters.ts';
import {
  modelList,
  modelListSchema,
  modelSchema,
  nativeModel,
  nativeModelList,
  nativeModelListSchema,
  nativeModelSchema,
} from './models.ts';

const SCHEMAS = {
  Model: modelSchema,
  ModelList: modelListSchema,
  NativeModel: nativeModelSchema,
  NativeModelList: nativeModelListSchema,
};

const PARAMETERS = {
  Model: pathParameter('model', 'A model of this service.', { type: 'string', ...modelNames(MODELS) }),
  PageSize: queryParameter('pageSize', 'Maximum number of models on the page. Default: all.', {
    type: 'integer',
    minimum: 1,
  }),
  PageToken: queryParameter('pageToken', 'nextPageToken of the previous page.', {
    type: 'string',
  }),
};

const native = { dialect: 'native', tag: 'Models', method: 'get' } as const;
const openAi = { dialect: 'openAi', tag: 'Models', method: 'get' } as const;
const models = modelList(DEFAULT_ALIASES);

export const MODEL_API: ApiPart = {
  schemas: SCHEMAS,
  parameters: PARAMETERS,
  operations: [
    {
      ...native,
      path: '/v1beta/models',
      id: 'listNativeModels',
      summary: 'List the models, native format',
      parameters: ['PageSize', 'PageToken'],
      responses: {
        200: response(
          'A page of the models.',
          jsonContent('NativeModelList', { models: nativeModelList(() => undefined) }),
        ),
      },
    },
    {
      ...native,
      path: '/v1beta/models/{model}',
      id: 'getNativeModel',
      summary: 'Get a model, native format',
      parameters: ['Model'],
      responses: {
        200: response('The model.', jsonContent('NativeModel', { image: nativeModel(IMAGE_MODEL) })),
      },
      errors: ['model_not_found'],
    },
    {
      ...openAi,
      path: '/v1/models',
      id: 'listModels',
      summary: 'List the models',
      responses: { 200: response('All models.', jsonContent('ModelList', { models })) },
    },
    {
      ...openAi,
      path: '/v1/models/{model}',
      id: 'getModel',
      summary: 'Get a model',
      parameters: ['Model'],
      responses: {
        200: response(
          'The model.',
          jsonContent('Model', { model: models.data.find(({ id }) => id === IMAGE_MODEL) }),
        ),
      },
      errors: ['model_not_found'],
    },
  ],
};
