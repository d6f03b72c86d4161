import * as z from 'zod/mini';
import {
  ASPECT_RATIOS,
  DURATIONS,
  type ImageType,
  type MODELS,
  RESOLUTIONS,
  VIDEO_MODES,
  type VideoCapabilities,
} from '../../catalogue/domain/models.ts';
import type { ImageNeed } from '../domain/needs.ts';

/** The form of a declaration: all that the service knows about a kind of upstreams, apart from how it is called. */

type Model = (typeof MODELS)[number];

/** What a kind, or an upstream, cannot do although the model can. */
export type Narrowed = { readonly [Part in keyof VideoCapabilities]?: VideoCapabilities[Part] | undefined };

/** Our models at a kind. One that is missing is offered only where the settings give it a name. */
export type KindModels = Readonly<
  Partial<Record<Model, { readonly name: string; readonly narrowed?: Narrowed }>>
>;

/** Public platforms that announce when their models end. */
export type Platform = 'Gemini API' | 'Vertex AI' | 'OpenAI';

/** Methods, so that one declaration can answer for each of its upstreams, whose settings decide. */
export type Declaration<Settings> = {
  /** Read from the settings of the stack, and from the environment of its functions. */
  readonly settings: z.ZodMiniType<Settings> & { readonly shape: object };
  readonly models: (upstream: Settings) => KindModels;
  /** What it cannot do with any video model; `upstreamModelName` is its own name of the model. */
  readonly narrowed: (upstream: Settings, upstreamModelName: string) => Narrowed;
  /** The parts of image requests that it can express; without any, it makes no images. */
  readonly imageParts: readonly ImageNeed[];
  /** The types of input images for videos that it documents. Others are converted. */
  readonly inputTypes: (upstream: Settings) => readonly ImageType[];
  /** Whether all submits with the same key start one operation. */
  readonly isIdempotent?: (upstream: Settings) => boolean;
  /** Whether a model that is missing in `models` is another one, which clients are told. */
  readonly hasSubstitutes?: boolean;
  /** For kinds whose platform does not follow from the host of `baseUrl`. */
  readonly platform?: (upstream: Settings) => Platform | undefined;
};

/** Without WebP, which some kinds do not document. */
export const COMMON_IMAGE_TYPES: readonly ImageType[] = ['image/jpeg', 'image/png'];

/** Without a slash at the end. */
export const address = z.url({ protocol: /^https?$/ }).check(z.overwrite((url) => url.replace(/\/+$/, '')));

const upstreamName = z
  .string()
  .check(
    z.regex(
      /^[a-z][a-z0-9-]{0,30}$/,
      'must have 1–31 lowercase letters, digits and hyphens, and start with a letter',
    ),
  );

const range = (low: number, high: number) => z.int().check(z.gte(low), z.lte(high));
const some = <Schema extends z.core.SomeType>(schema: Schema) =>
  z.optional(z.readonly(z.array(schema).check(z.minLength(1))));

/** Less than the kind can do, if this upstream cannot do all of it. */
export const OFFERS = z.object({
  modes: some(z.enum(VIDEO_MODES)),
  seconds: some(z.literal(DURATIONS)),
  lastFrameSeconds: some(z.literal(DURATIONS)),
  resolutions: some(z.enum(RESOLUTIONS)),
  aspectRatios: some(z.enum(ASPECT_RATIOS)),
  seed: z.optional(z.boolean()),
  negativePrompt: z.optional(z.boolean()),
});

/** The settings that every upstream has. */
export const SHARED = {
  name: upstreamName,
  /** The name of its credential in the secret; default its own name. */
  credential: z.optional(upstreamName),
  /** Our names to those of the upstream, where they are not those of the kind; one with null is not offered there. */
  models: z._default(z.record(z.string(), z.nullable(z.string().check(z.minLength(1)))), {}),
  offers: z.optional(OFFERS),
  /** The lowest number is tried first. */
  priority: z._default(range(1, 100), 1),
  /** Its share among upstreams of the same priority. */
  weight: z._default(range(1, 100), 1),
  submitsPerMinute: z.optional(range(1, 600)),
  videosAtOnce: z.optional(range(1, 500)),
};
