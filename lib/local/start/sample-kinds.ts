import type { Kind } from '../../../functions/upstream/kinds/kinds.ts';
import type { OptionStyle } from '../../../functions/upstream/kinds/openai/declaration.ts';
import type { FindAwsIdentity } from '../../sample-generator/google/aws-signature.ts';
import { type Protocol, type SampleUpstreams, startSamplePool } from '../../sample-generator/server.ts';
import type { StudioOptions } from '../../sample-generator/studio.ts';
import type { HostOptions } from '../../sample-generator/upstream-host.ts';

/** The sample generators that stand in for the kinds of upstreams. */

export type Sample = HostOptions & {
  readonly name: string;
  readonly kind: Kind;
  readonly apiKey: string;
  /** Of the kind `openai`: where it reads options that the Videos API does not have. */
  readonly options?: OptionStyle;
};

const LOCATION = { project: 'sample-project', location: 'us-central1' };

type SampleKind = {
  readonly protocol: Protocol;
  /** How the service reaches it. */
  readonly settings: (url: string) => Readonly<Record<string, string>>;
};

const KINDS: Readonly<Record<Kind, SampleKind>> = {
  gemini: { protocol: 'gemini', settings: (url) => ({ baseUrl: url }) },
  vertex: {
    protocol: 'vertex',
    settings: (url) => ({ ...LOCATION, baseUrl: url, storageBaseUrl: url }),
  },
  // The Gemini API has both protocols.
  interactions: { protocol: 'gemini', settings: (url) => ({ baseUrl: url }) },
  openrouter: { protocol: 'openrouter', settings: (url) => ({ baseUrl: `${url}/api/v1` }) },
  openai: { protocol: 'openai', settings: (url) => ({ baseUrl: url }) },
};

type Options = StudioOptions & {
  /** The role of the function with this access key, for upstreams that accept roles instead of keys. */
  readonly findRole: FindAwsIdentity;
};

/** Starts a generator for each sample. */
export const startSamples = async (samples: readonly Sample[], { findRole, ...options }: Options) => {
  const select = (protocol: Protocol) => samples.filter(({ kind }) => KINDS[kind].protocol === protocol);
  const upstreams: Required<SampleUpstreams> = {
    gemini: select('gemini'),
    vertex: select('vertex').map((one) => ({ ...one, ...LOCATION, findAwsIdentity: findRole })),
    openrouter: select('openrouter'),
    openai: select('openai'),
  };
  const { close, ...pool } = await startSamplePool({ ...options, ...upstreams });
  const generators = Object.values(pool).flat();
  const generatorNamed = (wanted: string) => {
    const found = generators.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`no upstream ${wanted}`);
    return found;
  };
  return {
    pool,
    generators,
    generatorNamed,
    /** The settings with which the service reaches a sample. */
    settingsFor: ({ name, kind }: Pick<Sample, 'name' | 'kind'>) =>
      ({ name, kind, ...KINDS[kind].settings(generatorNamed(name).url) }) as const,
    close,
  };
};
