import { allOf } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

const ALL = '/v1/webhook_endpoints';
const ONE = `${ALL}/{webhook_endpoint_id}`;

/** The webhook endpoints of an account and what was delivered to them; only what makes secrets can use their key. */
export const addWebhookEndpoints = ({
  functions,
  api,
  keys,
  webhooks,
  webhookEndpoints: endpoints,
  webhookDeliveries: deliveries,
}: Resources): void => {
  const key = keys.find();
  const create = functions.endpoint(
    'create-webhook',
    'Creates a webhook endpoint',
    allOf(key, endpoints.add()),
  );
  const list = functions.endpoint('list-webhooks', 'Lists webhook endpoints', allOf(key, endpoints.list()));
  const get = functions.endpoint('get-webhook', 'Tells a webhook endpoint', allOf(key, endpoints.find()));
  const update = functions.endpoint(
    'update-webhook',
    'Changes a webhook endpoint',
    allOf(key, endpoints.change()),
  );
  const remove = functions.endpoint(
    'delete-webhook',
    'Deletes a webhook endpoint',
    allOf(key, endpoints.remove()),
  );
  const rotate = functions.endpoint(
    'rotate-webhook-secret',
    'Gives a webhook endpoint a new secret',
    allOf(key, endpoints.rotate()),
  );
  const test = functions.endpoint(
    'test-webhook',
    'Sends a sample event to a webhook endpoint',
    allOf(key, endpoints.sign()),
  );
  const types = functions.endpoint('list-webhook-event-types', 'Lists the types of events', allOf(key));
  const listDeliveries = functions.endpoint(
    'list-webhook-deliveries',
    'Lists the deliveries of a webhook endpoint',
    allOf(key, endpoints.find(), deliveries.list()),
  );
  const resend = functions.endpoint(
    'resend-webhook-delivery',
    'Has a delivery tried again',
    allOf(key, endpoints.find(), deliveries.resend(), webhooks.send()),
  );

  api.route('POST', ALL, create);
  api.route('GET', ALL, list);
  api.route('GET', ONE, get);
  api.route('POST', ONE, update);
  api.route('DELETE', ONE, remove);
  api.route('POST', `${ONE}/rotate_secret`, rotate);
  // An endpoint may take ten seconds to answer a sample event.
  api.route('POST', `${ONE}/test`, test, { throttle: 'slow' });
  api.route('GET', '/v1/webhook_event_types', types);
  api.route('GET', `${ONE}/deliveries`, listDeliveries);
  api.route('POST', `${ONE}/deliveries/{delivery_id}/resend`, resend);
};
