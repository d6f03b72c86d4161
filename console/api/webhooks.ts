import type {
  DeliveryStatus,
  DisabledReason,
  WebhookEventType,
} from '../../functions/webhooks/domain/webhooks.ts';
import { createPagedQuery } from './pages.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';
import type { Page } from './shapes.ts';

const PENDING_MS = 2000;
const QUIET_MS = 10_000;
const DELIVERIES_AT_ONCE = 20;

export type Endpoint = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly event_types: readonly WebhookEventType[];
  readonly signing_secret_hint: string | null;
  readonly created_at: number;
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: DisabledReason | null;
  readonly failing_since: number | null;
};

export type EndpointWithSecret = Endpoint & { readonly signing_secret: string };

export type Delivery = {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string; readonly data: { readonly id: string } };
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly created_at: number;
  readonly next_attempt_at: number | null;
  readonly last_attempt: {
    readonly at: number;
    readonly status_code: number | null;
    readonly duration_ms: number;
    readonly answer: string | null;
    readonly error: string | null;
  } | null;
};

const ENDPOINTS = '/v1/webhook_endpoints';
const pathOf = (id: string): string => `${ENDPOINTS}/${encodeURIComponent(id)}`;

export const endpoints = createQuery<[], Page<Endpoint>>((signal) =>
  getJson(`${ENDPOINTS}${queryString({ limit: 100 })}`, signal),
);

/** Deliveries that fail or succeed change its state. */
export const endpointById = createQuery<[id: string], Endpoint>(
  (signal, [id]) => getJson(pathOf(id), signal),
  { pollMs: () => QUIET_MS },
);

export const deliveries = createPagedQuery<[endpointId: string], Page<Delivery>>(
  ([id], after, signal) =>
    getJson(`${pathOf(id)}/deliveries${queryString({ limit: DELIVERIES_AT_ONCE, after })}`, signal),
  ({ has_more, last_id }) => (has_more && last_id !== null ? last_id : undefined),
  {
    pollMs: (pages = []) =>
      pages.some(({ data }) => data.some(({ status }) => status === 'pending')) ? PENDING_MS : QUIET_MS,
  },
);

/** After a change: how the endpoint is now may show in all of them. */
export const refreshEndpoints = (): void => {
  void endpoints.invalidate();
  void endpointById.invalidate();
};

export type EndpointFields = Pick<Endpoint, 'name' | 'url' | 'event_types'>;

export const createEndpoint = (fields: EndpointFields): Promise<EndpointWithSecret> =>
  sendJson('POST', ENDPOINTS, fields);

/** A disabled endpoint is enabled again by any update. */
export const updateEndpoint = (id: string, fields: EndpointFields): Promise<Endpoint> =>
  sendJson('POST', pathOf(id), fields);

export const deleteEndpoint = (id: string): Promise<unknown> => sendJson('DELETE', pathOf(id));

export const rotateSecret = (id: string, keepsOld: boolean): Promise<EndpointWithSecret> =>
  sendJson('POST', `${pathOf(id)}/rotate_secret`, { keep_old_secret_active_for_24_hours: keepsOld });

export const testEndpoint = (id: string, eventType: string): Promise<{ readonly status_code: number }> =>
  sendJson('POST', `${pathOf(id)}/test`, { event_type: eventType });

export const resendDelivery = (id: string, deliveryId: string): Promise<unknown> =>
  sendJson('POST', `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}/resend`, {});
