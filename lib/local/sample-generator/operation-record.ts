import * as z from 'zod';
import type { Operation } from './operations.ts';
import { storedPicture } from './pictures.ts';
import { isHttpErrorCode } from './wishes.ts';

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

const wishes = z.object({
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

const record = z.object({
  id: z.string(),
  readyAt: z.number(),
  order: z.object({
    model: z.string(),
    prompt: z.string(),
    wishes,
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

export const readRecord = (text: string): Operation => record.parse(JSON.parse(text));
