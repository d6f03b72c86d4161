import type { Config } from '../../../lib/config.ts';
import { sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

/** Settings that add no resource and no property, or that exclude another one below. */
type Excluded = 'stackName' | 'certificateArn' | 'publicBaseUrl';

const VIDEO_ALIASES = Array.from(
  { length: 29 },
  (_, number) => [`h${number}`, 'video-3.1-generate-preview'] as const,
);

/** Every option enabled. The type demands a value for each new setting, so that none is left out here. */
const EVERYTHING: Omit<Config, Excluded> = {
  upstreams: [
    {
      name: 'studio-a',
      kind: 'gemini',
      baseUrl: 'https://upstream.example.com',
      keyHeader: 'x-upstream-key',
      models: { 'video-3.1-generate-preview': 'a-model-of-the-upstream' },
      priority: 1,
      weight: 2,
      submitsPerMinute: 10,
      videosAtOnce: 20,
    },
    {
      name: 'vertex-us',
      kind: 'vertex',
      project: 'acme',
      location: 'us-central1',
      storageUri: 'gs://acme-out/',
      models: {},
      priority: 2,
      weight: 1,
    },
  ],
  upstreamBaseUrl: 'https://generativelanguage.googleapis.com',
  upstreamKeyHeader: 'x-goog-api-key',
  upstreamRequestMegabytes: 100,
  sampleGenerator: true,
  upstreamModels: {},
  builtInAliases: ['*'],
  modelAliases: Object.fromEntries([...VIDEO_ALIASES, ['house-image', 'image-3.1-flash-image-preview']]),
  upstreamSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream-AbCdEf',
  upstreamSecretKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000',
  prices: {
    currency: 'EUR',
    videoSecond: { 'video-3.1-generate-preview': '0.40', 'video-3.1-fast-generate-preview': '0.15' },
    image: { '512': '0.02', '1K': '0.04', '2K': '0.07', '4K': '0.12' },
  },
  accountMonthlyBudget: '100',
  accountVideosAtOnce: 1000,
  accountCreatesPerMinute: 100_000,
  accountRequestsPerSecond: 10_000,
  videoRetentionDays: 3650,
  storeImages: true,
  fileRetentionDays: 30,
  fileStorageMegabytes: 1_000_000,
  logRetentionDays: 3650,
  workerConcurrency: 1000,
  workerTimeoutSeconds: 900,
  webhookConcurrency: 1000,
  sweepGraceSeconds: 3600,
  maxQueueMinutes: 360,
  throttleRequestsPerSecond: 10_000,
  throttleBurst: 5000,
  imageThrottleRequestsPerSecond: 10_000,
  imageThrottleBurst: 5000,
  publicThrottleRequestsPerSecond: 10_000,
  publicThrottleBurst: 5000,
  googleFileUploads: false,
  signIn: {
    name: 'Example',
    cognito: { domainPrefix: 'acme-media' },
    scopes: ['openid', 'email', 'profile'],
    parameters: { prompt: 'select_account' },
    accounts: [{ claim: 'cognito:groups', value: 'admins', account: 'acme', role: 'admin' }],
    emailDomains: ['example.com'],
    idleHours: 8,
    maxDays: 7,
    links: false,
  },
  webAclArn:
    'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/media/00000000-0000-0000-0000-000000000000',
  reservedConcurrency: { 'create-video': 20, 'video-worker': 1000, 'webhook-worker': 1000 },
  lambdaConcurrencyQuota: 10_000,
  trafficShift: 'Canary10Percent5Minutes',
  apiGatewayAccountRole: true,
  domainName: 'media.example.com',
  hostedZoneId: 'Z0123456789',
  hostedZoneName: 'example.com',
  allowedOrigins: Array.from({ length: 20 }, (_, number) => `https://customer-${number}.example.com`),
  alarmEmail: 'ops@example.com',
  deletionProtection: true,
  terminationProtection: true,
  account: '123456789012',
  region: 'eu-west-1',
  tags: { team: 'media', 'cost-center': '42' },
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000',
};

export type Configuration = {
  readonly name: string;
  readonly maxResources: number;
  readonly template: Template;
};

/** CloudFormation allows 500; lower numbers keep room for features to come. */
export const MAX_RESOURCES = { byDefault: 350, withEverything: 420 } as const;

/** The shared template and those that other test files also ask for, so that only one is synthesized here. */
export const allConfigurations = async (): Promise<readonly Configuration[]> => [
  { name: 'the shared stack', maxResources: MAX_RESOURCES.byDefault, template: await sharedTemplate() },
  { name: 'the default stack', maxResources: MAX_RESOURCES.byDefault, template: await templateWith({}) },
  {
    name: 'a stack that may be deleted',
    maxResources: MAX_RESOURCES.byDefault,
    template: await templateWith({ deletionProtection: false }),
  },
  {
    name: 'a stack with a certificate of its own',
    maxResources: MAX_RESOURCES.withEverything,
    template: await templateWith({
      domainName: 'media.example.com',
      certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/x',
    }),
  },
  {
    name: 'a stack with every option',
    maxResources: MAX_RESOURCES.withEverything,
    template: await templateWith(EVERYTHING),
  },
];
