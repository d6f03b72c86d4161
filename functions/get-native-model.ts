import { dynamoClient } from './adapters/aws-clients.ts';
import { notTheModel } from './api/body/model.ts';
import { nativeModel } from './api/native-models.ts';
import { nativeEndpoint } from './composition/endpoint.ts';
import { DomainError } from './domain/errors.ts';
import { resolveModel } from './domain/model-aliases.ts';
import { isOneOf, MODELS } from './domain/models.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENTS['get-native-model']);

export const handler = nativeEndpoint(dynamoClient(), KEY_TABLE, async ({ path }) => {
  const model = resolveModel(MODEL_ALIASES, path('modelAction'));
  if (!isOneOf(MODELS, model)) throw new DomainError('model_not_found', `model ${notTheModel(MODELS)}`);
  return ok(nativeModel(model));
});
