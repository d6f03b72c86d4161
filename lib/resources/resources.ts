import type { Config } from '../config.ts';
import type { Functions } from '../lambda/functions.ts';
import type { AccountTable } from './account-table.ts';
import type { ChargeTable } from './charge-table.ts';
import type { FileTable } from './file-table.ts';
import type { KeyTable } from './key-table.ts';
import type { MediaBucket } from './media-bucket.ts';
import type { ReservationTable } from './reservation-table.ts';
import type { Api } from './rest-api.ts';
import type { SessionTable } from './session-table.ts';
import type { StepQueue } from './step-queue.ts';
import type { TaskTable } from './task-table.ts';
import type { Upstream } from './upstream.ts';
import type { UsageTable } from './usage-table.ts';
import type { WebhookDeliveryTable } from './webhook-delivery-table.ts';
import type { WebhookEndpointTable } from './webhook-endpoint-table.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** What the service is made of; each capability takes what it needs. */
export type Resources = {
  readonly config: Config;
  readonly functions: Functions;
  readonly api: Api;
  readonly keys: KeyTable;
  readonly sessions: SessionTable;
  readonly tasks: TaskTable;
  readonly charges: ChargeTable;
  readonly accounts: AccountTable;
  readonly reservations: ReservationTable;
  readonly usage: UsageTable;
  readonly files: FileTable;
  readonly media: MediaBucket;
  readonly steps: StepQueue;
  readonly webhooks: WebhookQueue;
  readonly upstream: Upstream;
  readonly webhookEndpoints: WebhookEndpointTable;
  readonly webhookDeliveries: WebhookDeliveryTable;
};
