import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../lib/config.ts';
import type { Limits } from '../../lib/sample-generator/refusals.ts';
import { startSamplePool } from '../../lib/sample-generator/server.ts';
import { samplesFolder } from './assembly.ts';
import { type Service, startService } from './service.ts';

type Upstream = Config['upstreams'][number];
type UpstreamChange = Partial<Pick<Upstream, 'priority' | 'weight' | 'submitsPerMinute' | 'videosAtOnce'>>;

export type PooledUpstream = UpstreamChange & {
  readonly name: string;
  readonly kind?: 'gemini' | 'vertex';
  /** Of the generator itself, which the service does not know. */
  readonly limits?: Limits;
};

const PLACE = { project: 'acme', location: 'us-central1' };
const DEFAULTS = { models: {}, priority: 1, weight: 1 };

/** The service with a pool of sample generators; those that speak Vertex AI's protocol accept the roles of its functions. */
export const startPooledService = async (upstreams: readonly PooledUpstream[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'pool-'));
  const roles = new Map<string, { secretAccessKey: string; arn: string }>();
  const common = { generationSeconds: 1, retryDelaySeconds: 1 };
  const ofKind = (kind: 'gemini' | 'vertex') => upstreams.filter((one) => (one.kind ?? 'gemini') === kind);
  const toOptions = ({ name, limits }: PooledUpstream) => ({ ...common, name, ...(limits && { limits }) });
  const pool = await startSamplePool({
    cacheDir: samplesFolder(folder),
    drafts: true,
    gemini: ofKind('gemini').map((one) => ({ ...toOptions(one), apiKey: `key-of-${one.name}` })),
    vertex: ofKind('vertex').map((one) => ({
      ...toOptions(one),
      ...PLACE,
      findAwsIdentity: (accessKeyId: string) => roles.get(accessKeyId),
    })),
  });
  const gemini = ofKind('gemini').map(({ name, kind: _, limits: __, ...change }, index): Upstream => {
    const baseUrl = pool.gemini[index]?.url ?? '';
    return { ...DEFAULTS, kind: 'gemini', name, baseUrl, keyHeader: 'x-goog-api-key', ...change };
  });
  const vertex = ofKind('vertex').map(({ name, kind: _, limits: __, ...change }, index): Upstream => {
    const url = pool.vertex[index]?.url;
    return { ...DEFAULTS, ...PLACE, kind: 'vertex', name, baseUrl: url, storageBaseUrl: url, ...change };
  });
  const identity = pool.vertex[0]?.identity;
  const account = identity?.createServiceAccount();
  const federation = identity?.federationConfig({ ...(account && { serviceAccount: account.client_email }) });
  const credentials = Object.fromEntries([
    ...gemini.map(({ name }) => [name, `key-of-${name}`] as const),
    ...vertex.map(({ name }) => [name, federation] as const),
  ]);
  // The address of the shared template's upstream would contradict the list.
  const upstreamBaseUrl = 'https://generativelanguage.googleapis.com';
  const service: Service = await startService({
    own: {
      config: { upstreams: [...gemini, ...vertex], upstreamBaseUrl },
      secret: JSON.stringify(credentials),
    },
  });
  for (const { accessKeyId, ...role } of service.cloud.roles()) roles.set(accessKeyId, role);
  return {
    ...service,
    pool,
    identity,
    account,
    close: async () => {
      await service.close();
      await pool.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
