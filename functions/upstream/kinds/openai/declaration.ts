import * as z from 'zod/mini';
import { IMAGE_TYPES } from '../../../catalogue/domain/models.ts';
import { address, COMMON_IMAGE_TYPES, type Declaration, type Narrowed, SHARED } from '../declaration.ts';

/** Servers of OpenAI's API. */

/**
 * Where a server of the Videos API reads the options that the API does not have: nowhere, in `metadata`, or among the
 * other fields. Another deployment of this service knows all of them, and `Idempotency-Key`.
 */
export const OPTION_STYLES = ['none', 'metadata', 'top-level', 'media-generation'] as const;
export type OptionStyle = (typeof OPTION_STYLES)[number];

const settings = z.object({
  ...SHARED,
  kind: z.literal('openai'),
  // Clients of the OpenAI API are given an address with the version.
  baseUrl: address.check(z.overwrite((url) => url.replace(/\/v1$/, ''))),
  options: z._default(z.enum(OPTION_STYLES), 'none'),
});

/** The names at other servers are theirs to choose. */
const MODELS = {
  'video-3.1-generate-preview': { name: 'video-3.1-generate-preview' },
  'video-3.1-fast-generate-preview': { name: 'video-3.1-fast-generate-preview' },
} as const;

const MODES = ['text', 'first_frame'] as const;

/** Servers accept any field and read those that they know. */
const NARROWED: Readonly<Record<OptionStyle, Narrowed>> = {
  none: { modes: MODES, seed: false, negativePrompt: false },
  metadata: { modes: MODES },
  'top-level': { modes: MODES },
  // It depends on the upstreams of the other deployment.
  'media-generation': { lastFrameSeconds: [8] },
};

export const openai = {
  settings,
  models: () => MODELS,
  narrowed: ({ options }) => NARROWED[options],
  // The Images API has a prompt and images, but no conversations.
  imageParts: ['size512'],
  // Another deployment of this service accepts the same images.
  inputTypes: ({ options }) => (options === 'media-generation' ? IMAGE_TYPES : COMMON_IMAGE_TYPES),
  isIdempotent: ({ options }) => options === 'media-generation',
} as const satisfies Declaration<z.output<typeof settings>>;
