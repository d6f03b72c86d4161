import * as z from 'zod/mini';
import { ASPECT_RATIOS, DURATIONS, RESOLUTIONS, VIDEO_MODES } from '../catalogue/domain/models.ts';
import { json, text, UPSTREAM_STATE } from '../platform/runtime/environment.ts';
import { OPTION_STYLES } from './domain/upstreams.ts';

/** The settings of the upstreams, as the stack gives them to functions. */
const optionalText = z.optional(z.string());
const shared = {
  name: text,
  credential: optionalText,
  models: z.record(z.string(), z.nullable(z.string())),
  offers: z.optional(
    z.object({
      modes: z.optional(z.array(z.enum(VIDEO_MODES))),
      seconds: z.optional(z.array(z.literal(DURATIONS))),
      lastFrameSeconds: z.optional(z.array(z.literal(DURATIONS))),
      resolutions: z.optional(z.array(z.enum(RESOLUTIONS))),
      aspectRatios: z.optional(z.array(z.enum(ASPECT_RATIOS))),
      seed: z.optional(z.boolean()),
      negativePrompt: z.optional(z.boolean()),
    }),
  ),
  priority: z.number(),
  weight: z.number(),
  submitsPerMinute: z.optional(z.number()),
  videosAtOnce: z.optional(z.number()),
};
const googleCloud = {
  location: text,
  storageUri: optionalText,
  baseUrl: optionalText,
  storageBaseUrl: optionalText,
};
export const upstreamSchema = z.discriminatedUnion('kind', [
  z.object({ ...shared, kind: z.literal('gemini'), baseUrl: text, keyHeader: text }),
  z.object({
    ...shared,
    ...googleCloud,
    kind: z.literal('vertex'),
    project: text,
    personGeneration: optionalText,
  }),
  z.object({
    ...shared,
    ...googleCloud,
    kind: z.literal('interactions'),
    keyHeader: text,
    project: optionalText,
  }),
  z.object({ ...shared, kind: z.literal('openrouter'), baseUrl: text }),
  z.object({ ...shared, kind: z.literal('openai'), baseUrl: text, options: z.enum(OPTION_STYLES) }),
]);

/** The upstreams alone, for functions that must know what they can do. */
export const OFFER = { UPSTREAMS: json(z.array(upstreamSchema)) };
export const UPSTREAM_LIST = { ...UPSTREAM_STATE, ...OFFER };
export const UPSTREAMS = { ...UPSTREAM_LIST, UPSTREAM_SECRET_ARN: text };
