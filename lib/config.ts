import * as z from 'zod';
import { IMAGE_SIZES } from '../functions/catalogue/domain/image-sizes.ts';
import { keepAliases } from '../functions/catalogue/domain/model-aliases.ts';
import { IMAGE_MODEL, MODELS, VIDEO_CATALOGUE, VIDEO_MODELS } from '../functions/catalogue/domain/models.ts';
import { hasPrices } from '../functions/catalogue/domain/prices.ts';
import type { Feature } from '../functions/platform/domain/features.ts';
import { isOneOf } from '../functions/platform/domain/text.ts';
import { offeredModels } from '../functions/upstream/domain/capabilities.ts';
import { lifecycleWarnings } from '../functions/upstream/domain/lifecycle.ts';
import { Refusal } from './command.ts';
import {
  type BrokenRule,
  brokenConcurrencyRule,
  type ConsumerConcurrency,
  completeConcurrency,
} from './concurrency.ts';
import { configSchema } from './config-schema.ts';
import { refuseRegion } from './regions.ts';
import { findLocalAddress, isPublicAddress, PRESETS } from './upstream-schema.ts';

export { NEW_BUCKET } from './config-schema.ts';

/** The upstreams of a preset are in `upstreams`. */
type Settings = z.output<typeof configSchema>;
export type Config = Omit<Settings, keyof ConsumerConcurrency | 'upstream'> & ConsumerConcurrency;
type ConfigName = keyof Settings;

export const CONFIG_NAMES = z.array(z.custom<ConfigName>()).parse(Object.keys(configSchema.shape));

export class ConfigError extends Refusal {
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
  const { upstream, ...settings } = parsed.data;
  const unused = FEATURE_SETTINGS.find(
    ([, feature, isSet]) => !settings.features.includes(feature) && isSet(settings),
  );
  if (unused !== undefined)
    throw settingError(unused[0], `requires the feature ${unused[1]}, which the setting features leaves out`);
  if (upstream.length > 0 && settings.upstreams.length > 0)
    throw settingError('upstream', 'must not be combined with upstreams: list its entries there');
  const upstreams = [...upstream, ...settings.upstreams];
  const config = { ...settings, upstreams, ...completeConcurrency(settings) };
  const broken = brokenRule(config);
  if (broken !== undefined) throw settingError(broken.name, broken.message);
  return config;
};

/** Settings that need a feature, and whether they are set. Those of sign-in are also for links, except for the provider. */
const FEATURE_SETTINGS: readonly (readonly [
  name: ConfigName,
  feature: Feature,
  isSet: (settings: Omit<Settings, 'upstream'>) => boolean,
])[] = [
  ['webhookConcurrency', 'webhooks', ({ webhookConcurrency }) => webhookConcurrency !== undefined],
  ['googleFileUploads', 'google', ({ googleFileUploads }) => !googleFileUploads],
  ['signIn', 'people', ({ signIn }) => signIn?.issuer !== undefined || signIn?.cognito !== undefined],
];

/** For `npm start` only: the content of the secret that a deployment has in Secrets Manager. */
export const UPSTREAM_SECRET = environmentName('upstreamSecret');

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that set a setting; one that is misspelled would otherwise be ignored silently. */
export const readVariables = (environment: Environment): Environment => {
  const known = new Set(CONFIG_NAMES.map(environmentName));
  const ours = Object.entries(environment).filter(
    ([variable]) => variable.startsWith(VARIABLE_PREFIX) && variable !== UPSTREAM_SECRET,
  );
  const unknown = ours.find(([variable]) => !known.has(variable));
  if (unknown !== undefined)
    throw new ConfigError(`The variable ${unknown[0]} is not a setting of this service.`);
  return Object.fromEntries(ours.sort());
};

