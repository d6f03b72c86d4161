import { randomBytes } from 'node:crypto';
import { toUtcMonth } from '../../billing/domain/periods.ts';
import { type Action, auditEntry } from '../../identity/domain/audit.ts';
import { retryOvertaken } from '../../platform/domain/conflicts.ts';
import { DAY } from '../../platform/domain/durations.ts';
import { DomainError, notFound } from '../../platform/domain/errors.ts';
import { isDeliveryId, isEndpointId, newEndpointId, newTaskId } from '../../platform/domain/ids.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { Page, PageQuery } from '../../platform/domain/pages.ts';
import { newSigningSecret, toSecretHint } from '../domain/webhook-signature.ts';
import type {
  WebhookDeliveries,
  WebhookEndpoints,
  WebhookQueue,
  WebhookSender,
} from '../domain/webhook-stores.ts';
import {
  BUDGET_EVENT_TYPE,
  MAX_ENDPOINTS,
  type WebhookDelivery,
  type WebhookDescription,
  type WebhookEvent,
  type WebhookEventType,
} from '../domain/webhooks.ts';

type EndpointSettings = Pick<WebhookDescription, 'name' | 'url' | 'eventTypes'>;
type EndpointWithSecret = { readonly endpoint: WebhookDescription; readonly secret: string };

const endpointNotFound = (id: string): DomainError => notFound('Webhook endpoint', id, 'webhook_endpoint_id');

/** Endpoints of other accounts are reported as not found. */
export const findEndpoint = async (
  endpoints: Pick<WebhookEndpoints, 'describe'>,
  account: string,
  id: string,
): Promise<WebhookDescription> => {
  const endpoint = isEndpointId(id) ? await endpoints.describe(account, id) : undefined;
  if (endpoint === undefined) throw endpointNotFound(id);
  return endpoint;
};

/** The rest of a URL may contain a token of the receiver. */
const urlHost = (url: string): string => new URL(url).host;

