import { aliasesFor, combineAliases, namesByModel } from '../../functions/catalogue/domain/model-aliases.ts';
import { VIDEO_MODELS } from '../../functions/catalogue/domain/models.ts';
import type * as GetModel from '../../functions/models/get-model.ts';
import type * as GetNativeModel from '../../functions/models/get-native-model.ts';
import type * as ListModels from '../../functions/models/list-models.ts';
import type * as ListNativeModels from '../../functions/models/list-native-models.ts';
import type * as GetOpenapi from '../../functions/openapi/get-openapi.ts';
import type * as UnknownRoute from '../../functions/openapi/unknown-route.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

/** API Gateway does not allow `{model}:generateContent`, so the function splits this part; it also serves a model alone. */
export const NATIVE_MODEL_ROUTE = '/v1beta/models/{modelAction}';

type AliasConfig = Pick<Resources['config'], 'builtInAliases' | 'modelAliases'>;

/** For functions that accept aliases. */
export const acceptAliases = ({ builtInAliases, modelAliases }: AliasConfig) =>
  settings({ MODEL_ALIASES: JSON.stringify({ builtIn: builtInAliases, own: namesByModel(modelAliases) }) });

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
export const addModels = ({ config, functions, api, keys, upstreams }: Resources): void => {
  const grants = allOf(keys.find(), acceptAliases(config), upstreams.offer());
  const list = functions.endpoint<typeof ListModels>('list-models', 'Lists models', grants);
  const get = functions.endpoint<typeof GetModel>('get-model', 'Returns a model', grants);
  const listNative = functions.endpoint<typeof ListNativeModels>(
    'list-native-models',
    'Lists models, native format',
    grants,
  );
  const getNative = functions.endpoint<typeof GetNativeModel>(
    'get-native-model',
    'Returns a model, native format',
    grants,
  );
  const openapi = functions.endpoint<typeof GetOpenapi>(
    'get-openapi',
    'Returns the OpenAPI document',
    upstreams.offer(),
  );

  api.route('GET', '/v1/models', list);
  api.route('GET', '/v1/models/{model}', get);
  api.route('GET', '/v1beta/models', listNative);
  api.route('GET', NATIVE_MODEL_ROUTE, getNative);
  api.route('GET', '/openapi.json', openapi, { throttle: 'public' });
};

/** Answers 404 for all other routes, including other methods of known paths. It needs no key and no grant. */
export const addUnknownRoutes = ({ functions, api }: Resources): void => {
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
