import type { Config } from './config.ts';

/** A setting, what it lacks, and whether it lacks it: what no setting can tell by itself. */
type Rule = readonly [name: keyof Config, message: string, broken: (config: Config) => boolean];

const isInZone = ({ domainName, hostedZoneName }: Config): boolean =>
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
    'reservedConcurrency',
    'must give video-worker at least workerConcurrency',
    ({ reservedConcurrency, workerConcurrency }) =>
      (reservedConcurrency['video-worker'] ?? workerConcurrency) < workerConcurrency,
  ],
];

/** The first rule that the settings break together. */
export const brokenRule = (config: Config): { name: string; message: string } | undefined => {
  if (config.hostedZoneName !== '' && config.domainName !== '' && !isInZone(config))
    return { name: 'domainName', message: `must be in the zone ${config.hostedZoneName}` };
  const [name, message] = RULES.find(([, , broken]) => broken(config)) ?? [];
  return name === undefined || message === undefined ? undefined : { name, message };
};
