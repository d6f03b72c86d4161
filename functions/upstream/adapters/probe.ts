import * as z from 'zod/mini';
import { UpstreamError } from '../domain/faults.ts';
import type { UpstreamServer } from './upstream-connection.ts';

/** `unknown` if the upstream does not tell which models it has. */
export type Probe = 'offered' | 'missing' | 'unknown';
export type Medium = 'video' | 'image';

/** The upstream's name of one of our models. */
export type ModelName = (model: string) => string;

/** Calls without charge that tell whether an upstream can be used. Every failure is an UpstreamError. */
export type ProbedServer = {
  /** Fails if the credential does not work. */
  readonly verify: (timeoutMs: number) => Promise<void>;
  /** Looks up a model by the upstream's name; some upstreams list models by medium. */
  readonly probe: (model: string, timeoutMs: number, medium: Medium) => Promise<Probe>;
};

export const MAX_LIST_BYTES = 1_000_000;
/** OpenRouter describes hundreds of models at length. */
const MAX_CATALOGUE_BYTES = 16_000_000;

const isMissing = (error: unknown): boolean =>
  error instanceof UpstreamError && (error.httpStatus === 404 || error.httpStatus === 410);

/** Asks for one model at its own address. */
export const probeByName = async (
  { call }: UpstreamServer,
  path: string,
  timeoutMs: number,
): Promise<Probe> => {
  try {
    await call(path, { timeoutMs, maxBytes: MAX_LIST_BYTES });
    return 'offered';
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw error;
  }
};

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), canonical_slug: z.optional(z.string()) })),
});

/** Asks for the list of models; undefined if the upstream has none. */
export const listModels = async (
  { call }: UpstreamServer,
  path: string,
  timeoutMs: number,
): Promise<readonly string[] | undefined> => {
  try {
    const answer = await call(path, { timeoutMs, maxBytes: MAX_CATALOGUE_BYTES });
    const parsed = listSchema.safeParse(answer);
    return parsed.data?.data.flatMap(({ id, canonical_slug: slug }) => [id, slug ?? id]);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

export const probeInList = async (
  server: UpstreamServer,
  path: string,
  model: string,
  timeoutMs: number,
): Promise<Probe> => {
  const models = await listModels(server, path, timeoutMs);
  if (models === undefined) return 'unknown';
  return models.includes(model) ? 'offered' : 'missing';
};
