import * as z from 'zod';
import { IMAGE_MODEL, VIDEO_MODELS, videoModelEntry } from '../functions/catalogue/domain/models.ts';
import { isPublicHost, readHost } from '../functions/platform/domain/public-host.ts';
import { OFFERS } from '../functions/upstream/kinds/declaration.ts';
import { KIND_NAMES, KINDS, type Upstream, upstreamSchema } from '../functions/upstream/kinds/kinds.ts';
import { project, storageUri } from '../functions/upstream/kinds/vertex/declaration.ts';

/** The settings `upstream`, which expands a preset, and `upstreams`, which lists every detail. */

/** A field that is not in the schema is misspelled. Functions pass over it: a release may read what the next one wrote. */
const withoutUnknownFields = z
  .looseObject({ kind: z.enum(KIND_NAMES), offers: z.looseObject({}).optional() })
  .superRefine((entry, context) => {
    for (const [given, known, path] of [
      [entry, KINDS[entry.kind].settings.shape, []],
      [entry.offers ?? {}, OFFERS.shape, ['offers']],
    ] as const) {
      const keys = Object.keys(given).filter((key) => !Object.hasOwn(known, key));
      if (keys.length > 0)
        context.addIssue({ code: 'unrecognized_keys', keys, path: [...path], input: given, continue: false });
    }
  });

/** One entry of `upstreams`. Its credential is in the secret, under its name. */
const upstreamEntry = withoutUnknownFields.pipe(upstreamSchema);
export type UpstreamEntry = Upstream;

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

const preset = z.discriminatedUnion('kind', [upstreamEntry, googleCloud]);

export const PRESETS =
  'openrouter, {"kind":"google-cloud","project":"PROJECT"} or {"kind":"openai","baseUrl":"https://…"}';

const presetKind = z.object({ kind: z.enum(KIND_NAMES) });

/** The only upstream needs no name. */
const withName = (given: unknown): unknown => {
  const { data } = presetKind.safeParse(given);
  return data === undefined ? given : Object.assign({ name: data.kind }, given);
};

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
  .preprocess(
    (value, context) => (value === '' ? undefined : withName(readPreset(value, context))),
    preset.optional(),
  )
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
