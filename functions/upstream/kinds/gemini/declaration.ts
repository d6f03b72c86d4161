import * as z from 'zod/mini';
import { IMAGE_TYPES } from '../../../catalogue/domain/models.ts';
import { IMAGE_NEEDS } from '../../domain/needs.ts';
import { address, type Declaration, SHARED } from '../declaration.ts';

/** Google's Gemini API, and gateways that speak its protocol. */

export const keyHeader = z._default(z.string().check(z.regex(/^[a-z0-9-]+$/)), 'x-goog-api-key');

const settings = z.object({
  ...SHARED,
  kind: z.literal('gemini'),
  baseUrl: z._default(address, 'https://generativelanguage.googleapis.com'),
  keyHeader,
});

/** Google no longer makes videos with this protocol. */
const MODELS = { 'image-3.1-flash-image-preview': { name: 'gemini-3.1-flash-image' } } as const;

// Google's own API rejected other durations, and those of gateways that speak its protocol are not documented.
const NARROWED = { lastFrameSeconds: [8] } as const;

export const gemini = {
  settings,
  models: () => MODELS,
  narrowed: () => NARROWED,
  imageParts: IMAGE_NEEDS,
  inputTypes: () => IMAGE_TYPES,
} as const satisfies Declaration<z.output<typeof settings>>;
