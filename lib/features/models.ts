import { aliasesFor, combineAliases, namesByModel } from '../../functions/catalogue/domain/model-aliases.ts';
import { VIDEO_MODELS } from '../../functions/catalogue/domain/models.ts';
import { MODEL_ENDPOINTS } from '../../functions/models/api/endpoints.ts';
import type * as GetModel from '../../functions/models/get-model.ts';
import type * as ListModels from '../../functions/models/list-models.ts';
import { DOCUMENT_ENDPOINTS, ENDPOINTS } from '../../functions/openapi/api/endpoints.ts';
import type * as GetOpenapi from '../../functions/openapi/get-openapi.ts';
import type * as UnknownRoute from '../../functions/openapi/unknown-route.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

type AliasConfig = Pick<Resources['config'], 'builtInAliases' | 'modelAliases'>;
type NameConfig = AliasConfig & Pick<Resources['config'], 'defaultModel'>;

/** For functions whose requests name a model. */
export const acceptNames = ({ builtInAliases, modelAliases, defaultModel }: NameConfig) =>
  settings({
    MODEL_NAMES: JSON.stringify({
      builtIn: builtInAliases,
      own: namesByModel(modelAliases),
      defaults: defaultModel,
    }),
  });

/** The characters that API Gateway accepts in a fixed part of a path. */
const PATH_PART = /^[\w.-]+$/;

/**
 * A path part is either a parameter or fixed text, which may contain a colon. A fixed part for each name of a video model
 * leads to the function that creates videos; the parameter leads to the function for all other actions.
 */
export const nativeVideoPaths = ({ builtInAliases, modelAliases }: AliasConfig): string[] => {
  const aliases = combineAliases({ builtIn: builtInAliases, own: modelAliases });
  return VIDEO_MODELS.flatMap((model) => [model, ...aliasesFor(aliases, model)])
    .filter((name) => PATH_PART.test(name))
    .map((name) => `/v1beta/models/${name}:predictLongRunning`);
};

/** The models of the service and its OpenAPI document. */
export const addModels = ({ config, serve, keys, upstreams, features }: Resources): void => {
  const grants = allOf(keys.find(), acceptNames(config), upstreams.offer());
  const { listModels, listNativeModels, getModel, getNativeModel } = MODEL_ENDPOINTS;
  serve<typeof ListModels>(['list-models', listModels, listNativeModels], grants);
  serve<typeof GetModel>(['get-model', getModel, getNativeModel], grants);
  serve<typeof GetOpenapi>(['get-openapi', DOCUMENT_ENDPOINTS.getOpenApi], features);
};

/**
 * Every declared endpoint must have a function by now. Answers 404 for all other routes, including other methods of
 * known paths. It needs no key and no grant.
 */
export const addUnknownRoutes = ({ functions, api, assertServed }: Resources): void => {
  assertServed(ENDPOINTS);
  const unknown = functions.create<typeof UnknownRoute>('unknown-route', {
    description: 'Answers unknown routes with 404',
    timeoutSeconds: 28,
    memoryMegabytes: 256,
    grants: settings({}),
  });
  api.route('ANY', '/{proxy+}', unknown);
  // `{proxy+}` does not match the root, where GET and HEAD show the console.
  api.route('ANY', '/', unknown);
};
