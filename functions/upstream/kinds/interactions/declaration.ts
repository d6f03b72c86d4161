import * as z from 'zod/mini';
import { DURATIONS, IMAGE_TYPES, VIDEO_MODELS } from '../../../catalogue/domain/models.ts';
import { isOneOf } from '../../../platform/domain/text.ts';
import { address, type Declaration, SHARED } from '../declaration.ts';
import { keyHeader } from '../gemini/declaration.ts';
import { project, storageUri } from '../vertex/declaration.ts';

/** Google's Interactions API: with a key at the Gemini API, or in a project of Vertex AI. */

const settings = z
  .object({
    ...SHARED,
    kind: z.literal('interactions'),
    models: SHARED.models.check(
      z.refine(
        (models) => Object.keys(models).every((model) => isOneOf(VIDEO_MODELS, model)),
        'must name video models only: this kind of upstream makes no images',
      ),
    ),
    keyHeader,
    project: z.optional(project),
    location: z._default(z.literal('global'), 'global'),
    storageUri,
    baseUrl: z.optional(address),
    storageBaseUrl: z.optional(address),
  })
  .check(
    z.refine(
      (upstream) => (upstream.project === undefined) === (upstream.storageUri === undefined),
      'must have both project and storageUri, for Vertex AI, or neither, for the Gemini API',
    ),
  );

const AT_GEMINI_API = { 'video-omni-1.2-flash': { name: 'gemini-omni-1.2-flash' } } as const;
const AT_VERTEX_AI = { 'video-omni-1.2-flash': { name: 'gemini-omni-1.1-flash-preview' } } as const;

const NARROWED = { seed: false, negativePrompt: false } as const;
/** Version 1.2 makes longer videos than the earlier ones. */
const BEFORE_1_2 = { ...NARROWED, seconds: DURATIONS.filter((seconds) => seconds <= 10) } as const;

export const interactions = {
  settings,
  models: (upstream) => (upstream.project === undefined ? AT_GEMINI_API : AT_VERTEX_AI),
  narrowed: (_, upstreamModelName) => (upstreamModelName.includes('omni-1.2') ? NARROWED : BEFORE_1_2),
  imageParts: [],
  inputTypes: () => IMAGE_TYPES,
  hasSubstitutes: true,
  platform: (upstream) => {
    if (upstream.project !== undefined) return 'Vertex AI';
    return upstream.baseUrl === undefined ? 'Gemini API' : undefined;
  },
} as const satisfies Declaration<z.output<typeof settings>>;
