import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

/** A path part cannot be `{model}:generateContent`, so the function splits it; a model alone uses the same part. */
export const NATIVE_MODEL_ROUTE = '/v1beta/models/{modelAction}';

/** What tells clients about the service: its models, and its description. */
export const addModelEndpoints = ({ config, functions, api, keys }: Resources): void => {
  const grants = allOf(keys.find(), settings({ MODEL_ALIASES: JSON.stringify(config.modelAliases) }));
  api.route('GET', '/v1/models', functions.endpoint('list-models', 'Lists the models', grants));
  api.route('GET', '/v1/models/{model}', functions.endpoint('get-model', 'Describes a model', grants));

  const listNative = functions.endpoint(
    'list-native-models',
    'Lists the models natively',
    allOf(keys.find()),
  );
  const getNative = functions.endpoint('get-native-model', 'Describes a model natively', grants);
  api.route('GET', '/v1beta/models', listNative);
  api.route('GET', NATIVE_MODEL_ROUTE, getNative);

  const describe = functions.endpoint('get-openapi', 'Describes the API', settings({}));
  api.route('GET', '/openapi.json', describe, { throttle: 'public' });
};
