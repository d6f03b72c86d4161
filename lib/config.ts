import * as z from 'zod';
import {
  CONSUMER_RANGE,
  type ConsumerConcurrency,
  completeConcurrency,
  NEW_ACCOUNT_QUOTA,
} from './concurrency.ts';
import { brokenRule } from './config-rules.ts';
import { tagsSchema } from './config-tags.ts';

/** Everything an operator can set, with its default. Values come from CDK context or the environment. */

const wholeNumber = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
/** Sums of any number of them stay within the digits that DynamoDB counts exactly. */
const money = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal string such as "0.40", with up to 6 decimals');

/** A value given as text is read as JSON, so that `-c prices='{…}'` works as cdk.json does. */
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

const webAddress = z.url({ protocol: /^https?$/ }).transform((address) => address.replace(/\/+$/, ''));
const emptyOr = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema]);

const LOOPBACK_ANY_PORT = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]):\*$/;

/** As a browser sends it: what the address of a page is without its path. */
const isOrigin = (text: string): boolean =>
  LOOPBACK_ANY_PORT.test(text) ||
  (/^https?:/.test(text) && !text.includes('*') && URL.parse(text)?.origin === text);
const origin = z
  .string()
  .refine(isOrigin, 'must be scheme, host and perhaps port, as "https://app.example.com"; no path, no *');

/** Without a value, it follows from lambdaConcurrencyQuota. */
const consumers = wholeNumber(CONSUMER_RANGE.least, CONSUMER_RANGE.most).optional();

/** A submit may take 40 seconds; the rest is for what is read and written around it. */
export const MIN_WORKER_SECONDS = 60;

/** CloudWatch Logs takes no alias, and a grant for an alias covers no key. */
const KMS_KEY_ARN =
  /^arn:[\w-]+:kms:[a-z0-9-]+:\d{12}:key\/([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mrk-[0-9a-f]{32})$/;

/** How a deployment moves requests and tasks to new code; the names are CodeDeploy's. */
export const TRAFFIC_SHIFTS = [
  'AllAtOnce',
  'Canary10Percent5Minutes',
  'Canary10Percent15Minutes',
  'Linear10PercentEvery1Minute',
] as const;

export const configSchema = z.strictObject({
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,100}$/)
    .default('MediaGeneration'),
  upstreamBaseUrl: webAddress.default('https://generativelanguage.googleapis.com'),
  upstreamKeyHeader: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('x-goog-api-key'),
  upstreamRequestMegabytes: wholeNumber(1, 100).default(20),
  sampleGenerator: flag.default(false),
  upstreamModels: structured(z.record(z.string(), z.string().min(1))).default({}),
  modelAliases: structured(z.record(z.string().regex(/^[\x21-\x7e]{1,100}$/), z.string())).default({}),
  upstreamSecretArn: emptyOr(z.string().regex(/^arn:[\w-]+:secretsmanager:/)).default(''),
  upstreamSecretKeyArn: emptyOr(z.string().regex(/^arn:[\w-]+:kms:/)).default(''),
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
  fileRetentionDays: wholeNumber(1, 30).default(2),
  fileStorageMegabytes: wholeNumber(20, 1_000_000).default(2000),
  inputRetentionDays: wholeNumber(1, 30).default(2),
  logRetentionDays: wholeNumber(1, 3650).default(30),
  workerConcurrency: consumers,
  workerTimeoutSeconds: wholeNumber(1, 900)
    .min(MIN_WORKER_SECONDS, `must be at least ${MIN_WORKER_SECONDS}, for a submit takes up to 40 seconds`)
    .default(120),
  webhookConcurrency: consumers,
  sweepGraceSeconds: wholeNumber(1, 3600).default(60),
  // A task that has not started after 6 hours fails.
  maxQueueMinutes: wholeNumber(2, 360).default(60),
  throttleRequestsPerSecond: wholeNumber(1, 10_000).default(1000),
  throttleBurst: wholeNumber(1, 5000).default(2000),
  imageThrottleRequestsPerSecond: wholeNumber(1, 10_000).default(10),
  imageThrottleBurst: wholeNumber(1, 5000).default(20),
  publicThrottleRequestsPerSecond: wholeNumber(1, 10_000).default(20),
  publicThrottleBurst: wholeNumber(1, 5000).default(100),
  webAclArn: emptyOr(
    z
      .string()
      .regex(/^arn:[\w-]+:wafv2:[\w-]+:\d{12}:regional\/webacl\//, 'must be the ARN of a regional web ACL'),
  ).default(''),
  reservedConcurrency: structured(z.record(z.string(), z.int().min(0))).default({}),
  lambdaConcurrencyQuota: z.coerce
    .number()
    .int()
    .min(
      NEW_ACCOUNT_QUOTA,
      `must be at least ${NEW_ACCOUNT_QUOTA}: 6 are for queue consumers, the rest for API requests and scheduled functions`,
    )
    .max(1_000_000)
    .default(NEW_ACCOUNT_QUOTA),
  trafficShift: z.enum(TRAFFIC_SHIFTS).default('AllAtOnce'),
  apiGatewayAccountRole: flag.default(true),
  publicBaseUrl: emptyOr(webAddress).default(''),
  domainName: z.string().default(''),
  certificateArn: emptyOr(z.string().regex(/^arn:[\w-]+:acm:/)).default(''),
  hostedZoneId: z.string().default(''),
  hostedZoneName: z.string().default(''),
  allowedOrigins: structured(z.array(origin)).default([]),
  alarmEmail: emptyOr(z.email()).default(''),
  deletionProtection: flag.default(true),
  terminationProtection: flag.default(true),
  account: emptyOr(z.string().regex(/^\d{12}$/, 'must be the 12 digits of an AWS account')).default(''),
  region: emptyOr(
    z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region, such as "us-east-1"'),
  ).default(''),
  tags: structured(tagsSchema).default({}),
  kmsKeyArn: emptyOr(
    z
      .string()
      .regex(
        KMS_KEY_ARN,
        'must be the ARN of a key, not of an alias: "arn:aws:kms:us-east-1:123456789012:key/…"',
      ),
  ).default(''),
});

