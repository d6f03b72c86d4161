import type { Config } from '../../../lib/config.ts';
import { CONFIGURATIONS } from '../../../lib/evidence/configurations.ts';
import { sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

/** Each configuration takes a second to synthesize, so tests of single settings also use these. */

export type Configuration = {
  readonly name: string;
  readonly maxResources: number;
  readonly region: string;
  readonly template: Template;
};

/** CloudFormation allows 500; lower numbers keep room for features to come. */
export const MAX_RESOURCES = { byDefault: 360, withEverything: 400 } as const;

const configured = async ([name, config]: readonly [string, Partial<Config>]): Promise<Configuration> => ({
  name: `the configuration ${name}`,
  region: config.region ?? 'us-east-1',
  maxResources: name === 'default' ? MAX_RESOURCES.byDefault : MAX_RESOURCES.withEverything,
  template: await templateWith(config),
});

export const allConfigurations = async (): Promise<readonly Configuration[]> => [
  {
    name: 'the shared stack',
    maxResources: MAX_RESOURCES.byDefault,
    region: 'us-east-1',
    template: await sharedTemplate(),
  },
  ...(await Promise.all(Object.entries(CONFIGURATIONS).map(configured))),
];
