import { MODELS } from '../../../functions/catalogue/domain/models.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';

type Change = Partial<
  Pick<Upstream, 'models' | 'offers' | 'priority' | 'weight' | 'submitsPerMinute' | 'videosAtOnce'>
>;

/** A gateway that has the models under the same names. */
export const OWN_NAMES: Readonly<Record<string, string>> = {
  'video-3.1-generate-preview': 'video-3.1-generate-preview',
  'video-3.1-fast-generate-preview': 'video-3.1-fast-generate-preview',
  'image-3.1-flash-image-preview': 'image-3.1-flash-image-preview',
};

/** Every model, also those that the specification does not name. */
export const ALL_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  MODELS.map((model) => [model, model]),
);

/** An upstream without limits, with what a test needs to be different. */
export const anUpstream = (name: string, change: Change = {}): Upstream => ({
  name,
  kind: 'gemini',
  baseUrl: `https://${name}.test`,
  keyHeader: 'x-goog-api-key',
  models: OWN_NAMES,
  priority: 1,
  weight: 1,
  ...change,
});
