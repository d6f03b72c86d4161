import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { deliveredSpec, type VideoSpec, videoSpecSchema } from './media-spec.ts';
import { unreadablePicture, writeAtomically } from './pictures.ts';
import type { RenderCache, RenderResult } from './studio.ts';

const operationSchema = z.object({
  id: z.string(),
  spec: videoSpecSchema,
  /** In milliseconds since the epoch. */
  createdAt: z.number(),
  /** The operation stays pending until this time. */
  readyAt: z.number(),
});
export type Operation = z.infer<typeof operationSchema>;

/** Several upstreams may share a folder; each finds only its own operations. */
type RecordPlace = { readonly folder: string; readonly upstream: string };

const recordPath = ({ folder, upstream }: RecordPlace, id: string) =>
  join(folder, upstream === '' ? id : `${upstream}.${id}`);

const findRecord = async (place: RecordPlace, id: string): Promise<Operation | undefined> => {
  const text = await readFile(recordPath(place, id), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : operationSchema.parse(JSON.parse(text));
};

/** The codes of google.rpc for errors that the request caused, and for others. */
export const INVALID_ARGUMENT = 3;
const INTERNAL = 13;

/** How an operation has ended; without paths, it has no video. */
export type Outcome =
  | { readonly kind: 'videos'; readonly paths: readonly string[] }
  | { readonly kind: 'filtered' }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

/** Undefined while the operation is pending. */
export const readOutcome = (operation: Operation, { results }: Operations): Outcome | undefined => {
  const found = results(operation);
  const { ending } = operation.spec.testPrompts;
  if (found === undefined || ending?.kind === 'never') return undefined;
  if (ending?.kind === 'filtered') return { kind: 'filtered' };
  if (ending?.kind === 'error')
    return { kind: 'error', code: ending.code, message: 'A test prompt makes this video fail.' };
  const paths: string[] = [];
  for (const result of found) {
    if (result.outcome === 'unreadable-picture')
      return { kind: 'error', code: INVALID_ARGUMENT, message: unreadablePicture };
    if (result.outcome === 'failed')
      return { kind: 'error', code: INTERNAL, message: `Video generation failed: ${result.message}` };
    paths.push(result.path);
  }
  return { kind: 'videos', paths };
};

const MAX_IN_MEMORY = 1000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Lower-case letters and digits, for ids. */
export const randomText = (length: number) =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** A file id is the operation id plus the sample's digit. */
export const fileId = (operation: Operation, sample: number) => `${operation.id}${sample}`;
export const splitFileId = (id: string) => ({ operation: id.slice(0, -1), sample: Number(id.slice(-1)) });

/** From 0 to 1, by the time at which the operation is ready. */
export const estimateProgress = ({ createdAt, readyAt }: Operation): number =>
  Math.min(1, (Date.now() - createdAt) / Math.max(1, readyAt - createdAt));

/** Operations are stored on disk so that, like the upstream's, they survive a restart. */
export const operationStore = (
  place: RecordPlace,
  renderCache: RenderCache,
  { generationSeconds, newId }: { readonly generationSeconds: number; readonly newId: () => string },
) => {
  const held = new Map<string, Operation>();
  const finished = new WeakMap<Operation, readonly RenderResult[]>();

  const hold = (operation: Operation) => {
    held.set(operation.id, operation);
    const [oldest] = held.keys();
    // It stays on disk and is read again when needed.
    if (held.size > MAX_IN_MEMORY && oldest !== undefined) held.delete(oldest);
    return operation;
  };

  const render = (operation: Operation) => {
    const { spec } = operation;
    const count = spec.testPrompts.ending === undefined ? spec.samples : 0;
    const samples = Array.from({ length: count }, (_, sample) => renderCache(deliveredSpec(spec), sample));
    void Promise.all(samples)
      .catch((error) => [{ outcome: 'failed' as const, message: String(error) }])
      .then((results) => finished.set(operation, results));
  };

  return {
    start: async (spec: VideoSpec): Promise<Operation> => {
      const seconds = Math.max(generationSeconds, spec.testPrompts.delaySeconds ?? 0);
      const createdAt = Date.now();
      const operation = { id: newId(), spec, createdAt, readyAt: createdAt + seconds * 1000 };
      await writeAtomically(recordPath(place, operation.id), JSON.stringify(operation));
      render(operation);
      return hold(operation);
    },
    find: async (id: string): Promise<Operation | undefined> => {
      const record = held.has(id) ? undefined : await findRecord(place, id);
      // A concurrent call may have read it meanwhile: there must be one object per operation.
      const known = held.get(id);
      if (known !== undefined || record === undefined) return known;
      hold(record);
      render(record);
      // Videos that were rendered before a restart are found within one turn.
      await turn();
      return record;
    },
    /** Undefined while the operation is pending. */
    results: (operation: Operation) => (Date.now() < operation.readyAt ? undefined : finished.get(operation)),
  };
};

export type Operations = ReturnType<typeof operationStore>;
