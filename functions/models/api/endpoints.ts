import { declareFor, GET } from '../../identity/api/declare-endpoint.ts';

const google = declareFor('google');

export const MODEL_ENDPOINTS = {
  listNativeModels: google.GET('/v1beta/models', 'List the models, native format', 'viewer'),
  getNativeModel: google.GET('/v1beta/models/{model}', 'Get a model, native format', 'viewer', {
    route: '/v1beta/models/{modelAction}',
  }),
  listModels: GET('/v1/models', 'List the models', 'viewer'),
  // A resource of API Gateway has one variable below it, and that of actions comes first.
  getModel: GET('/v1/models/{model}', 'Get a model', 'viewer', { route: '/v1/models/{modelAction}' }),
};
