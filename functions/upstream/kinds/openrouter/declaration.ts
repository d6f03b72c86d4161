import * as z from 'zod/mini';
import { address, COMMON_IMAGE_TYPES, type Declaration, SHARED } from '../declaration.ts';

const settings = z.object({
  ...SHARED,
  kind: z.literal('openrouter'),
  baseUrl: z._default(address, 'https://openrouter.ai/api/v1'),
});

const MODELS = {
  'video-3.1-generate-preview': { name: 'google/veo-3.1' },
  'video-3.1-fast-generate-preview': { name: 'google/veo-3.1-fast' },
  'image-3.1-flash-image-preview': { name: 'google/gemini-3.1-flash-image' },
} as const;

// How it passes on reference images is not documented.
const NARROWED = { modes: ['text', 'first_frame', 'first_and_last_frame'] } as const;

export const openrouter = {
  settings,
  models: () => MODELS,
  narrowed: () => NARROWED,
  // How it passes on safety settings and the smallest size is not documented.
  imageParts: ['conversation', 'instruction', 'sampling'],
  inputTypes: () => COMMON_IMAGE_TYPES,
} as const satisfies Declaration<z.output<typeof settings>>;
