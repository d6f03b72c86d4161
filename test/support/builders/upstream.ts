import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';

type Change = Partial<Pick<Upstream, 'models' | 'priority' | 'weight' | 'submitsPerMinute' | 'videosAtOnce'>>;

/** An upstream without limits, with what a test needs to be different. */
export const anUpstream = (name: string, change: Change = {}): Upstream => ({
  name,
  kind: 'gemini',
  baseUrl: `https://${name}.test`,
  keyHeader: 'x-goog-api-key',
  models: {},
  priority: 1,
  weight: 1,
  ...change,
});
