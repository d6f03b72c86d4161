import { IMAGE_MODEL, type MODELS, VIDEO_MODELS } from './models.ts';

const [STANDARD, FAST] = VIDEO_MODELS;

/** Names of other services for models like ours, so that their clients need not change them. */
export const DEFAULT_ALIASES = {
  'sora-2': FAST,
  'sora-2-2025-10-06': FAST,
  'sora-2-2025-12-08': FAST,
  'sora-2-pro': STANDARD,
  'sora-2-pro-2025-10-06': STANDARD,
  'veo-3.1-generate-preview': STANDARD,
  'veo-3.1-generate-001': STANDARD,
  'veo-3.1-fast-generate-preview': FAST,
  'veo-3.1-fast-generate-001': FAST,
  'gemini-3.1-flash-image-preview': IMAGE_MODEL,
  'gemini-3.1-flash-image': IMAGE_MODEL,
  'gpt-image-1': IMAGE_MODEL,
  'gpt-image-1-mini': IMAGE_MODEL,
  'gpt-image-1.5': IMAGE_MODEL,
} as const satisfies Readonly<Record<string, (typeof MODELS)[number]>>;

/** Other names of models, each with the name that it stands for. */
export type ModelAliases = Readonly<Record<string, string>>;

/** Our name of the model that a request names; a name that is no alias stays as it is. */
export const resolveModel = (aliases: ModelAliases, name: string): string =>
  (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name;

export const aliasesOf = (aliases: ModelAliases, model: string): string[] =>
  Object.keys(aliases).filter((alias) => aliases[alias] === model);
