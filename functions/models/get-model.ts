import { endpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { notTheModel } from '../platform/body/schema.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { MODELS } from '../platform/domain/models.ts';
import { ALIASES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { findListedName, modelObject } from './api/models.ts';

export const ENVIRONMENT = { ...KEYS, ...ALIASES };
const { KEY_TABLE, MODEL_ALIASES } = readEnvironment(ENVIRONMENT);

export const handler = endpoint(dynamoClient(), KEY_TABLE, async ({ path }) => {
  const found = findListedName(MODEL_ALIASES, path('model'));
  if (found === undefined)
    throw new DomainError('model_not_found', `model ${notTheModel(MODELS)}`, { param: 'model' });
  return ok(modelObject(MODEL_ALIASES, found));
});
