type ImageOutcome = 'made' | readonly [param: string, says: RegExp];

export const CHAT_OPTIONS: readonly (readonly [Readonly<Record<string, unknown>>, ImageOutcome])[] = [
  [{ tools: [], response_format: { type: 'text' }, n: 1, user: 'u', safety_identifier: 's' }, 'made'],
  [{ tools: null, response_format: null, metadata: { any: 'thing' }, tool_choice: 'none' }, 'made'],
  [{ tools: [{ type: 'function', function: { name: 'f' } }] }, ['tools', /calls no tools/]],
  [{ tools: {} }, ['tools', /not supported/]],
  [{ functions: [{ name: 'f' }] }, ['functions', /not supported/]],
  [{ response_format: { type: 'json_object' } }, ['response_format.type', /must be text/]],
  [{ response_format: { type: 'json_schema', json_schema: {} } }, ['response_format.type', /must be text/]],
  [{ response_format: {} }, ['response_format.type', /must be text/]],
  [{ response_format: 'text' }, ['response_format', /object/]],
  [{ n: 2 }, ['n', /must be 1/]],
];

const HARASSMENT = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' };

export const NATIVE_OPTIONS: readonly (readonly [Readonly<Record<string, unknown>>, ImageOutcome])[] = [
  [{ safetySettings: [HARASSMENT], tools: [], labels: { team: 'a' } }, 'made'],
  [{ tools: [{ googleSearch: {} }] }, ['tools', /calls no tools/]],
  [{ cachedContent: 'cachedContents/1' }, ['cachedContent', /send the contents themselves/]],
  [{ cached_content: 'cachedContents/1' }, ['cached_content', /send the contents themselves/]],
  [{ safetySettings: [{ category: 'x' }] }, ['safetySettings[0].threshold', /is required/]],
];
