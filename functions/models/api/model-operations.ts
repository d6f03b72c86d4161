import { modelNames } from '../../catalogue/api/model-field.ts';
import { videoCapabilitiesSchema } from '../../catalogue/api/video-capabilities.ts';
import { MODELS } from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { type ApiPart, jsonResponse } from '../../platform/openapi/operation.ts';
import { MODEL_HEADERS, pathParameter, queryParameter } from '../../platform/openapi/parameters.ts';
import { MODEL_ENDPOINTS } from './endpoints.ts';
import { MODEL_EXAMPLES } from './model-examples.ts';
import { imageCapabilitiesSchema, modelListSchema, modelSchema } from './models.ts';
import { nativeModelListSchema, nativeModelSchema } from './native-models.ts';

const SCHEMAS = {
  VideoCapabilities: videoCapabilitiesSchema,
  ImageCapabilities: imageCapabilitiesSchema,
  Model: modelSchema,
  ModelList: modelListSchema,
  NativeModel: nativeModelSchema,
  NativeModelList: nativeModelListSchema,
};

const PARAMETERS = {
  Model: pathParameter('model', 'A model of this service, or an alias of one.', modelNames(MODELS)),
  PageSize: queryParameter('pageSize', 'Maximum number of models on the page. Default: all.', {
    type: 'integer',
    minimum: 1,
  }),
  PageToken: queryParameter('pageToken', 'nextPageToken of the previous page.'),
};

const OPERATIONS = toOperations(MODEL_ENDPOINTS, {
  listNativeModels: {
    description:
      'The models that this deployment offers, then an entry for each alias; baseModelId names the model of an alias.',
    parameters: ['PageSize', 'PageToken'],
    responses: jsonResponse(
      'A page of the models and aliases.',
      'NativeModelList',
      MODEL_EXAMPLES.listNativeModels,
    ),
  },
  getNativeModel: {
    description: 'The model can also be an alias.',
    responses: jsonResponse('The model.', 'NativeModel', MODEL_EXAMPLES.getNativeModel, MODEL_HEADERS),
    errors: ['model_not_found'],
  },
  listModels: {
    description:
      'The models that this deployment offers, then an entry for each alias; alias_of names the model of an alias.',
    responses: jsonResponse('All models and aliases.', 'ModelList', MODEL_EXAMPLES.listModels),
  },
  getModel: {
    description: 'The model can also be an alias.',
    responses: jsonResponse('The model.', 'Model', MODEL_EXAMPLES.getModel, MODEL_HEADERS),
    errors: ['model_not_found'],
  },
});

export const MODEL_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
