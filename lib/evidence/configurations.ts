import { FEATURES } from '../../functions/platform/domain/features.ts';
import { type Config, readConfig } from '../config.ts';
import { signInSchema } from '../sign-in-schema.ts';

/** Stacks whose size and cost docs/operate.md states, and which tests validate. Together they use every setting. */

/** Settings that add no resource and no property, that exclude another one, or that are set in a stack below. */
type Excluded = 'stackName' | 'certificateArn' | 'publicBaseUrl' | 'upstreamSecretKeyArn' | 'webAclArn';

const VIDEO_ALIASES = Array.from(
  { length: 29 },
  (_, number) => [`h${number}`, 'video-3.1-generate-preview'] as const,
);

/** Every option enabled. A new setting without a value here does not compile. */
export const EVERYTHING = {
  features: [...FEATURES],
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
  upstreamRequestMegabytes: 100,
  remoteImages: true,
  sampleGenerator: true,
  builtInAliases: ['*'],
  modelAliases: Object.fromEntries([...VIDEO_ALIASES, ['house-image', 'image-3.1-flash-image-preview']]),
  defaultModel: { video: 'video-3.1-generate-preview', image: 'image-3.1-flash-image-preview' },
  chatChores: 'refuse',
  upstreamSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream-AbCdEf',
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
  keptStorageMegabytes: 10_000_000,
  fileRetentionDays: 30,
  fileStorageMegabytes: 1_000_000,
  logRetentionDays: 3650,
  tracing: true,
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
  waf: true,
  wafRequestsPerAddress: 2_000_000_000,
  wafLogs: true,
  reservedConcurrency: { 'create-video': 20, 'video-worker': 1000, 'webhook-worker': 1000 },
  lambdaConcurrencyQuota: 10_000,
  trafficShift: 'Canary10Percent5Minutes',
  apiGatewayAccountRole: true,
  domainName: 'media.example.com',
  hostedZoneId: 'Z0123456789',
  hostedZoneName: 'example.com',
  allowedOrigins: Array.from({ length: 36 }, (_, number) => `https://customer-${number}.example.com`),
  alarmEmail: 'ops@example.com',
  probe: true,
  dataEventLog: 'new',
  deletionProtection: true,
  terminationProtection: true,
  account: '123456789012',
  region: 'eu-west-1',
  allowUnlistedRegion: true,
  tags: { team: 'media + co', 'cost-center': '42' },
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000',
  permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/media-boundary',
} satisfies Omit<Config, Excluded>;

/** No more than a deployment requires. */
const DEFAULT = { upstreams: readConfig({ upstream: 'openrouter' }).upstreams } satisfies Partial<Config>;

/** The endpoints of the specification, and what their callers and operators need: no feature that can be left out. */
const CORE = { ...DEFAULT, features: [] } satisfies Partial<Config>;

/** The other value of each switch, and a provider, a certificate and an address from elsewhere. */
export const ALTERNATIVES = {
  ...DEFAULT,
  builtInAliases: ['imagen-4.0-generate-001'],
  storeImages: false,
  remoteImages: false,
  throttleRequestsPerSecond: 1,
  throttleBurst: 2,
  imageThrottleRequestsPerSecond: 3,
  imageThrottleBurst: 4,
  publicThrottleRequestsPerSecond: 5,
  publicThrottleBurst: 6,
  signIn: signInSchema.parse({
    issuer: 'https://login.example.com',
    clientId: 'media',
    clientSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:sign-in-AbCdEf',
    clientSecretKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/22222222-0000-0000-0000-000000000000',
  }),
  apiGatewayAccountRole: false,
  publicBaseUrl: 'https://cdn.example.com/media',
  domainName: 'media.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x',
  hostedZoneId: 'Z0123456789',
  hostedZoneName: 'example.com',
  allowedOrigins: ['https://app.example.com'],
  deletionProtection: false,
  terminationProtection: false,
} satisfies Partial<Config>;

/** Resources that exist already, and as many upstreams as a service may have, each with limits. */
export const EXISTING = {
  upstreams: readConfig({
    upstreams: Array.from({ length: 10 }, (_, index) => ({
      name: `studio-${index}`,
      submitsPerMinute: 10,
      videosAtOnce: 20,
      ...(index % 2 === 0
        ? { kind: 'openrouter' }
        : { kind: 'openai', baseUrl: 'https://hub.example.com', credential: 'hub' }),
    })),
  }).upstreams,
  upstreamSecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:upstream-AbCdEf',
  upstreamSecretKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/00000000-0000-0000-0000-000000000000',
  domainName: 'media.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x',
  dataEventLog: 'acme-cloudtrail',
  webAclArn:
    'arn:aws:wafv2:us-east-1:123456789012:regional/webacl/media/00000000-0000-0000-0000-000000000000',
  kmsKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555',
} satisfies Partial<Config>;

export const CONFIGURATIONS = {
  core: CORE,
  default: DEFAULT,
  alternatives: ALTERNATIVES,
  existing: EXISTING,
  everything: EVERYTHING,
} as const satisfies Record<string, Partial<Config>>;
