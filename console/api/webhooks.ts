import type {
  DeliveryList,
  DeliveryObject,
  EndpointList,
  EndpointObject,
  EndpointWithSecret,
  WebhookTestResult,
} from '../../functions/webhooks/api/webhook-schema.ts';
import type { WebhookEventType } from '../../functions/webhooks/domain/webhooks.ts';
import { afterLast, createPagedQuery, createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';

const PENDING_POLL_MS = 2000;
const POLL_MS = 10_000;
const DELIVERIES_PER_PAGE = 20;

const ENDPOINTS = '/v1/webhook_endpoints';
const endpointPath = (id: string): string => `${ENDPOINTS}/${encodeURIComponent(id)}`;

/** Deliveries change the state of an endpoint. */
const POLLED = { pollMs: () => POLL_MS } as const;

export const endpoints = createQuery<[], EndpointList>(
  (signal) => getJson(`${ENDPOINTS}${queryString({ limit: 100 })}`, signal),
  POLLED,
);

export const endpointById = createQuery<[id: string], EndpointObject>(
  (signal, [id]) => getJson(endpointPath(id), signal),
  POLLED,
);

export const deliveries = createPagedQuery<[endpointId: string], DeliveryList>(
  ([id], after, signal) =>
    getJson(`${endpointPath(id)}/deliveries${queryString({ limit: DELIVERIES_PER_PAGE, after })}`, signal),
  afterLast,
  {
    pollMs: (pages = []) =>
      pages.some(({ data }) => data.some(({ status }) => status === 'pending')) ? PENDING_POLL_MS : POLL_MS,
  },
);

/** Undefined for an event of a budget. */
export const eventTaskId = ({ data }: DeliveryObject['event']): string | undefined =>
  'id' in data ? data.id : undefined;

/** Call after every change of an endpoint. */
export const refreshEndpoints = (): void => {
  void endpoints.invalidate();
  void endpointById.invalidate();
};

export type EndpointFields = Readonly<Pick<EndpointObject, 'name' | 'url'>> & {
  readonly event_types: readonly WebhookEventType[];
};

export const createEndpoint = (fields: EndpointFields): Promise<EndpointWithSecret> =>
  sendJson('POST', ENDPOINTS, fields);

/** Any update enables a disabled endpoint again. */
export const updateEndpoint = (id: string, fields: EndpointFields): Promise<EndpointObject> =>
  sendJson('POST', endpointPath(id), fields);

export const deleteEndpoint = (id: string): Promise<unknown> => sendJson('DELETE', endpointPath(id));

export const rotateSecret = (id: string, keepOldSecret: boolean): Promise<EndpointWithSecret> =>
  sendJson('POST', `${endpointPath(id)}/rotate_secret`, {
    keep_old_secret_active_for_24_hours: keepOldSecret,
  });

export const testEndpoint = (id: string, eventType: string): Promise<WebhookTestResult> =>
  sendJson('POST', `${endpointPath(id)}/test`, { event_type: eventType });

export const resendDelivery = (id: string, deliveryId: string): Promise<unknown> =>
  sendJson('POST', `${endpointPath(id)}/deliveries/${encodeURIComponent(deliveryId)}/resend`, {});
