import * as z from 'zod';
import { listed } from '../functions/platform/domain/errors.ts';
import { FEATURES } from '../functions/platform/domain/features.ts';
import { CONSUMER_RANGE, NEW_ACCOUNT_QUOTA } from './concurrency.ts';
import { signInSchema } from './sign-in-schema.ts';
import { upstreamList, upstreamPreset } from './upstream-schema.ts';

const wholeNumber = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
/** Few enough digits for DynamoDB to add any number of amounts exactly. */
const money = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal string such as "0.40", with up to 6 decimals');

/** Parses text as JSON, so that `-c prices='{…}'` works like a value in cdk.json. */
const structured = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  }, schema);

const FEATURES_RULE = `must be all, [] or a list of ${listed(FEATURES)}`;

/** Names with commas between them are accepted too, since a list in JSON is hard to type. */
const featureList = z
  .preprocess(
    (value) => {
      if (value === 'all') return FEATURES;
      return typeof value === 'string' && !value.startsWith('[') ? value.split(/\s*,\s*/) : value;
    },
    structured(z.array(z.enum(FEATURES, FEATURES_RULE), FEATURES_RULE)),
  )
  .transform((given) => FEATURES.filter((feature) => given.includes(feature)));

const webAddress = z.url({ protocol: /^https?$/ }).transform((address) => address.replace(/\/+$/, ''));
/** Empty unless it is set. */
const emptyOr = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema]);
const text = (pattern: RegExp, message?: string) => emptyOr(z.string().regex(pattern, message)).default('');

const LOOPBACK_ANY_PORT = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]):\*$/;

/** An origin as a browser sends it: the address of a page without its path. */
const isOrigin = (text: string): boolean =>
  LOOPBACK_ANY_PORT.test(text) ||
  (/^https?:/.test(text) && !text.includes('*') && URL.parse(text)?.origin === text);
const origin = z
  .string()
  .refine(isOrigin, 'must be an origin without a path or *, such as "https://app.example.com"');

/** The stack sets this tag on all its resources. */
export const OWN_TAG = 'application';

/** AWS allows 50 tags per resource; one is the stack's own. */
const MAX_TAGS = 50 - 1;
const MAX_NAME = 128;
const MAX_VALUE = 256;
/** The characters that every AWS service accepts. */
const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const CHARACTERS = 'letters, digits, spaces and _ . : / = + - @';

const tagNameError = (name: string): string | undefined => {
  if (name.length < 1 || name.length > MAX_NAME) return `the name must have 1 to ${MAX_NAME} characters`;
  if (!ALLOWED.test(name)) return `the name may contain only ${CHARACTERS}`;
  if (/^aws:/i.test(name)) return 'the name must not begin with "aws:", which AWS reserves';
  if (name.toLowerCase() === OWN_TAG) return `the stack sets the tag "${OWN_TAG}" itself`;
  return undefined;
};

const tagValueError = (value: string): string | undefined => {
  if (value.length > MAX_VALUE) return `the value must have at most ${MAX_VALUE} characters`;
  return ALLOWED.test(value) ? undefined : `the value may contain only ${CHARACTERS}`;
};

/** Checks tags now, since AWS would reject them in the middle of a deployment. */
const tagsSchema = z.record(z.string(), z.string()).superRefine((tags, { addIssue }) => {
  const names = Object.keys(tags);
  if (names.length > MAX_TAGS)
    addIssue({ code: 'custom', message: `must have at most ${MAX_TAGS} tags in addition to "${OWN_TAG}"` });
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(tags)) {
    // IAM ignores case in tag names.
    const repeated = seen.has(name.toLowerCase()) ? 'another name differs only in case' : undefined;
    const message = tagNameError(name) ?? tagValueError(value) ?? repeated;
    if (message !== undefined) addIssue({ code: 'custom', message, path: [name] });
    seen.add(name.toLowerCase());
  }
});

/** The default is derived from lambdaConcurrencyQuota. */
const consumers = wholeNumber(CONSUMER_RANGE.least, CONSUMER_RANGE.most).optional();

/** A submit may take 40 seconds; the rest is for reads and writes. */
export const MIN_WORKER_SECONDS = 60;

