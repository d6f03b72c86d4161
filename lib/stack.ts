import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { App, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { hasPrices } from '../functions/catalogue/domain/prices.ts';
import { stackEnvironment } from './bare-app.ts';
import { readCdkContext } from './cdk-context.ts';
import { type Config, configFrom, environmentName, readVariables, requireDeployable } from './config.ts';
import { OWN_TAG } from './config-schema.ts';
import { addAccounts } from './features/accounts.ts';
import { addAgents } from './features/agents.ts';
import { addConsole } from './features/console.ts';
import { addFiles } from './features/files.ts';
import { addGooglePaths } from './features/google.ts';
import { addImages } from './features/images.ts';
import { addLibrary } from './features/library.ts';
import { addModels, addUnknownRoutes } from './features/models.ts';
import { addResponses } from './features/responses.ts';
import { addShares } from './features/shares.ts';
import { addVideos } from './features/videos.ts';
import { addWebhooks } from './features/webhooks.ts';
import { BUNDLE_LATE, TrafficShift } from './lambda/functions.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { encryptWithCustomerKey } from './resources/customer-key.ts';
import { DataEventLog } from './resources/data-event-log.ts';
import { createResources, type Resources } from './resources/resources.ts';

/** The app for `cdk`; the local cloud creates it in its own process. */
export const createApp = (
  props: {
    outdir?: string;
    config?: Partial<Config> & { upstream?: '' };
    isLocal?: boolean;
    bundleLate?: boolean;
  } = {},
): { app: App; config: Config } => {
  const app = new App({
    ...(props.outdir === undefined
      ? {}
      : {
          outdir: props.outdir,
          context: { ...readCdkContext(), [BUNDLE_LATE]: props.bundleLate === true },
          // Only `cdk` reads them; they take a quarter of the synthesis.
          treeMetadata: false,
          stackTraces: false,
        }),
    analyticsReporting: false,
    // An app that a setting refuses must not be written when the process ends.
    autoSynth: false,
  });
  const variables = readVariables(process.env);
  const overrides: Readonly<Record<string, unknown>> = props.config ?? {};
  const config = configFrom(
    (name) => overrides[name],
    // The environment overrides cdk.json, so that a single deployment can differ.
    (name) => variables[environmentName(name)],
    (name) => app.node.tryGetContext(name),
  );
  if (props.isLocal !== true) requireDeployable(config);
  const { stackName } = config;
  new MediaGenerationStack(app, stackName, config, {
    description: 'Video and image generation',
    terminationProtection: config.terminationProtection,
    // CloudFormation accepts 1 MB, of which indentation would be a third.
    suppressTemplateIndentation: props.isLocal !== true,
    env: stackEnvironment(config),
    // CloudFormation copies the tags of a stack to its resources; the template would repeat each tag 250 times.
    tags: { [OWN_TAG]: stackName, ...config.tags },
  });
  return { app, config };
};

/** Loads the rules, which take half a second, only where they are used: `npm start` does without them. */
export const addSecurityChecks = async (app: App): Promise<void> => {
  const { AwsSolutionsChecks } = await import('cdk-nag');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};

/** The whole service. */
class MediaGenerationStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, props?: StackProps) {
    super(scope, id, props);
    // No resource sets it; the local cloud has the same quota.
    this.templateOptions.metadata = {
      AccountQuotas: { LambdaConcurrentExecutions: config.lambdaConcurrencyQuota },
    };
    const resources = createResources(this, config);
    encryptWithCustomerKey(this, config);
    boundRoles(this, config.permissionsBoundaryArn);
    addVideos(this, resources);
    addFiles(resources);
    addModels(resources);
    addGooglePaths(resources);
    addImages(resources);
    addResponses(resources);
    addConsole(resources);
    addAccounts(resources);
    addWebhooks(resources);
    addLibrary(resources);
    addShares(resources);
    addAgents(resources);
    addUnknownRoutes(resources);
    resources.functions.assertDeployable();
    const operations = new Monitoring(this, 'Operations', resources);
    if (config.trafficShift !== 'AllAtOnce')
      new TrafficShift(this, 'TrafficShift', {
        shift: config.trafficShift,
        functions: resources.functions,
        alarms: operations.deploymentAlarms,
      });
    if (config.dataEventLog !== '') {
      const { bucketName } = new DataEventLog(this, 'DataEvents', config, resources);
      new CfnOutput(this, 'DataEventLogBucketName', {
        value: bucketName,
        description: "CloudTrail's log files",
      });
    }
    addOutputs(this, {
      ...listAddresses(resources),
      ...listResources(resources),
      AlarmTopicArn: [operations.topic.topicArn, 'The topic of the alarms'],
    });
  }
}

