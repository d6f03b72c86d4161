import { randomBytes } from 'node:crypto';
import { startSampleGenerator, startSamplePool } from '../../sample-generator/server.ts';

/** The upstreams of the local service: one sample generator, or a pool of several. */
export type SampleUpstreams = {
  /** Settings for the stack. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The text of the secret with the credentials. */
  readonly secret: string;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly count: number;
  readonly cacheDir: string;
  readonly drafts: boolean;
  /** The role of the function with this access key, for upstreams that accept roles instead of keys. */
  readonly findRole: (accessKeyId: string) => { secretAccessKey: string; arn: string } | undefined;
};

const newKey = (): string => randomBytes(16).toString('hex');

/** `studio-a`, `studio-b`, …; of three or more, the last one speaks Vertex AI's protocol. */
const listNames = (count: number): { readonly gemini: string[]; readonly vertex: string[] } => {
  const vertex = count > 2 ? ['vertex-us'] : [];
  const gemini = Array.from({ length: count - vertex.length }, (_, index) => `studio-${'abcd'[index]}`);
  return { gemini, vertex };
};

const GOOGLE = 'https://generativelanguage.googleapis.com';
const PLACE = { project: 'sample-project', location: 'us-central1' };

export const startSampleUpstreams = async ({
  count,
  cacheDir,
  drafts,
  findRole,
}: Options): Promise<SampleUpstreams> => {
  if (count === 1) {
    const apiKey = newKey();
    const generator = await startSampleGenerator({ apiKey, cacheDir, drafts });
    return { settings: { upstreamBaseUrl: generator.url }, secret: apiKey, close: generator.close };
  }
  const names = listNames(count);
  const keys = names.gemini.map(newKey);
  const pool = await startSamplePool({
    cacheDir,
    drafts,
    gemini: names.gemini.map((name, index) => ({ name, apiKey: keys[index] ?? '' })),
    vertex: names.vertex.map((name) => ({ name, ...PLACE, findAwsIdentity: findRole })),
  });
  const gemini = names.gemini.map((name, index) => ({
    name,
    kind: 'gemini',
    baseUrl: pool.gemini[index]?.url,
  }));
  const vertex = names.vertex.map((name, index) => {
    const url = pool.vertex[index]?.url;
    return {
      name,
      kind: 'vertex',
      ...PLACE,
      storageUri: 'gs://sample-videos/',
      baseUrl: url,
      storageBaseUrl: url,
    };
  });
  const credentials = [
    ...names.gemini.map((name, index) => [name, keys[index]] as const),
    ...names.vertex.map((name, index) => {
      const { identity } = pool.vertex[index] ?? {};
      const serviceAccount = identity?.createServiceAccount().client_email;
      return [name, identity?.federationConfig({ ...(serviceAccount && { serviceAccount }) })] as const;
    }),
  ];
  return {
    // The address of the environment's own upstream would contradict the list.
    settings: { upstreams: [...gemini, ...vertex], upstreamBaseUrl: GOOGLE },
    secret: JSON.stringify(Object.fromEntries(credentials)),
    close: pool.close,
  };
};
