import { dynamoClient } from './adapters/aws-clients.ts';
import { readOptionalJson } from './api/body/json-body.ts';
import { parseBody } from './api/body/parse.ts';
import { endpointWithSecret } from './api/webhooks/webhook-object.ts';
import { rotationSchema } from './api/webhooks/webhook-schema.ts';
import { endpoint } from './composition/endpoint.ts';
import { webhookEndpointsFrom } from './composition/webhook-endpoints.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { rotateSecret } from './usecases/manage-webhooks.ts';

const environment = readEnvironment(ENVIRONMENTS['rotate-webhook-secret']);
const client = dynamoClient();
const endpoints = webhookEndpointsFrom(client, environment);

export const handler = endpoint(client, environment.KEY_TABLE, async ({ caller, path, header, body }) => {
  const id = path('webhook_endpoint_id');
  const given = parseBody(rotationSchema, readOptionalJson(header('content-type'), body));
  const keepsOld = given.keep_old_secret_active_for_24_hours ?? false;
  const rotated = await rotateSecret(endpoints, caller.account, id, keepsOld, Date.now());
  return ok(endpointWithSecret(rotated.endpoint, rotated.secret));
});