export const createEndpoint = async (
  endpoints: Pick<WebhookEndpoints, 'add'>,
  action: Action,
  settings: EndpointSettings,
): Promise<EndpointWithSecret> => {
  const secret = newSigningSecret();
  const { account, at } = action;
  const endpoint = { id: newEndpointId(at), account, ...settings, createdAt: at, updatedAt: at };
  const { name, url, eventTypes } = settings;
  const details = { name, host: urlHost(url), eventTypes };
  const entry = auditEntry(action, 'webhook_endpoint.created', endpoint.id, details);
  if (!(await endpoints.add({ ...endpoint, secret }, entry)))
    throw new DomainError(
      'webhook_endpoint_limit',
      `An account can have ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
    );
  return { endpoint: { ...endpoint, secretHint: toSecretHint(secret) }, secret };
};

/** Ids sort by time, so a page can start after an endpoint that was deleted. */
export const listEndpoints = async (
  endpoints: Pick<WebhookEndpoints, 'list'>,
  account: string,
  { limit, after }: PageQuery,
): Promise<Page<WebhookDescription>> => {
  const rest = (await endpoints.list(account)).filter(({ id }) => after === undefined || id < after);
  return { items: rest.slice(0, limit), hasMore: rest.length > limit };
};

/** Reads the endpoint and changes it, and repeats both if another request changed it in between. */
const changeEndpoint = <T>(
  endpoints: Pick<WebhookEndpoints, 'describe'>,
  { account }: Action,
  id: string,
  change: (read: WebhookDescription) => Promise<T | undefined>,
): Promise<T> =>
  retryOvertaken(`webhook endpoint ${id}`, async () => change(await findEndpoint(endpoints, account, id)));

/** Always later than the previous time, so that it identifies a version of the endpoint. */
const changeTime = (read: WebhookDescription, { at }: Action): number => Math.max(at, read.updatedAt + 1);

const hasSameSettings = (one: EndpointSettings, other: EndpointSettings): boolean =>
  one.name === other.name &&
  one.url === other.url &&
  one.eventTypes.toSorted().join() === other.eventTypes.toSorted().join();

const SETTINGS = ['name', 'url', 'eventTypes'] as const satisfies readonly (keyof EndpointSettings)[];

/** Says which settings change, and from which host to which, but no URL. */
const describeChange = (read: WebhookDescription, settings: EndpointSettings) => {
  const [from, to] = [urlHost(read.url), urlHost(settings.url)];
  return {
    changed: SETTINGS.filter((name) => String(read[name]) !== String(settings[name])),
    ...(from === to ? { host: to } : { hostFrom: from, hostTo: to }),
    ...(read.name === settings.name ? { name: read.name } : { nameFrom: read.name, nameTo: settings.name }),
    ...(read.disabled === undefined ? {} : { enabled: true }),
  };
};

/** Any update enables a disabled endpoint. Enabling it, or changing its URL, resets its health. */
export const updateEndpoint = (
  endpoints: Pick<WebhookEndpoints, 'describe' | 'change'>,
  action: Action,
  id: string,
  wanted: { readonly [Setting in keyof EndpointSettings]: EndpointSettings[Setting] | undefined },
): Promise<WebhookDescription> =>
  changeEndpoint(endpoints, action, id, async (read) => {
    const settings = {
      name: wanted.name ?? read.name,
      url: wanted.url ?? read.url,
      eventTypes: wanted.eventTypes ?? read.eventTypes,
    };
    const resetsHealth = read.disabled !== undefined || settings.url !== read.url;
    if (!resetsHealth && hasSameSettings(settings, read)) return read;
    const next = {
      ...read,
      ...settings,
      updatedAt: changeTime(read, action),
      ...(resetsHealth ? { disabled: undefined, failingSince: undefined, respondsQuickly: undefined } : {}),
    };
    const entry = auditEntry(action, 'webhook_endpoint.updated', id, describeChange(read, settings));
    return (await endpoints.change(next, read, entry)) ? next : undefined;
  });

export const rotateSecret = (
  endpoints: Pick<WebhookEndpoints, 'describe' | 'rotate'>,
  action: Action,
  id: string,
  keepsOld: boolean,
): Promise<EndpointWithSecret> =>
  changeEndpoint(endpoints, action, id, async (read) => {
    const secret = newSigningSecret();
    const updatedAt = changeTime(read, action);
    const details = { name: read.name, keepsOldSecret: keepsOld };
    const entry = auditEntry(action, 'webhook_endpoint.secret_rotated', id, details);
    const keepOldUntil = keepsOld ? action.at + DAY : undefined;
    const isRotated = await endpoints.rotate(read, { secret, updatedAt }, keepOldUntil, entry);
    return isRotated
      ? { endpoint: { ...read, updatedAt, secretHint: toSecretHint(secret) }, secret }
      : undefined;
  });

export const removeEndpoint = async (
  endpoints: Pick<WebhookEndpoints, 'remove'>,
  action: Action,
  id: string,
): Promise<void> => {
  const entry = auditEntry(action, 'webhook_endpoint.deleted', id);
  if (!isEndpointId(id) || !(await endpoints.remove(action.account, id, entry))) throw endpointNotFound(id);
};

/** For a task that does not exist, or with a budget that the account need not have. */
const sampleEvent = (account: string, type: WebhookEventType, now: number): WebhookEvent => {
  const fields = { id: `evt_${randomBytes(16).toString('hex')}`, createdAt: now, account };
  if (type !== BUDGET_EVENT_TYPE) return { ...fields, type, taskId: newTaskId(now) };
  const month = toUtcMonth(now);
  return { ...fields, type, budget: { month, threshold: 80, used: '80', limit: '100', currency: 'USD' } };
};

type TestPorts = {
  readonly endpoints: Pick<WebhookEndpoints, 'find'>;
  readonly sender: Pick<WebhookSender, 'send'>;
};

/** Sends a sample event without retries, and returns the status code of the answer. */
export const testWebhook = async (
  { endpoints, sender }: TestPorts,
  { account, at }: Action,
  id: string,
  eventType: WebhookEventType,
): Promise<number> => {
  const endpoint = isEndpointId(id) ? await endpoints.find(account, id) : undefined;
  if (endpoint === undefined) throw endpointNotFound(id);
  const { statusCode, error } = await sender.send(endpoint, sampleEvent(account, eventType, at));
  if (statusCode === undefined)
    throw new DomainError('webhook_unreachable', `Webhook endpoint ${id} did not answer. ${error}`);
  return statusCode;
};

type ResendDependencies = {
  readonly endpoints: Pick<WebhookEndpoints, 'describe'>;
  readonly deliveries: Pick<WebhookDeliveries, 'find' | 'save'>;
  readonly queue: Pick<WebhookQueue, 'send'>;
  readonly logger: Logger;
  readonly now: Clock;
};

const isBeingAttempted = ({ status, attemptUntil }: WebhookDelivery, now: number): boolean =>
  status === 'pending' && attemptUntil !== undefined && now < attemptUntil;

/** Makes a delivery due at once, even if it was delivered or has failed. */
export const resendDelivery = async (
  { endpoints, deliveries, queue, logger, now }: ResendDependencies,
  account: string,
  endpointId: string,
  id: string,
): Promise<WebhookDelivery> => {
  const { disabled } = await findEndpoint(endpoints, account, endpointId);
  const delivery = isDeliveryId(id) ? await deliveries.find(endpointId, id) : undefined;
  if (delivery === undefined) throw notFound('Delivery', id, 'delivery_id');
  if (disabled !== undefined)
    throw new DomainError(
      'webhook_endpoint_disabled',
      `Webhook endpoint ${endpointId} is disabled. Update it to enable it again.`,
    );
  const { attempts } = delivery;
  const next: WebhookDelivery = { ...delivery, status: 'pending', nextAt: now(), attemptUntil: undefined };
  if (isBeingAttempted(delivery, now()) || !(await deliveries.save(next, attempts)))
    throw new DomainError('webhook_delivery_in_progress', `Delivery ${id} is being sent right now.`);
  await queue
    .send({ kind: 'delivery', delivery: { id, endpointId, attempts, account } }, 0)
    .catch((error: unknown) => {
      // It is saved as due, so the sweeper sends it.
      logger.error('delivery not queued', error, { deliveryId: id });
    });
  return next;
};
