import { MODELS } from '../../../functions/catalogue/domain/models.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';

/** The models of the specification. */
export const [STANDARD, FAST, IMAGE] = [
  'video-3.1-generate-preview',
  'video-3.1-fast-generate-preview',
  'image-3.1-flash-image-preview',
] as const;

type Change = Partial<
  Pick<Upstream, 'models' | 'offers' | 'priority' | 'weight' | 'submitsPerMinute' | 'videosAtOnce'>
>;

/** A gateway that has the models under the same names. */
export const OWN_NAMES: Readonly<Record<string, string>> = {
  [STANDARD]: STANDARD,
  [FAST]: FAST,
  [IMAGE]: IMAGE,
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
