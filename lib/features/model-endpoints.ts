import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

/** What tells clients about the service: its models, and its description. */
export const addModelEndpoints = ({ functions, api, keys }: Resources): void => {
  const key = keys.find();
  api.route('GET', '/v1/models', functions.endpoint('list-models', 'Lists the models', allOf(key)));
  api.route('GET', '/v1/models/{model}', functions.endpoint('get-model', 'Describes a model', allOf(key)));

  const describe = functions.endpoint('get-openapi', 'Describes the API', settings({}));
  api.route('GET', '/openapi.json', describe);
};
