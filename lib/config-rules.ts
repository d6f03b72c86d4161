import { hasPrices } from '../functions/accounts/domain/billing.ts';
import { IMAGE_SIZES } from '../functions/images/domain/image-request.ts';
import { isOneOf, MODELS, VIDEO_MODELS } from '../functions/platform/domain/models.ts';
import { brokenConcurrencyRule } from './concurrency.ts';

/** The settings that depend on one another, or on what the service has. */
type Settings = Readonly<
  Record<
    | 'domainName'
    | 'certificateArn'
    | 'hostedZoneId'
    | 'hostedZoneName'
    | 'upstreamSecretArn'
    | 'upstreamSecretKeyArn'
    | 'accountMonthlyBudget'
    | 'region'
    | 'kmsKeyArn',
    string
  >
> &
  Parameters<typeof brokenConcurrencyRule>[0] & {
    readonly modelAliases: Readonly<Record<string, string>>;
    readonly upstreamModels: Readonly<Record<string, string>>;
    readonly prices: Readonly<Record<'videoSecond' | 'image', Readonly<Record<string, string>>>>;
  };

/** A setting, what it lacks, and whether it lacks it: what no setting can tell by itself. */
type Rule = readonly [name: keyof Settings, message: string, broken: (settings: Settings) => boolean];

const isInZone = ({ domainName, hostedZoneName }: Settings): boolean =>
  domainName === hostedZoneName || domainName.endsWith(`.${hostedZoneName}`);

const RULES: readonly Rule[] = [
  [
    'hostedZoneId',
    'needs hostedZoneName, and hostedZoneName needs it',
    ({ hostedZoneId, hostedZoneName }) => (hostedZoneId === '') !== (hostedZoneName === ''),
  ],
  [
    'certificateArn',
    'needs domainName',
    ({ domainName, certificateArn }) => domainName === '' && certificateArn !== '',
  ],
  [
    'hostedZoneId',
    'needs domainName',
    ({ domainName, hostedZoneId }) => domainName === '' && hostedZoneId !== '',
  ],
  [
    'domainName',
    'needs certificateArn or hostedZoneId',
    ({ domainName, certificateArn, hostedZoneId }) =>
      domainName !== '' && certificateArn === '' && hostedZoneId === '',
  ],
  [
    'upstreamSecretKeyArn',
    'needs upstreamSecretArn',
    ({ upstreamSecretArn, upstreamSecretKeyArn }) => upstreamSecretArn === '' && upstreamSecretKeyArn !== '',
  ],
  [
    'modelAliases',
    `must name one of ${MODELS.join(', ')} for each alias`,
    ({ modelAliases }) => Object.values(modelAliases).some((model) => !isOneOf(MODELS, model)),
  ],
  [
    'modelAliases',
    `must not have a model of this service as an alias: ${MODELS.join(', ')}`,
    ({ modelAliases }) => Object.keys(modelAliases).some((alias) => isOneOf(MODELS, alias)),
  ],
  [
    'accountMonthlyBudget',
    'needs prices',
    ({ accountMonthlyBudget, prices }) => accountMonthlyBudget !== '' && !hasPrices(prices),
  ],
  [
    'kmsKeyArn',
    'must be a key of the region that the setting region names',
    ({ region, kmsKeyArn }) => region !== '' && kmsKeyArn !== '' && regionInArn(kmsKeyArn) !== region,
  ],
];

/** The region in `arn:partition:service:region:account:resource`. */
const regionInArn = (arn: string): string | undefined => arn.split(':')[3];

type BrokenRule = { readonly name: string; readonly message: string };

/** What a misspelt name was meant for would be free, or called by another name. */
const unknownName = ({ prices, upstreamModels }: Settings): BrokenRule | undefined => {
  for (const [setting, value, names] of [
    ['prices.videoSecond', prices.videoSecond, VIDEO_MODELS],
    ['prices.image', prices.image, IMAGE_SIZES],
    ['upstreamModels', upstreamModels, MODELS],
  ] as const) {
    const unknown = Object.keys(value).find((name) => !isOneOf(names, name));
    if (unknown !== undefined)
      return { name: `${setting}.${unknown}`, message: `the name must be one of ${names.join(', ')}` };
  }
  return undefined;
};

/** The first rule that the settings break together. */
export const brokenRule = (settings: Settings): BrokenRule | undefined => {
  const { domainName, hostedZoneName } = settings;
  if (hostedZoneName !== '' && domainName !== '' && !isInZone(settings))
    return { name: 'domainName', message: `must be in the zone ${hostedZoneName}` };
  const [name, message] = RULES.find(([, , broken]) => broken(settings)) ?? [];
  if (name !== undefined && message !== undefined) return { name, message };
  return brokenConcurrencyRule(settings) ?? unknownName(settings);
};