/** Limits what every role of the stack can do, whatever its policies allow. */
const boundRoles = (stack: Stack, policyArn: string): void => {
  if (policyArn === '') return;
  PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', policyArn));
};

/** Names that people and commands look up. Log groups have fixed names and need no output. */
type Outputs = Readonly<Record<string, readonly [value: string | undefined, description: string]>>;

/** Outputs without a value are left out. */
const addOutputs = (stack: Stack, outputs: Outputs): void => {
  for (const [name, [value, description]] of Object.entries(outputs))
    if (value !== undefined) new CfnOutput(stack, name, { value, description });
};

const listAddresses = ({ config: { domainName, prices }, api: { rest } }: Resources): Outputs => ({
  PriceCurrency: [hasPrices(prices) ? prices.currency : 'none', 'The currency of the prices, or none'],
  BaseUrl: [domainName === '' ? rest.url : `https://${domainName}/`, 'The address for clients; add /v1'],
  DomainTarget: [rest.domainName?.domainNameAliasDomainName, 'Point the DNS of the domain here'],
  DomainTargetHostedZoneId: [rest.domainName?.domainNameAliasHostedZoneId, 'For an alias record'],
});

const listResources = ({ steps, webhooks, upstreams, functions, ...resources }: Resources): Outputs => ({
  KeyTableName: [resources.keys.table.tableName, 'For npm run keys'],
  SessionTableName: [resources.sessions.table.tableName, 'For npm run console'],
  SignInLinks: [resources.signIn.offersLinks ? 'enabled' : 'disabled', 'Whether sign-in links can be used'],
  MemberTableName: [resources.members?.table.tableName, 'For npm run people'],
  AuditTableName: [resources.audit.table.tableName, 'For npm run audit'],
  TaskTableName: [resources.tasks.table.tableName, 'The tasks'],
  ChargeTableName: [resources.charges.table.tableName, 'The charge records'],
  AccountTableName: [resources.accounts.table.tableName, 'For npm run accounts'],
  ReservationTableName: [resources.reservations.table.tableName, 'Reservations for unfinished requests'],
  UsageTableName: [resources.usage.table.tableName, 'Charges summed by day'],
  FileTableName: [resources.files.table.tableName, 'The files of accounts'],
  ShareTableName: [resources.shares?.table.tableName, 'The share links'],
  WebhookEndpointTableName: [webhooks?.endpoints.table.tableName, 'The webhook endpoints'],
  WebhookDeliveryTableName: [webhooks?.deliveries.table.tableName, 'The deliveries of webhook events'],
  MediaBucketName: [resources.media.bucket.bucketName, 'Videos, input images and files'],
  StepQueueUrl: [steps.queue.queueUrl, 'Steps for the video worker'],
  DeadLetterQueueUrl: [steps.deadLetters.queueUrl, 'Steps that the video worker could not handle'],
  WebhookQueueUrl: [webhooks?.queue.queue.queueUrl, 'Events and deliveries for the webhook worker'],
  WebhookDeadLetterQueueUrl: [
    webhooks?.queue.deadLetters.queueUrl,
    'Messages that the webhook worker could not handle',
  ],
  WebhookDeadLetterQueueArn: [webhooks?.queue.deadLetters.queueArn, 'To move these messages back'],
  UpstreamSecretArn: [upstreams.secret.secretArn, "Store the upstream generators' credentials here"],
  UpstreamTableName: [upstreams.state?.table.tableName, 'For npm run upstreams'],
  ...Object.fromEntries(
    upstreams.list.map((upstream, index) => [
      `Upstream${index + 1}`,
      [JSON.stringify(upstream), 'For npm run upstreams'] as const,
    ]),
  ),
  ExecutionLogGroup: [resources.api.executionLog.logGroupName, 'Errors of API Gateway'],
  VideoWorkerFunctionArn: [functions.get('video-worker').functionArn, 'The function video-worker'],
  SweeperFunctionArn: [functions.get('sweeper').functionArn, 'The function sweeper'],
});
