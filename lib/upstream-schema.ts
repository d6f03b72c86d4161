import * as z from 'zod';
import {
  ASPECT_RATIOS,
  DURATIONS,
  IMAGE_MODEL,
  RESOLUTIONS,
  VIDEO_MODELS,
  VIDEO_MODES,
  videoModelEntry,
} from '../functions/catalogue/domain/models.ts';
import { isPublicHost, readHost } from '../functions/platform/domain/public-host.ts';
import { isOneOf } from '../functions/platform/domain/text.ts';

/** The settings `upstream`, which expands a preset, and `upstreams`, which lists every detail. */

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const name = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,30}$/,
    'must have 1–31 lowercase letters, digits and hyphens, and start with a letter',
  );

const shared = {
  name,
  credential: name.optional(),
  models: z.record(z.string(), z.string().min(1).nullable()).default({}),
  offers: z
    .strictObject({
      modes: z.array(z.enum(VIDEO_MODES)).min(1).optional(),
      seconds: z.array(z.literal(DURATIONS)).min(1).optional(),
      lastFrameSeconds: z.array(z.literal(DURATIONS)).min(1).optional(),
      resolutions: z.array(z.enum(RESOLUTIONS)).min(1).optional(),
      aspectRatios: z.array(z.enum(ASPECT_RATIOS)).min(1).optional(),
      seed: z.boolean().optional(),
      negativePrompt: z.boolean().optional(),
    })
    .optional(),
  priority: z.int().min(1).max(100).default(1),
  weight: z.int().min(1).max(100).default(1),
  submitsPerMinute: z.int().min(1).max(600).optional(),
  videosAtOnce: z.int().min(1).max(500).optional(),
};

const project = z.string().regex(/^[a-z][a-z0-9:.-]{3,99}$/, 'must be the id of a Google Cloud project');
const storageUri = z
  .string()
  .regex(
    /^gs:\/\/[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]\/(?:[^\s?#]{0,500}\/)?$/,
    'must be gs://BUCKET/ or gs://BUCKET/FOLDER/',
  )
  .optional();

const keyHeader = z.string().regex(/^[a-z0-9-]+$/);

const gemini = z.strictObject({
  ...shared,
  kind: z.literal('gemini'),
  baseUrl: address.default('https://generativelanguage.googleapis.com'),
  keyHeader: keyHeader.default('x-goog-api-key'),
});
const vertex = z.strictObject({
  ...shared,
  kind: z.literal('vertex'),
  project,
  location: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be a location, such as "us-central1" or "global"'),
  storageUri,
  personGeneration: z.string().min(1).max(40).optional(),
  baseUrl: address.optional(),
  storageBaseUrl: address.optional(),
});
/** With a key at the Gemini API, or in a project of Vertex AI. */
const interactions = z.strictObject({
  ...shared,
  kind: z.literal('interactions'),
  models: shared.models.refine(
    (models) => Object.keys(models).every((model) => isOneOf(VIDEO_MODELS, model)),
    'must name video models only: this kind of upstream makes no images',
  ),
  keyHeader: keyHeader.default('x-goog-api-key'),
  project: project.optional(),
  location: z.literal('global').default('global'),
  storageUri,
  baseUrl: address.optional(),
  storageBaseUrl: address.optional(),
});
const openrouter = z.strictObject({
  ...shared,
  kind: z.literal('openrouter'),
  baseUrl: address.default('https://openrouter.ai/api/v1'),
});
const openai = z.strictObject({
  ...shared,
  kind: z.literal('openai'),
  // Clients of the OpenAI API are given an address with the version.
  baseUrl: address.transform((url) => url.replace(/\/v1$/, '')),
  options: z.enum(['none', 'metadata', 'top-level', 'media-generation']).default('none'),
});

/** One entry of `upstreams`. Its credential is in the secret, under its name. */
export const upstreamEntry = z.discriminatedUnion('kind', [gemini, vertex, interactions, openrouter, openai]);
export type UpstreamEntry = z.output<typeof upstreamEntry>;

/** Veo and the image model are in different locations of Google Cloud, so this preset makes two upstreams. */
const googleCloud = z.strictObject({
  kind: z.literal('google-cloud'),
  project,
  storageUri,
  imageLocation: z.enum(['global', 'us', 'eu']).default('global'),
});
type GoogleCloud = z.output<typeof googleCloud>;

const VIDEO_LOCATION = 'us-central1';
const NO_VIDEOS = Object.fromEntries(
  VIDEO_MODELS.filter((model) => !videoModelEntry(model).isExtra).map((model) => [model, null]),
);

const expandGoogleCloud = ({ project, storageUri, imageLocation }: GoogleCloud): UpstreamEntry[] => {
  const common = { kind: 'vertex', project, credential: 'google-cloud', priority: 1, weight: 1 } as const;
  return [
    {
      ...common,
      name: 'google-cloud-video',
      location: VIDEO_LOCATION,
      ...(storageUri === undefined ? {} : { storageUri }),
      models: { [IMAGE_MODEL]: null },
    },
    { ...common, name: 'google-cloud-image', location: imageLocation, models: NO_VIDEOS },
  ];
};

/** The only upstream needs no name. */
const preset = z.discriminatedUnion('kind', [
  gemini.extend({ name: name.default('gemini') }),
  vertex.extend({ name: name.default('vertex') }),
  interactions.extend({ name: name.default('interactions') }),
  openrouter.extend({ name: name.default('openrouter') }),
  openai.extend({ name: name.default('openai') }),
  googleCloud,
]);

export const PRESETS =
  'openrouter, {"kind":"google-cloud","project":"PROJECT"} or {"kind":"openai","baseUrl":"https://…"}';

/** A name alone, such as `openrouter`, is a preset without options. */
const readPreset = (value: unknown, context: z.RefinementCtx): unknown => {
  if (typeof value !== 'string') return value;
  if (!value.startsWith('{')) return { kind: value };
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: 'custom', message: `must be a preset or JSON: ${PRESETS}` });
    return z.NEVER;
  }
};

/** The setting `upstream`: the upstreams that the preset stands for; none if it is empty. */
export const upstreamPreset = z
  .preprocess((value, context) => (value === '' ? undefined : readPreset(value, context)), preset.optional())
  .transform((given): UpstreamEntry[] => {
    if (given === undefined) return [];
    return given.kind === 'google-cloud' ? expandGoogleCloud(given) : [given];
  });

/** Lambda allows 4 KB for all variables of a function. */
const MAX_LENGTH = 2000;

/** The setting `upstreams`. */
export const upstreamList = z
  .array(upstreamEntry)
  .max(10, 'must have at most 10 upstreams')
  .refine(
    (entries) => new Set(entries.map((entry) => entry.name)).size === entries.length,
    'must have a different name for each upstream',
  )
  .refine(
    (entries) => JSON.stringify(entries).length <= MAX_LENGTH,
    `must be shorter: with defaults, at most ${MAX_LENGTH} characters of JSON fit into the environment of a function`,
  );

/** Whether functions can reach the address, and only with TLS: they are in no private network. */
export const isPublicAddress = (address: string): boolean => {
  const url = new URL(address);
  return url.protocol === 'https:' && isPublicHost(readHost(url));
};

/** The first address that a deployment must not use. */
export const findLocalAddress = (upstreams: readonly UpstreamEntry[]): string | undefined =>
  upstreams
    .flatMap((upstream) => [
      upstream.baseUrl ?? [],
      'storageBaseUrl' in upstream ? (upstream.storageBaseUrl ?? []) : [],
    ])
    .flat()
    .find((address) => !isPublicAddress(address));
