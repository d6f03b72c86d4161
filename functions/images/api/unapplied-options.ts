import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { anything, ignored, only } from '../../platform/body/schema.ts';

/** Options of text models, which chat applications send with every request. None of them changes an image. */

const NO_TOOLS = 'the model calls no tools.';

/** Accepted with any value, and named in `x-ignored-parameters`. */
export const UNAPPLIED_CHAT_OPTIONS = {
  user: ignored(anything('user-1')),
  safety_identifier: ignored(anything('user-1')),
  metadata: ignored(anything({ chat: 'a' })),
  store: ignored(anything(false)),
  service_tier: ignored(anything('auto')),
  prompt_cache_key: ignored(anything('a')),
  prompt_cache_retention: ignored(anything('24h')),
  frequency_penalty: ignored(anything(0)),
  presence_penalty: ignored(anything(0)),
  repetition_penalty: ignored(anything(1)),
  repeat_penalty: ignored(anything(1)),
  logit_bias: ignored(anything({})),
  top_k: ignored(anything(40)),
  min_p: ignored(anything(0)),
  stop: ignored(anything(['END'])),
  reasoning_effort: ignored(anything('low')),
  reasoning: ignored(anything({ effort: 'low' })),
  thinking: ignored(anything({ type: 'disabled' })),
  thinking_config: ignored(anything({ thinking_level: 'MINIMAL' })),
  verbosity: ignored(anything('low')),
  response_modalities: ignored(anything(['TEXT', 'IMAGE'])),
  parallel_tool_calls: ignored(anything(true)),
};

/** Accepted with the values that match the response. */
export const FIXED_CHAT_OPTIONS = {
  tool_choice: only(['none', 'auto'], NO_TOOLS),
  function_call: only(['none', 'auto'], NO_TOOLS),
  logprobs: only([false], 'an image has no log probabilities.'),
};

const thinkingConfig = ignored(anything({ includeThoughts: true }));

/** In `generationConfig`. */
export const UNAPPLIED_NATIVE_CONFIG = {
  thinkingConfig,
  topK: ignored(anything(40)),
  stopSequences: ignored(anything([])),
  presencePenalty: ignored(anything(0)),
  frequencyPenalty: ignored(anything(0)),
  mediaResolution: ignored(anything('MEDIA_RESOLUTION_HIGH')),
};
export const UNAPPLIED_NATIVE_OPTIONS = {
  // Some applications send it here instead of in generationConfig.
  thinkingConfig,
  model: ignored(anything(IMAGE_MODEL)),
  toolConfig: ignored(anything({})),
  labels: ignored(anything({ team: 'a' })),
  store: ignored(anything(false)),
  serviceTier: ignored(anything('standard')),
  uploadImagesToStorage: ignored(anything(true)),
};
