import { GET } from '../../identity/api/declare-endpoint.ts';

export const MODEL_ENDPOINTS = {
  listNativeModels: GET('/v1beta/models', 'List the models, native format', 'viewer'),
  getNativeModel: GET('/v1beta/models/{model}', 'Get a model, native format', 'viewer', {
    route: '/v1beta/models/{modelAction}',
  }),
  listModels: GET('/v1/models', 'List the models', 'viewer'),
  getModel: GET('/v1/models/{model}', 'Get a model', 'viewer'),
};
