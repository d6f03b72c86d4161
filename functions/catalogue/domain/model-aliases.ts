import { isOneOf } from '../../platform/domain/text.ts';
import { IMAGE_MODEL, MODELS } from './models.ts';

const STANDARD = 'video-3.1-generate-preview';
const FAST = 'video-3.1-fast-generate-preview';
const OMNI = 'video-omni-1.2-flash';

/** Names of similar models of other services, so that their clients need not be changed. */
export const BUILT_IN_ALIASES = {
  'sora-2': FAST,
  'sora-2-2025-10-06': FAST,
  'sora-2-2025-12-08': FAST,
  'sora-2-pro': STANDARD,
  'sora-2-pro-2025-10-06': STANDARD,

  'veo-3.0-generate-001': STANDARD,
  'veo-3.0-generate-preview': STANDARD,
  'veo-3.0-fast-generate-001': FAST,
  'veo-3.0-fast-generate-preview': FAST,
  'veo-3.1': STANDARD,
  'veo-3.1-generate': STANDARD,
  'veo-3.1-generate-001': STANDARD,
  'veo-3.1-generate-preview': STANDARD,
  'veo-3.1-fast': FAST,
  'veo-3.1-fast-generate-001': FAST,
  'veo-3.1-fast-generate-preview': FAST,
  'veo-3.1-lite': FAST,
  'veo-3.1-lite-generate-001': FAST,
  'veo-3.1-lite-generate-preview': FAST,

  'gemini-omni-flash-preview': OMNI,
  'gemini-omni-1.1-flash': OMNI,
  'gemini-omni-1.1-flash-preview': OMNI,
  'gemini-omni-1.2-flash': OMNI,

  'gemini-2.5-flash-image': IMAGE_MODEL,
  'gemini-2.5-flash-image-preview': IMAGE_MODEL,
  'gemini-3-pro-image': IMAGE_MODEL,
  'gemini-3-pro-image-preview': IMAGE_MODEL,
  'gemini-3.1-flash-image': IMAGE_MODEL,
  'gemini-3.1-flash-image-preview': IMAGE_MODEL,
  'gemini-3.1-flash-lite-image': IMAGE_MODEL,
  'gemini-nano-banana-2.1': IMAGE_MODEL,
  'nano-banana-pro-preview': IMAGE_MODEL,

  'imagen-3.0-generate-002': IMAGE_MODEL,
  'imagen-4.0-generate-001': IMAGE_MODEL,
  'imagen-4.0-generate-preview-06-06': IMAGE_MODEL,
  'imagen-4.0-ultra-generate-001': IMAGE_MODEL,
  'imagen-4.0-ultra-generate-preview-06-06': IMAGE_MODEL,
  'imagen-4.0-fast-generate-001': IMAGE_MODEL,
  'imagen-4.0-fast-generate-preview-06-06': IMAGE_MODEL,

  'dall-e-2': IMAGE_MODEL,
  'dall-e-3': IMAGE_MODEL,
  'gpt-image-1': IMAGE_MODEL,
  'gpt-image-1-mini': IMAGE_MODEL,
  'gpt-image-1.5': IMAGE_MODEL,
  'gpt-image-2': IMAGE_MODEL,
  'gpt-image-2-2026-04-21': IMAGE_MODEL,
  'gpt-image-2.5-flare': IMAGE_MODEL,
  'gpt-image-2.5-flare-2026-09-08': IMAGE_MODEL,
  'gpt-image-2.5-sunburst': IMAGE_MODEL,
  'gpt-image-2.5-sunburst-2026-09-08': IMAGE_MODEL,
  'gpt-image-2.6-flare': IMAGE_MODEL,
  'gpt-image-2.6-sunburst': IMAGE_MODEL,
  'chatgpt-image-latest': IMAGE_MODEL,
} as const satisfies Readonly<Record<string, (typeof MODELS)[number]>>;

/** Maps other names to this service's model names. */
export type ModelAliases = Readonly<Record<string, string>>;

/** A name, or its beginning and `*`. */
const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

export const keepAliases = (patterns: readonly string[]): ModelAliases =>
  Object.fromEntries(
    Object.entries(BUILT_IN_ALIASES).filter(([name]) => patterns.some((pattern) => matches(pattern, name))),
  );

/** The aliases of a deployment: the built-in ones that it keeps, and its own, which take precedence. */
export type AliasSettings = { readonly builtIn: readonly string[]; readonly own: ModelAliases };
export const combineAliases = ({ builtIn, own }: AliasSettings): ModelAliases => ({
  ...keepAliases(builtIn),
  ...own,
});

/** The models of requests without one; by default, such requests are refused, as the specification requires a model. */
export type DefaultModels = { readonly video?: string | undefined; readonly image?: string | undefined };

/** How requests of a deployment can name a model. */
export type ModelNames = { readonly aliases: ModelAliases; readonly defaults: DefaultModels };

/** Aliases by model, which is shorter: a function's environment has little room. */
type NamesByModel = Readonly<Record<string, readonly string[]>>;
export const namesByModel = (aliases: ModelAliases): NamesByModel =>
  Object.fromEntries(
    [...new Set(Object.values(aliases))].map((model) => [model, aliasesFor(aliases, model)]),
  );
export const namesToModels = (names: NamesByModel): ModelAliases =>
  Object.fromEntries(Object.entries(names).flatMap(([model, all]) => all.map((name) => [name, model])));

const findAlias = (aliases: ModelAliases, name: string): string | undefined =>
  Object.hasOwn(aliases, name) ? aliases[name] : undefined;

/** Google's API lists its models as `models/NAME`; gateways put the vendor before the name. */
const PREFIXES = ['models/', 'google/', 'openai/'];
const withoutPrefix = (name: string): string[] =>
  PREFIXES.filter((prefix) => name.startsWith(prefix)).map((prefix) => name.slice(prefix.length));

/** A model or an alias without its prefix; undefined if there is no such name. */
export const findModelName = (aliases: ModelAliases, name: string): string | undefined => {
  const isKnown = (candidate: string): boolean =>
    isOneOf(MODELS, candidate) || findAlias(aliases, candidate) !== undefined;
  return isKnown(name) ? name : withoutPrefix(name).find(isKnown);
};

/** Replaces an alias by this service's name; unknown names are returned unchanged. */
export const resolveModel = (aliases: ModelAliases, name: string): string => {
  const known = findModelName(aliases, name) ?? name;
  return findAlias(aliases, known) ?? known;
};

export const aliasesFor = (aliases: ModelAliases, model: string): string[] =>
  Object.keys(aliases).filter((alias) => aliases[alias] === model);
