import * as z from 'zod';
import { hasPrices } from '../functions/accounts/domain/billing.ts';
import { IMAGE_SIZES } from '../functions/images/domain/image-request.ts';
import { keepAliases } from '../functions/platform/domain/model-aliases.ts';
import { isOneOf, MODELS, VIDEO_MODELS } from '../functions/platform/domain/models.ts';
import {
  type BrokenRule,
  brokenConcurrencyRule,
  type ConsumerConcurrency,
  completeConcurrency,
} from './concurrency.ts';
import { configSchema } from './config-schema.ts';

export type Config = Omit<z.output<typeof configSchema>, keyof ConsumerConcurrency> & ConsumerConcurrency;
type ConfigName = keyof Config;

export const CONFIG_NAMES = z.array(z.custom<ConfigName>()).parse(Object.keys(configSchema.shape));

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const settingError = (name: string, message: string): ConfigError =>
  new ConfigError(`Configuration ${name}: ${message}.`);

const VARIABLE_PREFIX = 'MEDIA_GENERATION_';

/** `videoRetentionDays` is `MEDIA_GENERATION_VIDEO_RETENTION_DAYS` in the environment. */
export const environmentName = (name: string): string =>
  `${VARIABLE_PREFIX}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** Of a union with the empty string, reports the error of the other branch. */
const firstMessage = (issue: z.core.$ZodIssue): string => {
  if (issue.code !== 'invalid_union') return issue.message;
  const specific = issue.errors.flat().find(({ code }) => code !== 'invalid_value');
  return specific === undefined ? issue.message : firstMessage(specific);
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

/** Otherwise a misspelled variable would be ignored silently. */
export const rejectUnknownVariables = (environment: Readonly<Record<string, string | undefined>>): void => {
  const known = new Set(CONFIG_NAMES.map(environmentName));
  const unknown = Object.keys(environment).find(
    (variable) => variable.startsWith(VARIABLE_PREFIX) && !known.has(variable),
  );
  if (unknown !== undefined)
    throw new ConfigError(`The variable ${unknown} is not a setting of this service.`);
};

/** Takes each setting from the first source that has it. */
export const configFrom = (...sources: ((name: string) => unknown)[]): Config => {
  const given = CONFIG_NAMES.map(
    (name) => [name, sources.map((source) => source(name)).find((value) => value !== undefined)] as const,
  );
  return readConfig(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
};

/** Settings that depend on other settings, or on the models of the service. */
type Settings = Readonly<
  Record<
    | 'domainName'
    | 'publicBaseUrl'
    | 'certificateArn'
    | 'hostedZoneId'
    | 'hostedZoneName'
    | 'upstreamBaseUrl'
    | 'upstreamKeyHeader'
    | 'upstreamSecretArn'
    | 'upstreamSecretKeyArn'
    | 'accountMonthlyBudget'
    | 'region'
    | 'kmsKeyArn',
    string
  >
> &
  Parameters<typeof brokenConcurrencyRule>[0] & {
    readonly signIn: { readonly cognito?: object | undefined } | null;
    readonly builtInAliases: readonly string[];
    readonly modelAliases: Readonly<Record<string, string>>;
    readonly upstreamModels: Readonly<Record<string, string>>;
    readonly upstreams: readonly {
      readonly name: string;
      readonly models: Readonly<Record<string, string | null>>;
    }[];
    readonly prices: Readonly<Record<'videoSecond' | 'image', Readonly<Record<string, string>>>>;
  };

type Rule = readonly [name: keyof Settings, message: string, isBroken: (settings: Settings) => boolean];

const isInZone = ({ domainName, hostedZoneName }: Settings): boolean =>
  domainName === hostedZoneName || domainName.endsWith(`.${hostedZoneName}`);

const DEFAULTS = configSchema.parse({});

const RULES: readonly Rule[] = [
  [
    'hostedZoneId',
    'must be set together with hostedZoneName',
    ({ hostedZoneId, hostedZoneName }) => (hostedZoneId === '') !== (hostedZoneName === ''),
  ],
  [
    'certificateArn',
    'requires domainName',
    ({ domainName, certificateArn }) => domainName === '' && certificateArn !== '',
  ],
  [
    'hostedZoneId',
    'requires domainName',
    ({ domainName, hostedZoneId }) => domainName === '' && hostedZoneId !== '',
  ],
  [
    'domainName',
    'requires certificateArn or hostedZoneId',
    ({ domainName, certificateArn, hostedZoneId }) =>
      domainName !== '' && certificateArn === '' && hostedZoneId === '',
  ],
  [
    'upstreamSecretKeyArn',
    'requires upstreamSecretArn',
    ({ upstreamSecretArn, upstreamSecretKeyArn }) => upstreamSecretArn === '' && upstreamSecretKeyArn !== '',
  ],
  [
    'upstreams',
    'must not be combined with upstreamBaseUrl, upstreamKeyHeader and upstreamModels, which describe a single upstream',
    ({ upstreams, upstreamBaseUrl, upstreamKeyHeader, upstreamModels }) =>
      upstreams.length > 0 &&
      (upstreamBaseUrl !== DEFAULTS.upstreamBaseUrl ||
        upstreamKeyHeader !== DEFAULTS.upstreamKeyHeader ||
        Object.keys(upstreamModels).length > 0),
  ],
  [
    'upstreams',
    `must offer each model at one upstream at least: ${MODELS.join(', ')}`,
    ({ upstreams }) =>
      upstreams.length > 0 && MODELS.some((model) => upstreams.every(({ models }) => models[model] === null)),
  ],
  [
    'modelAliases',
    `must name one of ${MODELS.join(', ')} for each alias`,
    ({ modelAliases }) => Object.values(modelAliases).some((model) => !isOneOf(MODELS, model)),
  ],
  [
    'modelAliases',
    `must not use a model of this service as an alias: ${MODELS.join(', ')}`,
    ({ modelAliases }) => Object.keys(modelAliases).some((alias) => isOneOf(MODELS, alias)),
  ],
  [
    'builtInAliases',
    'must be a list of built-in aliases, or of their beginnings and *, such as "sora-*"',
    ({ builtInAliases }) =>
      builtInAliases.some((pattern) => Object.keys(keepAliases([pattern])).length === 0),
  ],
  [
    'signIn',
    'with cognito requires domainName or publicBaseUrl, because the user pool must know the address of the console',
    ({ signIn, domainName, publicBaseUrl }) =>
      signIn?.cognito !== undefined && domainName === '' && publicBaseUrl === '',
  ],
  [
    'accountMonthlyBudget',
    'requires prices',
    ({ accountMonthlyBudget, prices }) => accountMonthlyBudget !== '' && !hasPrices(prices),
  ],
  [
    'kmsKeyArn',
    'must be a key in the region of the setting region',
    ({ region, kmsKeyArn }) => region !== '' && kmsKeyArn !== '' && regionInArn(kmsKeyArn) !== region,
  ],
];

/** The region in `arn:partition:service:region:account:resource`. */
const regionInArn = (arn: string): string | undefined => arn.split(':')[3];

/** With a misspelled name, a model would be free or would keep its name. */
const unknownName = ({ prices, upstreamModels, upstreams }: Settings): BrokenRule | undefined => {
  for (const [setting, value, names] of [
    ['prices.videoSecond', prices.videoSecond, VIDEO_MODELS],
    ['prices.image', prices.image, IMAGE_SIZES],
    ['upstreamModels', upstreamModels, MODELS],
    ...upstreams.map(({ models }, index) => [`upstreams.${index}.models`, models, MODELS] as const),
  ] as const) {
    const unknown = Object.keys(value).find((name) => !isOneOf(names, name));
    if (unknown !== undefined)
      return { name: `${setting}.${unknown}`, message: `the name must be one of ${names.join(', ')}` };
  }
  return undefined;
};

const brokenRule = (settings: Settings): BrokenRule | undefined => {
  const { domainName, hostedZoneName } = settings;
  if (hostedZoneName !== '' && domainName !== '' && !isInZone(settings))
    return { name: 'domainName', message: `must be in the zone ${hostedZoneName}` };
  const [name, message] = RULES.find(([, , isBroken]) => isBroken(settings)) ?? [];
  if (name !== undefined && message !== undefined) return { name, message };
  return brokenConcurrencyRule(settings) ?? unknownName(settings);
};
