import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../platform/domain/errors.ts';
import { conflictDelay } from '../../videos/domain/schedule.ts';
import { hintOf, isEndpointId, newEndpointId, newSigningSecret } from '../domain/webhook-id.ts';
import type { WebhookDescriptions, WebhookEndpoints } from '../domain/webhook-ports.ts';
import { MOST_ENDPOINTS, type WebhookDescription } from '../domain/webhooks.ts';

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