/** Takes each setting from the first source that has it. */
export const configFrom = (...sources: ((name: string) => unknown)[]): Config => {
  const given = CONFIG_NAMES.map(
    (name) => [name, sources.map((source) => source(name)).find((value) => value !== undefined)] as const,
  );
  return readConfig(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
};

/** A rule for settings that depend on other settings, or on the models of the service. */
type Rule = readonly [name: keyof Config, message: string, isBroken: (config: Config) => boolean];

/** Both are texts; the second one must be set if the first one is. */
const requires = (name: TextSetting, other: TextSetting): Rule => [
  name,
  `requires ${other}`,
  (config) => config[name] !== '' && config[other] === '',
];
type TextSetting =
  | 'certificateArn'
  | 'domainName'
  | 'hostedZoneId'
  | 'upstreamSecretArn'
  | 'upstreamSecretKeyArn';

const isInZone = ({ domainName, hostedZoneName }: Config): boolean =>
  domainName === hostedZoneName || domainName.endsWith(`.${hostedZoneName}`);

const RULES: readonly Rule[] = [
  [
    'hostedZoneId',
    'must be set together with hostedZoneName',
    ({ hostedZoneId, hostedZoneName }) => (hostedZoneId === '') !== (hostedZoneName === ''),
  ],
  requires('certificateArn', 'domainName'),
  requires('hostedZoneId', 'domainName'),
  [
    'domainName',
    'requires certificateArn or hostedZoneId',
    ({ domainName, certificateArn, hostedZoneId }) =>
      domainName !== '' && certificateArn === '' && hostedZoneId === '',
  ],
  requires('upstreamSecretKeyArn', 'upstreamSecretArn'),
  [
    'upstreams',
    `must offer at least one model: name one of ${MODELS.join(', ')} in models`,
    ({ upstreams }) => upstreams.length > 0 && offeredModels(upstreams).length === 0,
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
    'defaultModel',
    `must name one of ${VIDEO_MODELS.join(', ')} for video, and ${IMAGE_MODEL} for image`,
    ({ defaultModel: { video = VIDEO_MODELS[0], image = IMAGE_MODEL } }) =>
      !isOneOf(VIDEO_MODELS, video) || image !== IMAGE_MODEL,
  ],
  [
    'defaultModel',
    'must name models that an upstream offers',
    ({ defaultModel, upstreams }) =>
      upstreams.length > 0 &&
      Object.values(defaultModel).some((model) => !isOneOf(offeredModels(upstreams), model)),
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
    'waf',
    'must not be combined with webAclArn: a stage has one web ACL',
    ({ waf, webAclArn }) => waf && webAclArn !== '',
  ],
  ['wafLogs', 'requires waf', ({ waf, wafLogs }) => wafLogs && !waf],
  [
    'accountMonthlyBudget',
    'requires prices',
    ({ accountMonthlyBudget, prices }) => accountMonthlyBudget !== '' && !hasPrices(prices),
  ],
];

/** The services of the stack accept these only from its own region. */
const REGIONAL = ['certificateArn', 'kmsKeyArn', 'webAclArn'] as const satisfies readonly (keyof Config)[];

/** The region is the fourth part of `arn:partition:service:region:account:resource`. */
const foreignArn = (
  config: Pick<Config, (typeof REGIONAL)[number]>,
  region: string,
): BrokenRule | undefined => {
  const name = REGIONAL.find((each) => config[each] !== '' && config[each].split(':')[3] !== region);
  if (name === undefined || region === '') return undefined;
  return { name, message: `must be in the region of the stack, ${region}` };
};

/** With a misspelled name, a model would be free or would keep its name. */
const unknownName = ({ prices, upstreams }: Config): BrokenRule | undefined => {
  for (const [setting, value, names] of [
    ['prices.videoSecond', prices.videoSecond, VIDEO_MODELS],
    ['prices.image', prices.image, IMAGE_SIZES],
    ...upstreams.map(({ models }, index) => [`upstreams.${index}.models`, models, MODELS] as const),
  ] as const) {
    const unknown = Object.keys(value).find((name) => !isOneOf(names, name));
    if (unknown !== undefined)
      return { name: `${setting}.${unknown}`, message: `the name must be one of ${names.join(', ')}` };
  }
  return undefined;
};

const brokenRule = (settings: Config): BrokenRule | undefined => {
  const { domainName, hostedZoneName } = settings;
  if (hostedZoneName !== '' && domainName !== '' && !isInZone(settings))
    return { name: 'domainName', message: `must be in the zone ${hostedZoneName}` };
  const [name, message] = RULES.find(([, , isBroken]) => isBroken(settings)) ?? [];
  if (name !== undefined && message !== undefined) return { name, message };
  return foreignArn(settings, settings.region) ?? brokenConcurrencyRule(settings) ?? unknownName(settings);
};

/**
 * Checks what only a deployment needs: `npm start` brings its own upstream, and can use one of this machine. Without the
 * setting `region`, `cdk` names the region of the credentials in the environment.
 */
export const requireDeployable = (
  config: Config,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void => {
  const { upstreams, signIn, allowUnlistedRegion } = config;
  const region = config.region === '' ? (environment.CDK_DEFAULT_REGION ?? '') : config.region;
  const refused = refuseRegion({ region, allowUnlistedRegion });
  if (refused !== undefined) throw settingError('region', refused);
  const foreign = foreignArn(config, region);
  if (foreign !== undefined) throw settingError(foreign.name, foreign.message);
  if (upstreams.length === 0)
    throw settingError(
      'upstream',
      `is required, to say who generates the videos and images: set it to ${PRESETS}`,
    );
  const local = findLocalAddress(upstreams);
  if (local !== undefined)
    throw settingError('upstreams', `must use https and a public host, but has ${local}`);
  if (signIn?.issuer !== undefined && !isPublicAddress(signIn.issuer))
    throw settingError('signIn.issuer', 'must use https and a public host: functions cannot reach others');
};

/** One line for each configured model of an upstream that has ended, or ends soon. */
export const upstreamWarnings = ({ upstreams }: Pick<Config, 'upstreams'>): readonly string[] =>
  lifecycleWarnings(upstreams, Date.now()).map((warning) => `Warning: ${warning}`);

/** List prices, so that prices, receipts, budgets and usage can be tried out locally. */
export const SAMPLE_PRICES = {
  currency: 'USD',
  videoSecond: Object.fromEntries(
    Object.entries(VIDEO_CATALOGUE).map(([model, { listPrice }]) => [model, listPrice]),
  ),
  image: { '512': '0.045', '1K': '0.067', '2K': '0.101', '4K': '0.151' },
};
