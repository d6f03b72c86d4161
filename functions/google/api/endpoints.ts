import { declareFor } from '../../identity/api/declare-endpoint.ts';

const { GET, POST } = declareFor('google');

/** Vertex AI has two versions, each with a path for a project and one without. */
const PUBLISHER_MODELS = ['/v1', '/v1beta1'].flatMap((version) => [
  `${version}/publishers/google/models`,
  `${version}/projects/{project}/locations/{location}/publishers/google/models`,
]);
const [publisherModels = '', ...otherPublisherModels] = PUBLISHER_MODELS;
const below = (paths: readonly string[]) => paths.map((path) => `${path}/{modelAction}`);

/** API Gateway has one route for all actions. */
const route = { route: '/v1/models/{modelAction}', alsoAt: below(PUBLISHER_MODELS) };

/**
 * The actions of Google's API where its newer clients call them: below `/v1`, and on the paths of Vertex AI. They are not
 * part of the document, which describes them below `/v1beta`.
 */
export const MODEL_ACTION_ENDPOINTS = {
  generateContent: POST('/v1/models/{model}:generateContent', 'Run an action of a model', 'member', route),
  streamGenerateContent: POST(
    '/v1/models/{model}:streamGenerateContent',
    'Generate an image',
    'member',
    route,
  ),
  predict: POST('/v1/models/{model}:predict', 'Generate images', 'member', route),
  predictLongRunning: POST('/v1/models/{model}:predictLongRunning', 'Create a video task', 'member', route),
  fetchPredictOperation: POST(
    '/v1/models/{model}:fetchPredictOperation',
    'Get a video task',
    'viewer',
    route,
  ),
};

export const isVertexRoute = (called: string): boolean => called !== route.route;

export const PUBLISHER_MODEL_ENDPOINTS = {
  listPublisherModels: GET(publisherModels, 'List the models, format of Vertex AI', 'viewer', {
    alsoAt: otherPublisherModels,
  }),
  getPublisherModel: GET(`${publisherModels}/{model}`, 'Get a model, format of Vertex AI', 'viewer', {
    route: '/v1/publishers/google/models/{modelAction}',
    alsoAt: below(otherPublisherModels),
  }),
};
