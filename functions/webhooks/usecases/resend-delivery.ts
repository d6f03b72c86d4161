import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/ports.ts';
import { isDeliveryId } from '../domain/webhook-id.ts';
import type { WebhookDeliveries, WebhookDescriptions, WebhookQueue } from '../domain/webhook-ports.ts';
import type { WebhookDelivery } from '../domain/webhooks.ts';
import { findEndpoint } from './manage-webhooks.ts';

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
