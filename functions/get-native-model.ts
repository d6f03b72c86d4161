import { dynamoClient } from './adapters/aws-clients.ts';
import { nativeModel } from './api/native-models.ts';
import { nativeEndpoint } from './composition/endpoint.ts';
import { DomainError, listed } from './domain/errors.ts';
import { isOneOf, MODELS } from './domain/models.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['get-native-model']);

export const handler = nativeEndpoint(dynamoClient(), KEY_TABLE, async ({ path }) => {
  const model = path('modelAction');
  if (!isOneOf(MODELS, model)) throw new DomainError('model_not_found', `The models are ${listed(MODELS)}.`);
  return ok(nativeModel(model));
});
