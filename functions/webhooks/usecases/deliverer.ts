import type { Clock, Logger, SlowSteps } from '../../platform/domain/ports.ts';
import type {
  WebhookDeliveries,
  WebhookEndpoints,
  WebhookQueue,
  WebhookSender,
} from '../domain/webhook-ports.ts';

/** What the webhook worker works with. */
export type Deliverer = {
  readonly endpoints: Pick<WebhookEndpoints, 'find' | 'list' | 'noteHealth'>;
  readonly deliveries: Pick<WebhookDeliveries, 'add' | 'find' | 'save' | 'postpone'>;
  readonly queue: WebhookQueue;
  readonly sender: Pick<WebhookSender, 'sendUnlessSlow'>;
  /** The tries that hold a worker for long, by account and endpoint. */
  readonly slowSteps: SlowSteps;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
};
