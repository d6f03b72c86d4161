import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflictDelay, DomainError } from '../../platform/domain/errors.ts';
import { isDeliveryId, isEndpointId, newEndpointId, newTaskId } from '../../platform/domain/ids.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type {
  WebhookDeliveries,
  WebhookDescriptions,
  WebhookEndpoints,
  WebhookQueue,
  WebhookSender,
} from '../domain/webhook-delivery.ts';
import { hintOf, newSigningSecret } from '../domain/webhook-signature.ts';
import {
  MOST_ENDPOINTS,
  type WebhookDelivery,
  type WebhookDescription,
  type WebhookEventType,
} from '../domain/webhooks.ts';

export type EndpointSettings = Pick<WebhookDescription, 'name' | 'url' | 'eventTypes'>;
export type ShownSecret = { readonly endpoint: WebhookDescription; readonly secret: string };

const DAY = 24 * 60 * 60 * 1000;
/** How often a change begins anew when another one came between: with all pauses less than 20 seconds. */
const MAX_TRIES = 20;

export const endpointNotFound = (id: string): DomainError =>
  new DomainError('not_found', `Webhook endpoint ${id.slice(0, 64)} was not found.`, {
    param: 'webhook_endpoint_id',
  });

/** Another account's endpoint is as unknown as one that never was. */
export const findEndpoint = async (
  endpoints: Pick<WebhookDescriptions, 'describe'>,
  account: string,
  id: string,
): Promise<WebhookDescription> => {
  const endpoint = isEndpointId(id) ? await endpoints.describe(account, id) : undefined;
  if (endpoint === undefined) throw endpointNotFound(id);
  return endpoint;
};

export const createEndpoint = async (
  endpoints: Pick<WebhookEndpoints, 'add'>,
  account: string,
  { name, url, eventTypes }: EndpointSettings,
  now: number,
): Promise<ShownSecret> => {
  const secret = newSigningSecret();
  const endpoint = {
    id: newEndpointId(now),
    account,
    name,
    url,
    eventTypes,
    createdAt: now,
    updatedAt: now,
    failingSince: undefined,
    respondsQuickly: undefined,
    disabled: undefined,
  };
  if (!(await endpoints.add({ ...endpoint, secret, oldSecret: undefined })))
    throw new DomainError(
      'webhook_endpoint_limit',
      `An account can have ${MOST_ENDPOINTS} webhook endpoints: delete one first.`,
    );
  return { endpoint: { ...endpoint, secretHint: hintOf(secret) }, secret };
};

type Query = { readonly limit: number; readonly after: string | undefined };

/** Ids sort by time, so that a page can go on from an endpoint that is gone. */
export const listEndpoints = async (
  endpoints: Pick<WebhookDescriptions, 'list'>,
  account: string,
  { limit, after }: Query,
): Promise<{ readonly endpoints: readonly WebhookDescription[]; readonly hasMore: boolean }> => {
  const rest = (await endpoints.list(account)).filter(({ id }) => after === undefined || id < after);
  return { endpoints: rest.slice(0, limit), hasMore: rest.length > limit };
};

/** Repeats a change with what is there now, until no other comes between. */
const changing = async <T>(
  endpoints: Pick<WebhookDescriptions, 'describe'>,
  account: string,
  id: string,
  change: (read: WebhookDescription) => Promise<T | undefined>,
): Promise<T> => {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const changed = await change(await findEndpoint(endpoints, account, id));
    if (changed !== undefined) return changed;
    if (tries < MAX_TRIES) await sleep(conflictDelay(tries, Math.random()));
  }
  throw new DomainError(
    'concurrent_update',
    `Webhook endpoint ${id} is being changed by too many requests at once, and this change was not made; try again.`,
  );
};

/** Later than every time before, so that no two states of an endpoint look alike. */
const changeTime = (read: WebhookDescription, now: number): number => Math.max(now, read.updatedAt + 1);

const isSame = (one: EndpointSettings, other: EndpointSettings): boolean =>
  one.name === other.name &&
  one.url === other.url &&
  one.eventTypes.toSorted().join() === other.eventTypes.toSorted().join();

