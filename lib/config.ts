import * as z from 'zod';

/** Everything an operator can set, with its default. Values come from CDK context or the environment. */

const wholeNumber = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const price = z.string().regex(/^\d+(\.\d+)?$/, 'must be a decimal string such as "0.40"');

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

export const configSchema = z
  .strictObject({
    stackName: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,100}$/)
      .default('MediaGeneration'),
    upstreamBaseUrl: webAddress.default('https://generativelanguage.googleapis.com'),
    upstreamKeyHeader: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .default('x-goog-api-key'),
    upstreamModels: structured(z.record(z.string(), z.string().min(1))).default({}),
    upstreamSecretArn: emptyOr(z.string().regex(/^arn:[\w-]+:secretsmanager:/)).default(''),
    prices: structured(
      z.strictObject({
        currency: z.string().length(3).default('USD'),
        videoSecond: z.record(z.string(), price).default({}),
        image: z.record(z.string(), price).default({}),
      }),
    ).default({ currency: 'USD', videoSecond: {}, image: {} }),
    videoRetentionDays: wholeNumber(1, 3650).default(7),
    inputRetentionDays: wholeNumber(1, 30).default(2),
    logRetentionDays: wholeNumber(1, 3650).default(30),
    workerConcurrency: wholeNumber(2, 1000).default(10),
    workerTimeoutSeconds: wholeNumber(5, 900).default(120),
    sweepGraceSeconds: wholeNumber(1, 3600).default(60),
    throttleRequestsPerSecond: wholeNumber(1, 10_000).default(100),
    throttleBurst: wholeNumber(1, 5000).default(200),
    publicBaseUrl: emptyOr(webAddress).default(''),
    domainName: z.string().default(''),
    certificateArn: emptyOr(z.string().regex(/^arn:[\w-]+:acm:/)).default(''),
    alarmEmail: emptyOr(z.email()).default(''),
    deletionProtection: flag.default(true),
  })
  .refine(({ domainName, certificateArn }) => (domainName === '') === (certificateArn === ''), {
    path: ['domainName'],
    message: 'needs certificateArn, and certificateArn needs it',
  });

export type Config = z.output<typeof configSchema>;
type ConfigName = keyof Config;

export const CONFIG_NAMES = z.array(z.custom<ConfigName>()).parse(Object.keys(configSchema.shape));

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** `videoRetentionDays` is `MEDIA_GENERATION_VIDEO_RETENTION_DAYS` in the environment. */
export const environmentName = (name: string): string =>
  `MEDIA_GENERATION_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

export const readConfig = (given: Readonly<Record<string, unknown>>): Config => {
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError(`Configuration ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.`);
};

/** The first of the sources that gives a value decides. */
export const configFrom = (...sources: ((name: string) => unknown)[]): Config => {
  const given = CONFIG_NAMES.map(
    (name) => [name, sources.map((source) => source(name)).find((value) => value !== undefined)] as const,
  );
  return readConfig(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
};
