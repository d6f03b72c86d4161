import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upstreamSchema } from '../../functions/upstream/kinds/kinds.ts';
import type { OptionStyle } from '../../functions/upstream/kinds/openai/declaration.ts';
import type { Config } from '../../lib/config.ts';
import { startSamples } from '../../lib/local/start/sample-kinds.ts';
import type { Limits } from '../../lib/sample-generator/refusals.ts';
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

/** Google's protocol makes videos at other gateways only, which choose the names of their models. */
const defaultModels = (kind: Kind): Upstream['models'] => (kind === 'gemini' ? OWN_NAMES : {});

const apiKey = (name: string): string => `key-of-${name}`;

const toSample = ({ kind = 'gemini', name, options, limits, recordBodies }: PooledUpstream) => ({
  generationSeconds: 1,
  retryDelaySeconds: 1,
  name,
  kind,
  apiKey: apiKey(name),
  ...(options && { options }),
  ...(limits && { limits }),
  ...(recordBodies && { recordBodies }),
});

/** Without what only the generator has. */
const toSettings = ({ kind = 'gemini', limits: _, recordBodies: __, ...own }: PooledUpstream) => ({
  models: defaultModels(kind),
  ...own,
  kind,
});

/** The service with a pool of sample generators; those that speak Vertex AI's protocol accept the roles of its functions. */
export const startPooledService = async (
  upstreams: readonly PooledUpstream[],
  options: Pick<ServiceOptions, 'startChild'> = { startChild: startInThisProcess },
) => {
  const folder = await mkdtemp(join(tmpdir(), 'pool-'));
  const roles = new Map<string, { secretAccessKey: string; arn: string }>();
  const { pool, settingsFor, generatorNamed, close } = await startSamples(upstreams.map(toSample), {
    cacheDir: samplesFolder(folder),
    drafts: true,
    findRole: (accessKeyId) => roles.get(accessKeyId),
  });
  const settings = upstreams
    .map(toSettings)
    .map((own) => upstreamSchema.parse({ ...own, ...settingsFor(own) }));
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
    generatorNamed,
    close: closeAll,
    [Symbol.asyncDispose]: closeAll,
  };
};
