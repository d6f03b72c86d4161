import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import type { OptionStyle } from '../../../functions/upstream/kinds/openai/declaration.ts';

/** An upstream of each kind with the default names of its models. */

type Change = Partial<Pick<Upstream, 'name' | 'models' | 'offers'>>;

const shared = { models: {}, priority: 1, weight: 1 } as const;

export const aGeminiApi = (change: Change = {}): Upstream => ({
  ...shared,
  name: 'gemini',
  kind: 'gemini',
  baseUrl: 'https://gemini.test',
  keyHeader: 'x-goog-api-key',
  ...change,
});

export const aVertex = (change: Change = {}): Upstream => ({
  ...shared,
  name: 'vertex',
  kind: 'vertex',
  project: 'project',
  location: 'us-central1',
  ...change,
});

/** Gemini Omni, at the Gemini API unless `project` is given. */
export const anInteractionsApi = (
  change: Change & { readonly project?: string; readonly baseUrl?: string | undefined } = {},
): Upstream => ({
  ...shared,
  name: 'omni',
  kind: 'interactions',
  keyHeader: 'x-goog-api-key',
  location: 'global',
  baseUrl: 'https://omni.test',
  ...change,
});

export const anOpenRouter = (change: Change = {}): Upstream => ({
  ...shared,
  name: 'openrouter',
  kind: 'openrouter',
  baseUrl: 'https://openrouter.test/api/v1',
  ...change,
});

/** A server of the Videos API, which makes no images unless `models` names the image model. */
export const aVideosApi = (options: OptionStyle, change: Change = {}): Upstream => ({
  ...shared,
  name: 'openai',
  kind: 'openai',
  baseUrl: 'https://openai.test/v1',
  options,
  ...change,
});

/** One upstream of each kind, and the platforms that it can be on. */
export const ALL_KINDS: readonly Upstream[] = [
  aGeminiApi(),
  aVertex(),
  anInteractionsApi(),
  anInteractionsApi({ project: 'project' }),
  anOpenRouter(),
  aVideosApi('none'),
];
