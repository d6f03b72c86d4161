import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OptionStyle } from '../../functions/upstream/kinds/openai/declaration.ts';
import type { Config } from '../../lib/config.ts';
import type { Limits } from '../../lib/sample-generator/refusals.ts';
import { startSamplePool } from '../../lib/sample-generator/server.ts';
import { samplesFolder } from './assembly.ts';
import { OWN_NAMES } from './builders/upstream.ts';
import { startInThisProcess } from './functions-in-one-process.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

type Upstream = Config['upstreams'][number];
type Kind = Upstream['kind'];
type UpstreamChange = Partial<
  Pick<
    Upstream,
    'models' | 'offers' | 'priority' | 'weight' | 'submitsPerMinute' | 'videosAtOnce' | 'credential'
  >
>;

/** Settings that the service knows, and those of the generator itself. */
export type PooledUpstream = UpstreamChange & {
  readonly name: string;
  /** Default `gemini`. */
  readonly kind?: Kind;
  /** Of the kind `openai`, for the service and for the generator; default `none`. */
  readonly options?: OptionStyle;
  readonly limits?: Limits;
  readonly recordBodies?: boolean;
};

const PLACE = { project: 'acme', location: 'us-central1' };

/** Google's protocol makes videos at other gateways only, which choose the names of their models. */
const defaultModels = (kind: Kind): Upstream['models'] => (kind === 'gemini' ? OWN_NAMES : {});

const apiKey = (name: string): string => `key-of-${name}`;

const toUpstream = (
  { name, kind = 'gemini', options = 'none', limits: _, recordBodies: __, ...change }: PooledUpstream,
  url: string,
): Upstream => {
  const shared = { name, models: defaultModels(kind), priority: 1, weight: 1, ...change };
  switch (kind) {
    case 'gemini':
      return { ...shared, kind, baseUrl: url, keyHeader: 'x-goog-api-key' };
    case 'vertex':
      return { ...shared, ...PLACE, kind, baseUrl: url, storageBaseUrl: url };
    case 'interactions':
      return { ...shared, kind, baseUrl: url, keyHeader: 'x-goog-api-key', location: 'global' };
    case 'openrouter':
      return { ...shared, kind, baseUrl: `${url}/api/v1` };
    case 'openai':
      return { ...shared, kind, baseUrl: url, options };
  }
};

type Roles = ReadonlyMap<string, { readonly secretAccessKey: string; readonly arn: string }>;

const startPool = (upstreams: readonly PooledUpstream[], cacheDir: string, roles: Roles) => {
  const select = (wanted: Kind) =>
    upstreams
      .filter(({ kind = 'gemini' }) => kind === wanted)
      .map(({ name, limits, recordBodies }) => ({
        generationSeconds: 1,
        retryDelaySeconds: 1,
        name,
        apiKey: apiKey(name),
        ...(limits && { limits }),
        ...(recordBodies && { recordBodies }),
      }));
  const findStyle = (wanted: string) => upstreams.find(({ name }) => name === wanted)?.options ?? 'none';
  const findAwsIdentity = (accessKeyId: string) => roles.get(accessKeyId);
  return startSamplePool({
    cacheDir,
    drafts: true,
    // The Gemini API has both protocols.
    gemini: [...select('gemini'), ...select('interactions')],
    vertex: select('vertex').map((one) => ({ ...one, ...PLACE, findAwsIdentity })),
    openrouter: select('openrouter'),
    openai: select('openai').map((one) => ({ ...one, options: findStyle(one.name) })),
  });
};

/** The service with a pool of sample generators; those that speak Vertex AI's protocol accept the roles of its functions. */
export const startPooledService = async (
  upstreams: readonly PooledUpstream[],
  options: Pick<ServiceOptions, 'startChild'> = { startChild: startInThisProcess },
) => {
  const folder = await mkdtemp(join(tmpdir(), 'pool-'));
  const roles = new Map<string, { secretAccessKey: string; arn: string }>();
  const { close, ...pool } = await startPool(upstreams, samplesFolder(folder), roles);
  const generators = Object.values(pool).flat();
  const findUrl = (wanted: string) => generators.find(({ name }) => name === wanted)?.url ?? '';
  const settings = upstreams.map((one) => toUpstream(one, findUrl(one.name)));
  const identity = pool.vertex[0]?.identity;
  const account = identity?.createServiceAccount();
  const federation = identity?.federationConfig({ ...(account && { serviceAccount: account.client_email }) });
  const credentials = settings.map(({ name, kind, credential = name }) => [
    credential,
    kind === 'vertex' ? federation : apiKey(name),
  ]);
  const service: Service = await startService({
    ...options,
    own: { config: { upstreams: settings }, secret: JSON.stringify(Object.fromEntries(credentials)) },
  });
  for (const { accessKeyId, ...role } of service.cloud.roles()) roles.set(accessKeyId, role);
  const closeAll = async () => {
    await service.close();
    await close();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    ...service,
    pool,
    identity,
    account,
    /** The generator of this name. */
    generatorNamed: (wanted: string) => {
      const found = generators.find(({ name }) => name === wanted);
      if (found === undefined) throw new Error(`no upstream ${wanted}`);
      return found;
    },
    close: closeAll,
    [Symbol.asyncDispose]: closeAll,
  };
};