export type Config = Omit<z.output<typeof configSchema>, keyof ConsumerConcurrency> & ConsumerConcurrency;
type ConfigName = keyof Config;

export const CONFIG_NAMES = z.array(z.custom<ConfigName>()).parse(Object.keys(configSchema.shape));

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** One sentence that names the setting. */
export const settingError = (name: string, message: string): ConfigError =>
  new ConfigError(`Configuration ${name}: ${message}.`);

const VARIABLE_PREFIX = 'MEDIA_GENERATION_';

/** `videoRetentionDays` is `MEDIA_GENERATION_VIDEO_RETENTION_DAYS` in the environment. */
export const environmentName = (name: string): string =>
  `${VARIABLE_PREFIX}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** The message for a value that is given, where an empty one would be accepted too. */
const firstMessage = (issue: z.core.$ZodIssue): string => {
  if (issue.code !== 'invalid_union') return issue.message;
  const told = issue.errors.flat().find(({ code }) => code !== 'invalid_value');
  return told === undefined ? issue.message : firstMessage(told);
};

export const readConfig = (given: Readonly<Record<string, unknown>>): Config => {
  const parsed = configSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw settingError(
      issue?.path.join('.') ?? '',
      issue === undefined ? 'is not valid' : firstMessage(issue),
    );
  }
  const config = { ...parsed.data, ...completeConcurrency(parsed.data) };
  const broken = brokenRule(config);
  if (broken !== undefined) throw settingError(broken.name, broken.message);
  return config;
};

/** A misspelt name would set nothing, and nobody would know. */
export const refuseUnknownVariables = (environment: Readonly<Record<string, string | undefined>>): void => {
  const known = new Set(CONFIG_NAMES.map(environmentName));
  const unknown = Object.keys(environment).find(
    (variable) => variable.startsWith(VARIABLE_PREFIX) && !known.has(variable),
  );
  if (unknown !== undefined) throw new ConfigError(`The variable ${unknown} is no setting of this service.`);
};

/** The first of the sources that gives a value decides. */
export const configFrom = (...sources: ((name: string) => unknown)[]): Config => {
  const given = CONFIG_NAMES.map(
    (name) => [name, sources.map((source) => source(name)).find((value) => value !== undefined)] as const,
  );
  return readConfig(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
};
