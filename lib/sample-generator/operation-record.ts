import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { writeAtomically } from './atomic-write.ts';
import { isHttpErrorCode } from './directive-types.ts';
import { storedPicture } from './pictures.ts';
import type { RenderResult } from './render-cache.ts';
import type { VideoSpec } from './video-spec.ts';

export type Operation = {
  readonly id: string;
  readonly spec: VideoSpec;
  /** Milliseconds of the epoch, before which it stays pending. */
  readonly readyAt: number;
};

const repeat = z.union([z.number(), z.literal('always')]);
const place = z.enum(['create', 'poll', 'file', 'content']);

const fault = z.union([
  z.object({
    place,
    repeat,
    kind: z.literal('error'),
    code: z.number().transform((code, context) => {
      if (isHttpErrorCode(code)) return code;
      context.addIssue('not an HTTP error');
      return z.NEVER;
    }),
    retrySeconds: z.number().exactOptional(),
  }),
  z.object({ place, repeat, kind: z.enum(['daily-quota', 'reset', 'hang', 'truncated']) }),
]);

const ending = z.union([
  z.object({ kind: z.enum(['filtered', 'no-video', 'never']) }),
  z.object({ kind: z.literal('error'), code: z.number() }),
]);

const directives = z.object({
  faults: z.array(fault),
  delaySeconds: z.number().exactOptional(),
  slowStartSeconds: z.number().exactOptional(),
  ending: ending.exactOptional(),
  samples: z.number().exactOptional(),
  inlineVideo: z.boolean().exactOptional(),
  notMp4: z.boolean().exactOptional(),
  foreignRedirect: z.boolean().exactOptional(),
  megabytes: z.number().exactOptional(),
});

/** Only what stays as it is: a rendering that failed is tried again after a restart. */
const result = z.union([
  z.object({ outcome: z.literal('rendered'), path: z.string() }),
  z.object({ outcome: z.literal('unreadable-picture') }),
]);

const record = z.object({
  id: z.string(),
  readyAt: z.number(),
  /** How it ended; written before anybody is told. */
  results: z.array(result).exactOptional(),
  spec: z.object({
    model: z.string(),
    prompt: z.string(),
    directives,
    width: z.number(),
    height: z.number(),
    seconds: z.number(),
    seed: z.number(),
    samples: z.number(),
    first: storedPicture.exactOptional(),
    last: storedPicture.exactOptional(),
    references: z.array(storedPicture),
  }),
});

const recordPath = (folder: string, id: string) => join(folder, id);

/** Files are named from the folder, so that it can be moved. */
const mapPaths = (results: readonly RenderResult[], change: (path: string) => string): RenderResult[] =>
  results.map((given) => (given.outcome === 'rendered' ? { ...given, path: change(given.path) } : given));

export const writeRecord = async (
  folder: string,
  { id, readyAt, spec }: Operation,
  results?: readonly RenderResult[],
) => {
  const stored = results && { results: mapPaths(results, (path) => relative(folder, path)) };
  await writeAtomically(recordPath(folder, id), JSON.stringify({ id, readyAt, spec, ...stored }));
};

/** The operation as it was written down, with its results if it had ended; undefined if there is none. */
export const findRecord = async (folder: string, id: string) => {
  const text = await readFile(recordPath(folder, id), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { results, ...operation } = record.parse(JSON.parse(text));
  return { operation, results: results && mapPaths(results, (path) => join(folder, path)) };
};