/** Whoever updates a disabled endpoint wants it to work again; and of another address nothing is known. */
export const updateEndpoint = (
  endpoints: Pick<WebhookDescriptions, 'describe' | 'change'>,
  account: string,
  id: string,
  wanted: { readonly [Setting in keyof EndpointSettings]: EndpointSettings[Setting] | undefined },
  now: number,
): Promise<WebhookDescription> =>
  changing(endpoints, account, id, async (read) => {
    const settings = {
      name: wanted.name ?? read.name,
      url: wanted.url ?? read.url,
      eventTypes: wanted.eventTypes ?? read.eventTypes,
    };
    const startsOver = read.disabled !== undefined || settings.url !== read.url;
    if (!startsOver && isSame(settings, read)) return read;
    const next = {
      ...read,
      ...settings,
      updatedAt: changeTime(read, now),
      ...(startsOver ? { disabled: undefined, failingSince: undefined, respondsQuickly: undefined } : {}),
    };
    return (await endpoints.change(next, read)) ? next : undefined;
  });

export const rotateSecret = (
  endpoints: Pick<WebhookEndpoints, 'describe' | 'rotate'>,
  account: string,
  id: string,
  keepsOld: boolean,
  now: number,
): Promise<ShownSecret> =>
  changing(endpoints, account, id, async (read) => {
    const secret = newSigningSecret();
    const updatedAt = changeTime(read, now);
    const isRotated = await endpoints.rotate(read, { secret, updatedAt }, keepsOld ? now + DAY : undefined);
    return isRotated ? { endpoint: { ...read, updatedAt, secretHint: hintOf(secret) }, secret } : undefined;
  });

export const removeEndpoint = async (
  endpoints: Pick<WebhookDescriptions, 'remove'>,
  account: string,
  id: string,
): Promise<void> => {
  if (!isEndpointId(id) || !(await endpoints.remove(account, id))) throw endpointNotFound(id);
};

type Ports = {
  readonly endpoints: Pick<WebhookEndpoints, 'find'>;
  readonly sender: Pick<WebhookSender, 'send'>;
};
export type WebhookTest = {
  readonly account: string;
  readonly id: string;
  readonly eventType: WebhookEventType;
};

/** Sends an event of a task that never was, once, and tells the status that came back. */
export const testWebhook = async (
  { endpoints, sender }: Ports,
  { account, id, eventType }: WebhookTest,
  now: number,
): Promise<number> => {
  const endpoint = isEndpointId(id) ? await endpoints.find(account, id) : undefined;
  if (endpoint === undefined) throw endpointNotFound(id);
  const { statusCode, error } = await sender.send(endpoint, {
    id: `evt_${randomBytes(16).toString('hex')}`,
    type: eventType,
    createdAt: now,
    account,
    taskId: newTaskId(now),
  });
  if (statusCode === undefined)
    throw new DomainError('webhook_unreachable', `Webhook endpoint ${id} gave no answer. ${error}`);
  return statusCode;
};

type Dependencies = {
  readonly endpoints: Pick<WebhookDescriptions, 'describe'>;
  readonly deliveries: Pick<WebhookDeliveries, 'find' | 'save'>;
  readonly queue: Pick<WebhookQueue, 'send'>;
  readonly logger: Logger;
  readonly now: Clock;
};

const isBeingTried = ({ status, tryingUntil }: WebhookDelivery, now: number): boolean =>
  status === 'pending' && tryingUntil !== undefined && now < tryingUntil;

/** Makes a delivery due at once, whatever came of it before. */
export const resendDelivery = async (
  { endpoints, deliveries, queue, logger, now }: Dependencies,
  account: string,
  endpointId: string,
  id: string,
): Promise<WebhookDelivery> => {
  const { disabled } = await findEndpoint(endpoints, account, endpointId);
  const delivery = isDeliveryId(id) ? await deliveries.find(endpointId, id) : undefined;
  if (delivery === undefined)
    throw new DomainError('not_found', `Delivery ${id.slice(0, 64)} was not found.`, {
      param: 'delivery_id',
    });
  if (disabled !== undefined)
    throw new DomainError(
      'webhook_endpoint_disabled',
      `Webhook endpoint ${endpointId} is disabled: update it to enable it again.`,
    );
  const { attempts } = delivery;
  const next: WebhookDelivery = { ...delivery, status: 'pending', nextAt: now(), tryingUntil: undefined };
  if (isBeingTried(delivery, now()) || !(await deliveries.save(next, attempts)))
    throw new DomainError('webhook_delivery_in_progress', `Delivery ${id} is being sent just now.`);
  await queue
    .send({ kind: 'delivery', delivery: { id, endpointId, attempts, account } }, 0)
    .catch((error: unknown) => {
      // It is due already: the sweeper sends what the queue refused.
      logger.error('delivery not queued', error, { deliveryId: id });
    });
  return next;
};
