import { nativeEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { notTheModel } from '../platform/body/schema.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { isOneOf, MODELS, resolveModel } from '../platform/domain/models.ts';
import { ALIASES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { nativeModel } from './api/models.ts';

export const ENVIRONMENT = { ...KEYS, ...ALIASES };
const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENT);

export const handler = nativeEndpoint(dynamoClient(), KEY_TABLE, async ({ path }) => {
  const model = resolveModel(MODEL_ALIASES, path('modelAction'));
  if (!isOneOf(MODELS, model)) throw new DomainError('model_not_found', `model ${notTheModel(MODELS)}`);
  return ok(nativeModel(model));
});