/** CloudWatch Logs accepts no alias, and a grant for an alias does not cover its key. */
const KMS_KEY_ARN =
  /^arn:[\w-]+:kms:[a-z0-9-]+:\d{12}:key\/([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mrk-[0-9a-f]{32})$/;

/** How a deployment shifts traffic to new code; CodeDeploy's names. */
const TRAFFIC_SHIFTS = [
  'AllAtOnce',
  'Canary10Percent5Minutes',
  'Canary10Percent15Minutes',
  'Linear10PercentEvery1Minute',
] as const;

/** Each name has a route of its own, and API Gateway allows 300 resources. */
export const MAX_ALIASES = 30;

/** CloudFormation cuts the names of roles and functions after a longer one, so that policies for STACK-* do not match. */
export const MAX_STACK_NAME = 24;

/** Value of `dataEventLog` for a bucket of the stack. */
export const NEW_BUCKET = 'new';

/** Everything an operator can set, with its default. Values come from CDK context or the environment. */
export const configSchema = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must begin with a letter and have only letters, digits and hyphens')
    .max(
      MAX_STACK_NAME,
      `must have at most ${MAX_STACK_NAME} characters: CloudFormation cuts the names of resources after a longer one, and policies for STACK-* would not match`,
    )
    .default('MediaGeneration'),
  features: featureList.default([...FEATURES]),
  upstream: upstreamPreset.default([]),
  upstreams: structured(upstreamList).default([]),
  upstreamRequestMegabytes: wholeNumber(1, 100).default(20),
  remoteImages: flag.default(true),
  sampleGenerator: flag.default(false),
  builtInAliases: structured(z.array(z.string().min(1))).default(['*']),
  modelAliases: structured(
    z
      .record(z.string().regex(/^[\x21-\x7e]{1,100}$/), z.string())
      .refine(
        (aliases) => Object.keys(aliases).length <= MAX_ALIASES,
        `must have at most ${MAX_ALIASES} names`,
      ),
  ).default({}),
  defaultModel: structured(
    z.strictObject({ video: z.string().optional(), image: z.string().optional() }),
  ).default({}),
  chatChores: z.enum(['accept', 'refuse']).default('accept'),
  upstreamSecretArn: text(/^arn:[\w-]+:secretsmanager:/),
  upstreamSecretKeyArn: text(/^arn:[\w-]+:kms:/),
  prices: structured(
    z.strictObject({
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be three capital letters, such as "USD"')
        .default('USD'),
      videoSecond: z.record(z.string(), money).default({}),
      image: z.record(z.string(), money).default({}),
    }),
  ).default({ currency: 'USD', videoSecond: {}, image: {} }),
  accountMonthlyBudget: emptyOr(money).default(''),
  accountVideosAtOnce: wholeNumber(0, 100_000).default(0),
  accountCreatesPerMinute: wholeNumber(0, 100_000).default(0),
  accountRequestsPerSecond: wholeNumber(0, 10_000).default(0),
  videoRetentionDays: wholeNumber(1, 3650).default(7),
  storeImages: flag.default(true),
  keptStorageMegabytes: wholeNumber(0, 10_000_000).default(10_000),
  fileRetentionDays: wholeNumber(1, 30).default(2),
  fileStorageMegabytes: wholeNumber(20, 1_000_000).default(2000),
  logRetentionDays: wholeNumber(1, 3650).default(30),
  tracing: flag.default(false),
  workerConcurrency: consumers,
  workerTimeoutSeconds: wholeNumber(1, 900)
    .min(
      MIN_WORKER_SECONDS,
      `must be at least ${MIN_WORKER_SECONDS}, because a submit takes up to 40 seconds`,
    )
    .default(120),
  webhookConcurrency: consumers,
  sweepGraceSeconds: wholeNumber(1, 3600).default(60),
  // A task that is not submitted within 6 hours fails.
  maxQueueMinutes: wholeNumber(2, 360).default(60),
  throttleRequestsPerSecond: wholeNumber(1, 10_000).default(1000),
  throttleBurst: wholeNumber(1, 5000).default(2000),
  imageThrottleRequestsPerSecond: wholeNumber(1, 10_000).default(10),
  imageThrottleBurst: wholeNumber(1, 5000).default(20),
  publicThrottleRequestsPerSecond: wholeNumber(1, 10_000).default(20),
  publicThrottleBurst: wholeNumber(1, 5000).default(100),
  googleFileUploads: flag.default(true),
  signIn: structured(signInSchema.nullable()).default(null),
  waf: flag.default(false),
  wafRequestsPerAddress: wholeNumber(10, 2_000_000_000).default(10_000),
  wafLogs: flag.default(false),
  webAclArn: text(
    /^arn:[\w-]+:wafv2:[\w-]+:\d{12}:regional\/webacl\//,
    'must be the ARN of a regional web ACL',
  ),
  reservedConcurrency: structured(z.record(z.string(), z.int().min(0))).default({}),
  lambdaConcurrencyQuota: z.coerce
    .number()
    .int()
    .min(
      NEW_ACCOUNT_QUOTA,
      `must be at least ${NEW_ACCOUNT_QUOTA}: 6 for queue consumers, the rest for API requests and scheduled functions`,
    )
    .max(1_000_000)
    .default(NEW_ACCOUNT_QUOTA),
  trafficShift: z.enum(TRAFFIC_SHIFTS).default('AllAtOnce'),
  apiGatewayAccountRole: flag.default(true),
  publicBaseUrl: emptyOr(webAddress).default(''),
  domainName: z.string().default(''),
  certificateArn: text(/^arn:[\w-]+:acm:/),
  hostedZoneId: z.string().default(''),
  hostedZoneName: z.string().default(''),
  allowedOrigins: structured(z.array(origin)).default([]),
  alarmEmail: emptyOr(z.email()).default(''),
  probe: flag.default(false),
  dataEventLog: text(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    `must be "${NEW_BUCKET}" or the name of an existing S3 bucket`,
  ),
  deletionProtection: flag.default(true),
  terminationProtection: flag.default(true),
  account: text(/^\d{12}$/, 'must be the 12 digits of an AWS account'),
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region, such as "us-east-1"'),
  allowUnlistedRegion: flag.default(false),
  tags: structured(tagsSchema).default({}),
  kmsKeyArn: text(
    KMS_KEY_ARN,
    'must be the ARN of a key, not of an alias: "arn:aws:kms:us-east-1:123456789012:key/…"',
  ),
  permissionsBoundaryArn: text(
    /^arn:[\w-]+:iam::\d{12}:policy\/[\w+=,.@/-]+$/,
    'must be the ARN of a managed policy: "arn:aws:iam::123456789012:policy/NAME"',
  ),
});
