import type { Config } from '../config.ts';
import type { Functions } from '../lambda/functions.ts';
import type {
  AccountTable,
  AuditTable,
  ChargeTable,
  KeyTable,
  MemberTable,
  ReservationTable,
  SessionTable,
  UsageTable,
} from './account-tables.ts';
import type { FileTable, MediaBucket } from './media.ts';
import type { Api } from './rest-api.ts';
import type { ShareTable } from './shares.ts';
import type { SignIn } from './sign-in.ts';
import type { StepQueue, TaskTable } from './tasks.ts';
import type { Upstreams } from './upstream.ts';
import type { WebhookDeliveryTable, WebhookEndpointTable, WebhookQueue } from './webhooks.ts';

/** The building blocks of the service; each feature takes those that it needs. */
export type Resources = {
  readonly config: Config;
  readonly functions: Functions;
  readonly api: Api;
  readonly keys: KeyTable;
  readonly sessions: SessionTable;
  readonly members: MemberTable;
  readonly audit: AuditTable;
  readonly signIn: SignIn;
  readonly tasks: TaskTable;
  readonly charges: ChargeTable;
  readonly accounts: AccountTable;
  readonly reservations: ReservationTable;
  readonly usage: UsageTable;
  readonly files: FileTable;
  readonly shares: ShareTable;
  readonly media: MediaBucket;
  readonly steps: StepQueue;
  readonly webhooks: WebhookQueue;
  readonly upstreams: Upstreams;
  readonly webhookEndpoints: WebhookEndpointTable;
  readonly webhookDeliveries: WebhookDeliveryTable;
};
