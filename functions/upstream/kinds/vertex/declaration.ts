import * as z from 'zod/mini';
import { IMAGE_NEEDS } from '../../domain/needs.ts';
import { address, COMMON_IMAGE_TYPES, type Declaration, SHARED } from '../declaration.ts';

/** Vertex AI, in a project of Google Cloud. */

export const project = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9:.-]{3,99}$/, 'must be the id of a Google Cloud project'));

/** Where Vertex AI writes videos; by default they are part of its response. */
export const storageUri = z.optional(
  z
    .string()
    .check(
      z.regex(
        /^gs:\/\/[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]\/(?:[^\s?#]{0,500}\/)?$/,
        'must be gs://BUCKET/ or gs://BUCKET/FOLDER/',
      ),
    ),
);

const settings = z.object({
  ...SHARED,
  kind: z.literal('vertex'),
  project,
  location: z
    .string()
    .check(z.regex(/^[a-z0-9-]{1,40}$/, 'must be a location, such as "us-central1" or "global"')),
  storageUri,
  /** Default: the upstream's own default. */
  personGeneration: z.optional(z.string().check(z.minLength(1), z.maxLength(40))),
  /** Default: Google's address for the location. */
  baseUrl: z.optional(address),
  storageBaseUrl: z.optional(address),
});
export type Vertex = z.output<typeof settings>;

const MODELS = {
  'video-3.1-generate-preview': { name: 'veo-3.1-generate-001' },
  'video-3.1-fast-generate-preview': {
    name: 'veo-3.1-fast-generate-001',
    // The page of the fast model lists no 4k.
    narrowed: { resolutions: ['720p', '1080p'] },
  },
  'image-3.1-flash-image-preview': { name: 'gemini-3.1-flash-image' },
} as const;

// Whether it accepts shorter videos with a last frame is not documented.
const NARROWED = { lastFrameSeconds: [8] } as const;

export const vertex = {
  settings,
  models: () => MODELS,
  narrowed: () => NARROWED,
  imageParts: IMAGE_NEEDS,
  inputTypes: () => COMMON_IMAGE_TYPES,
  platform: () => 'Vertex AI',
} as const satisfies Declaration<Vertex>;
