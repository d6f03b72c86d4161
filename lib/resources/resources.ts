import type { Construct } from 'constructs';
import type { Feature } from '../../functions/platform/domain/features.ts';
import type { Config } from '../config.ts';
import { Functions } from '../lambda/functions.ts';
import { settings } from '../lambda/service-function.ts';
import { endpointServer } from './endpoints.ts';
import { DAY_SECONDS, FileTable, MediaBucket } from './media.ts';
import { requireTls, StepQueue, WebhookQueue } from './queues.ts';
import { Api, publicAddress } from './rest-api.ts';
import { SignIn } from './sign-in.ts';
import {
  AccountTable,
  AuditTable,
  ChargeTable,
  KeyTable,
  MemberTable,
  ReservationTable,
  SessionTable,
  ShareTable,
  TaskTable,
  UsageTable,
} from './tables.ts';
import { Upstreams } from './upstream.ts';
import { WebhookDeliveryTable, WebhookEndpointTable } from './webhooks.ts';

/** Creates the building blocks of the service; those of features that are left out are undefined. */
export const createResources = (scope: Construct, config: Config) => {
  const ifHas = <Resource>(feature: Feature, create: () => Resource): Resource | undefined =>
    config.features.includes(feature) ? create() : undefined;
  const sessions = new SessionTable(scope, 'Sessions', config);
  const members = ifHas('people', () => new MemberTable(scope, 'Members', config));
  const reservations = new ReservationTable(scope, 'Reservations', config);
  const steps = new StepQueue(scope, 'Steps', config);
  const webhooks = ifHas('webhooks', () => ({
    queue: new WebhookQueue(scope, 'Webhooks', config),
    endpoints: new WebhookEndpointTable(scope, 'WebhookEndpoints', config),
    deliveries: new WebhookDeliveryTable(scope, 'WebhookDeliveries', config),
  }));
  requireTls(scope, webhooks === undefined ? [steps] : [steps, webhooks.queue]);
  const functions = new Functions(scope, config);
  const api = new Api(scope, 'Api', config);
  return {
    config,
    functions,
    sessions,
    members,
    audit: new AuditTable(scope, 'Audit', config),
    signIn: new SignIn(scope, 'SignInProvider', config),
    keys: new KeyTable(scope, 'Keys', config, { sessions, members }),
    tasks: new TaskTable(scope, 'Tasks', config),
    charges: new ChargeTable(scope, 'Charges', config),
    accounts: new AccountTable(scope, 'Accounts', config, reservations),
    reservations,
    usage: new UsageTable(scope, 'Usage', config),
    files: new FileTable(scope, 'Files', config),
    shares: ifHas('shares', () => new ShareTable(scope, 'Shares', config)),
    media: new MediaBucket(scope, 'Media', config),
    steps,
    webhooks,
    upstreams: new Upstreams(scope, 'Upstream', config),
    /** The address given to clients. */
    address: settings({ PUBLIC_BASE_URL: publicAddress(config) }),
    /** For functions that describe the service, or serve endpoints of several features. */
    features: settings({ FEATURES: JSON.stringify(config.features) }),
    videoRetention: settings({ VIDEO_RETENTION_SECONDS: String(config.videoRetentionDays * DAY_SECONDS) }),
    api,
    ...endpointServer(functions, api, config.features),
  };
};

/** Each feature takes those that it needs. */
export type Resources = Readonly<ReturnType<typeof createResources>>;
