import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import * as z from 'zod';
import type { SampleVertex } from '../../sample-generator/server.ts';
import { replaceFile } from '../data-folder.ts';
import { listenOnLoopback } from '../loopback.ts';
import { startSamples } from './sample-kinds.ts';

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
  /** Keeps their ports for the next start. The stack has their URLs, so with new ports it must be synthesized again. */
  readonly portsFile: string;
  readonly drafts: boolean;
  /** The role of the function with this access key, for upstreams that accept roles instead of keys. */
  readonly findRole: (accessKeyId: string) => { secretAccessKey: string; arn: string } | undefined;
};

const VIDEO = 'video-3.1-generate-preview';
const FAST_VIDEO = 'video-3.1-fast-generate-preview';
const IMAGE = 'image-3.1-flash-image-preview';

/** The kinds of upstreams, with the names of models where they are not those of the kind; null for one that is not offered. */
const UPSTREAMS = [
  {
    name: 'studio-a',
    kind: 'gemini',
    models: { [VIDEO]: VIDEO, [FAST_VIDEO]: FAST_VIDEO, [IMAGE]: IMAGE },
    offers: { lastFrameSeconds: [4, 6, 8] },
  },
  { name: 'openrouter', kind: 'openrouter', models: {} },
  { name: 'vertex-us', kind: 'vertex', models: { [IMAGE]: null }, storageUri: 'gs://sample-videos/' },
  { name: 'openai', kind: 'openai', models: {}, options: 'metadata' },
  { name: 'images', kind: 'gemini', models: {} },
  { name: 'omni', kind: 'interactions', models: {} },
] as const;

type SampleUpstream = { readonly name: string } & Omit<(typeof UPSTREAMS)[number], 'name'>;

/** The only upstream has no name of its own. */
const chooseUpstreams = (count: number): readonly SampleUpstream[] =>
  count === 1 ? [{ ...UPSTREAMS[0], name: 'sample' }] : UPSTREAMS.slice(0, count);

const newKey = (): string => randomBytes(16).toString('hex');

/** The role of each function may act as a new service account. */
const federate = ({ identity }: SampleVertex): object =>
  identity.federationConfig({ serviceAccount: identity.createServiceAccount().client_email });

const isFree = (port: number): Promise<boolean> =>
  listenOnLoopback(createServer, port).then(
    ({ close }) => close().then(() => true),
    () => false,
  );

const portsSchema = z.record(z.string(), z.int().min(1).max(65_535));

/** The ports of the last start that are still free. A damaged file only costs time. */
const readPorts = async (file: string): Promise<ReadonlyMap<string, number>> => {
  const stored = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const ports = Object.entries(portsSchema.safeParse(stored).data ?? {});
  const free = await Promise.all(ports.map(([, port]) => isFree(port)));
  return new Map(ports.filter((_, index) => free[index]));
};

export const startSampleUpstreams = async ({
  count,
  cacheDir,
  portsFile,
  drafts,
  findRole,
}: Options): Promise<SampleUpstreams> => {
  const chosen = chooseUpstreams(count);
  const keys = new Map(chosen.map(({ name }) => [name, newKey()]));
  const ports = await readPorts(portsFile);
  const { pool, generators, settingsFor, close } = await startSamples(
    chosen.map((one) => ({ ...one, port: ports.get(one.name) ?? 0, apiKey: keys.get(one.name) ?? newKey() })),
    { cacheDir, drafts, findRole },
  );
  const used = generators.map(({ name, port }) => [name, port]);
  await replaceFile(portsFile, JSON.stringify(Object.fromEntries(used)));
  const upstreams = chosen.map((one) => ({ ...one, ...settingsFor(one) }));
  const federated = pool.vertex.map((one) => [one.name, federate(one)] as const);
  const credentials = new Map<string, unknown>([...keys, ...federated]);
  return {
    settings: { upstreams },
    // The only upstream has the whole secret as its key.
    secret: count === 1 ? [...keys.values()].join() : JSON.stringify(Object.fromEntries(credentials)),
    close,
  };
};
