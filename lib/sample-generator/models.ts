import type { Generator } from './exchange.ts';
import type { Medium } from './test-prompts.ts';

// Every model of these families is accepted.
const FAMILIES: Readonly<Record<Medium, (model: string) => boolean>> = {
  video: (model) => /^(?:veo|video|gemini-omni)-[\w.-]+$/.test(model),
  image: (model) => model.includes('image') && /^[\w.-]+$/.test(model),
};

export const isInFamily = (medium: Medium, model: string): boolean => FAMILIES[medium](model);

/** The families in lists of models: the names of this service and Google's. */
const LISTED: Readonly<Record<Medium, readonly string[]>> = {
  video: [
    'video-3.1-generate-preview',
    'video-3.1-fast-generate-preview',
    'veo-3.1-generate-001',
    'veo-3.1-fast-generate-001',
    'gemini-omni-1.2-flash',
    'gemini-omni-1.1-flash',
  ],
  image: ['image-3.1-flash-image-preview', 'gemini-3.1-flash-image'],
};

/** The replacement that the upstream names for a model that has been shut down; undefined if it has not. */
export const findRetirement = (
  { limits }: Generator,
  model: string,
): { readonly replacement: string | null } | undefined => {
  const { retired = {} } = limits.current();
  return Object.hasOwn(retired, model) ? { replacement: retired[model] ?? null } : undefined;
};

export const isRetired = (generator: Generator, model: string): boolean =>
  findRetirement(generator, model) !== undefined;

export const listModels = (generator: Generator) =>
  [
    ...LISTED.video.map((model) => ({ model, medium: 'video' as const })),
    ...LISTED.image.map((model) => ({ model, medium: 'image' as const })),
  ].filter(({ model }) => !isRetired(generator, model));

/** What the metadata endpoints tell about one model; undefined if it is unknown or has been shut down. */
export const findModel = (generator: Generator, model: string): { readonly medium: Medium } | undefined => {
  if (isRetired(generator, model)) return undefined;
  if (isInFamily('video', model)) return { medium: 'video' };
  return isInFamily('image', model) ? { medium: 'image' } : undefined;
};
