import { createHash, randomBytes } from 'node:crypto';
import { encodeBytes, encodeTime } from '../../platform/domain/timed-id.ts';
import type { WebhookEvent } from './webhooks.ts';

const ENDPOINT_ID = /^we_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const DELIVERY_ID = /^wd_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Sorts by the time at which the endpoint was made. */
export const newEndpointId = (now: number): string =>
  `we_${encodeTime(now)}${encodeBytes(randomBytes(16), 16)}`;

export const isEndpointId = (id: string): boolean => ENDPOINT_ID.test(id);

/** One endpoint and one event always give the same, so that a delivery exists once; it sorts by the event's time. */
export const deliveryIdOf = (
  endpointId: string,
  { id, createdAt }: Pick<WebhookEvent, 'id' | 'createdAt'>,
): string =>
  `wd_${encodeTime(createdAt)}${encodeBytes(
    createHash('sha256')
      .update(JSON.stringify([endpointId, id]))
      .digest(),
    16,
  )}`;

export const isDeliveryId = (id: string): boolean => DELIVERY_ID.test(id);

/** As the SDKs read it: a prefix, and the Base64 of the key. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Tells two secrets apart, and gives neither away. */
export const hintOf = (secret: string): string => `whsec_…${secret.slice(-5)}`;
