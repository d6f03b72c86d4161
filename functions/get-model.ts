import { dynamoClient } from './adapters/aws-clients.ts';
import { notTheModel } from './api/body/model.ts';
import { findModel } from './api/models.ts';
import { endpoint } from './composition/endpoint.ts';
import { DomainError } from './domain/errors.ts';
import { MODELS } from './domain/models.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';

const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENTS['get-model']);

export const handler = endpoint(dynamoClient(), KEY_TABLE, async ({ path }) => {
  const model = findModel(path('model'), MODEL_ALIASES);
  if (model === undefined)
    throw new DomainError('model_not_found', `model ${notTheModel(MODELS)}`, { param: 'model' });
  return ok(model);
});
