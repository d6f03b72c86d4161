import * as z from 'zod/mini';
import { UpstreamError } from '../domain/faults.ts';
import type { VideoGenerator } from '../domain/video-generator.ts';
import type { UpstreamServer } from './upstream-connection.ts';
import type { CallTimeouts } from './video-format.ts';

/** `unknown` if the upstream does not tell which models it has. */
export type Probe = 'offered' | 'missing' | 'unknown';
export type Medium = 'video' | 'image';

/** The upstream's name of one of our models. */
export type ModelName = (model: string) => string;

/** Calls without charge that tell whether an upstream can be used. Every failure is an UpstreamError. */
export type ProbedServer = {
  /** Fails if the credential does not work. */
  readonly verify: (timeoutMs: number) => Promise<unknown>;
  /** Looks up a model by the upstream's name; some upstreams list models by medium. */
  readonly probe: (model: string, timeoutMs: number, medium: Medium) => Promise<Probe>;
};

/** Images have clients of their own, so that a bundle has what it needs. */
export type UpstreamClient = ProbedServer & {
  readonly videos: (fileTimeoutMs: number, timeoutsMs?: CallTimeouts) => VideoGenerator;
};

type Server = Pick<UpstreamServer, 'call'>;

/** OpenRouter describes hundreds of models at length. */
const MAX_CATALOGUE_BYTES = 16_000_000;

const isMissing = (error: unknown): boolean =>
  error instanceof UpstreamError && (error.httpStatus === 404 || error.httpStatus === 410);

/** Undefined if the upstream does not know the address. */
const callIfThere = async ({ call }: Server, path: string, timeoutMs: number): Promise<unknown> => {
  try {
    return await call(path, { timeoutMs, maxBytes: MAX_CATALOGUE_BYTES });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** At an upstream where each model has an address of its own. */
export const probesByName = (server: Server, listPath: string, modelPath: ModelName): ProbedServer => ({
  verify: (timeoutMs) => server.call(listPath, { timeoutMs }),
  probe: async (name, timeoutMs) => {
    const found = await callIfThere(server, modelPath(name), timeoutMs);
    return found === undefined ? 'missing' : 'offered';
  },
});

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), canonical_slug: z.optional(z.string()) })),
});

/** At an upstream with a list of models. One without a list says nothing, not even about the key. */
export const probesInList = (server: Server, listPath: (medium?: Medium) => string): ProbedServer => ({
  verify: (timeoutMs) => callIfThere(server, listPath(), timeoutMs),
  probe: async (name, timeoutMs, medium) => {
    const { data } = listSchema.safeParse(await callIfThere(server, listPath(medium), timeoutMs));
    if (data === undefined) return 'unknown';
    return data.data.some(({ id, canonical_slug: slug }) => id === name || slug === name)
      ? 'offered'
      : 'missing';
  },
});
