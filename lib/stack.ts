import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { addAccounts } from './features/accounts.ts';
import { addConsole } from './features/console.ts';
import { addFiles } from './features/files.ts';
import { addImages } from './features/images.ts';
import { addModels, addUnknownRoutes } from './features/models.ts';
import { addPeople } from './features/people.ts';
import { addShares } from './features/shares.ts';
import { addVideos } from './features/videos.ts';
import { addWebhooks } from './features/webhooks.ts';
import { Functions, TrafficShift } from './lambda/functions.ts';
import { addFamilyErrors } from './monitoring/metrics.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { addOutputs } from './outputs.ts';
import {
  AccountTable,
  AuditTable,
  ChargeTable,
  KeyTable,
  MemberTable,
  ReservationTable,
  SessionTable,
  UsageTable,
} from './resources/account-tables.ts';
import { encryptWithCustomerKey } from './resources/customer-key.ts';
import { FileTable, MediaBucket } from './resources/media.ts';
import type { Resources } from './resources/resources.ts';
import { Api } from './resources/rest-api.ts';
import { ShareTable } from './resources/shares.ts';
import { SignIn } from './resources/sign-in.ts';
import { StepQueue, TaskTable } from './resources/tasks.ts';
import { Upstreams } from './resources/upstream.ts';
import { WebhookDeliveryTable, WebhookEndpointTable, WebhookQueue } from './resources/webhooks.ts';

/** The whole service. */
export class MediaGenerationStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, props?: StackProps) {
    super(scope, id, props);
    // No resource sets it; the local cloud has the same quota.
    this.templateOptions.metadata = {
      AccountQuotas: { LambdaConcurrentExecutions: config.lambdaConcurrencyQuota },
    };
    const sessions = new SessionTable(this, 'Sessions', config);
    const members = new MemberTable(this, 'Members', config);
    const reservations = new ReservationTable(this, 'Reservations', config);
    const resources: Resources = {
      config,
      functions: new Functions(this, config),
      sessions,
      members,
      audit: new AuditTable(this, 'Audit', config),
      signIn: new SignIn(this, 'SignInProvider', config),
      keys: new KeyTable(this, 'Keys', config, sessions, members),
      tasks: new TaskTable(this, 'Tasks', config),
      charges: new ChargeTable(this, 'Charges', config),
      accounts: new AccountTable(this, 'Accounts', config, reservations),
      reservations,
      usage: new UsageTable(this, 'Usage', config),
      files: new FileTable(this, 'Files', config),
      shares: new ShareTable(this, 'Shares', config),
      media: new MediaBucket(this, 'Media', config),
      steps: new StepQueue(this, 'Steps', config),
      webhooks: new WebhookQueue(this, 'Webhooks', config),
      upstreams: new Upstreams(this, 'Upstream', config),
      webhookEndpoints: new WebhookEndpointTable(this, 'WebhookEndpoints', config),
      webhookDeliveries: new WebhookDeliveryTable(this, 'WebhookDeliveries', config),
      api: new Api(this, 'Api', config),
    };
    encryptWithCustomerKey(this, config);
    addVideos(this, resources);
    addFiles(resources);
    addModels(resources);
    addImages(resources);
    addConsole(resources);
    addAccounts(resources);
    addPeople(resources);
    addWebhooks(resources);
    addShares(resources);
    addUnknownRoutes(resources);
    resources.functions.assertDeployable();
    const operations = this.#addMonitoring(resources);
    if (config.trafficShift !== 'AllAtOnce')
      new TrafficShift(this, 'TrafficShift', {
        shift: config.trafficShift,
        functions: resources.functions,
        alarms: operations.deploymentAlarms,
      });
    addOutputs(this, resources, operations.topic.topicArn);
  }

  #addMonitoring(resources: Resources): Monitoring {
    const { config, api, steps, webhooks, functions, upstreams } = resources;
    return new Monitoring(this, 'Operations', config, {
      service: this.stackName,
      rest: api.rest,
      throttledRequests: api.throttledRequests,
      steps,
      webhooks,
      familyErrors: addFamilyErrors(api.accessLog, `MediaGeneration/${this.stackName}`),
      upstreams: upstreams.list.map(({ name }) => name),
      functions: functions.all,
      concurrencyQuota: config.lambdaConcurrencyQuota,
    });
  }
}
