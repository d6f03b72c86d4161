import type { MODELS } from '../../catalogue/domain/models.ts';
import type { Upstream } from './upstreams.ts';

type Model = (typeof MODELS)[number];

/**
 * The names of our models at each kind of upstream. A model without one is not offered there: Google's Gemini API no
 * longer makes videos with this protocol, and the names at other servers are theirs to choose.
 */
export const DEFAULT_NAMES = {
  gemini: { 'image-3.1-flash-image-preview': 'gemini-3.1-flash-image' },
  vertex: {
    'video-3.1-generate-preview': 'veo-3.1-generate-001',
    'video-3.1-fast-generate-preview': 'veo-3.1-fast-generate-001',
    'image-3.1-flash-image-preview': 'gemini-3.1-flash-image',
  },
  interactions: { 'video-omni-1.2-flash': 'gemini-omni-1.2-flash' },
  openrouter: {
    'video-3.1-generate-preview': 'google/veo-3.1',
    'video-3.1-fast-generate-preview': 'google/veo-3.1-fast',
    'image-3.1-flash-image-preview': 'google/gemini-3.1-flash-image',
  },
  openai: {
    'video-3.1-generate-preview': 'video-3.1-generate-preview',
    'video-3.1-fast-generate-preview': 'video-3.1-fast-generate-preview',
  },
} as const satisfies Record<Upstream['kind'], Partial<Record<Model, string>>>;

/** Vertex AI has other names for the models of the Interactions API than the Gemini API. */
const VERTEX_INTERACTIONS = { 'video-omni-1.2-flash': 'gemini-omni-1.1-flash-preview' } as const;

type Named = Pick<Upstream, 'kind' | 'models'> & { readonly project?: string | undefined };

const defaultNames = ({ kind, project }: Named): Readonly<Record<string, string>> =>
  kind === 'interactions' && project !== undefined ? VERTEX_INTERACTIONS : DEFAULT_NAMES[kind];

/** The upstream's model that answers under the name of ours although it is another one, by the operator's choice. */
export const substituteModel = (upstream: Named, model: string): string | undefined =>
  upstream.kind === 'interactions' && !Object.hasOwn(DEFAULT_NAMES.interactions, model)
    ? theirName(upstream, model)
    : undefined;

/** Undefined if the upstream does not offer the model. */
export const theirName = (upstream: Named, model: string): string | undefined => {
  const given = upstream.models[model];
  return given === undefined ? defaultNames(upstream)[model] : (given ?? undefined);
};
