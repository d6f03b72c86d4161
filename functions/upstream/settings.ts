import * as z from 'zod/mini';
import { json, text, UPSTREAM_STATE } from '../platform/runtime/environment.ts';

/** The settings of the upstreams, as the stack gives them to functions. */
const optionalText = z.optional(z.string());
const shared = {
  name: text,
  models: z.record(z.string(), z.nullable(z.string())),
  priority: z.number(),
  weight: z.number(),
  submitsPerMinute: z.optional(z.number()),
  videosAtOnce: z.optional(z.number()),
};
export const upstreamSchema = z.discriminatedUnion('kind', [
  z.object({ ...shared, kind: z.literal('gemini'), baseUrl: text, keyHeader: text }),
  z.object({
    ...shared,
    kind: z.literal('vertex'),
    project: text,
    location: text,
    storageUri: optionalText,
    baseUrl: optionalText,
    storageBaseUrl: optionalText,
  }),
]);

export const UPSTREAM_LIST = { ...UPSTREAM_STATE, UPSTREAMS: json(z.array(upstreamSchema)) };
export const UPSTREAMS = { ...UPSTREAM_LIST, UPSTREAM_SECRET_ARN: text };
