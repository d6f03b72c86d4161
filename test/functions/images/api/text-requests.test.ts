import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../../functions/catalogue/domain/models.ts';
import { readNativeRequest } from '../../../../functions/images/api/native-image.ts';
import { readChatRequest } from '../../../../functions/images/api/read-chat-request.ts';
import { type ChatChores, isTaskPrompt } from '../../../../functions/images/api/text-requests.ts';
import { dataUri, PNG } from '../../../support/images.ts';

const URI = dataUri(PNG, 'image/png');
const message = { role: 'user', content: 'Suggest a title for this chat.' };
const chat = (fields: object, messages: readonly object[] = [message], chores: ChatChores = 'accept') =>
  readChatRequest({ model: IMAGE_MODEL, messages, ...fields }, chores);
const native = (generationConfig: object, more: object = {}, chores: ChatChores = 'accept') =>
  readNativeRequest(
    IMAGE_MODEL,
    {
      contents: [{ parts: [{ text: 'Suggest a title for this chat.' }] }],
      generationConfig,
      ...more,
    },
    chores,
  );
/** With the setting `chatChores: refuse`. */
const chore = (fields: object, messages: readonly object[] = [message]) => chat(fields, messages, 'refuse');
const nativeChore = (config: object, more: object = {}) => native(config, more, 'refuse');

describe('a request for text is rejected, and names the setting to change', () => {
  const TASKS = /title, tags.*choose a text model/;
  const CASES: readonly (readonly [read: () => unknown, param: string, message: RegExp])[] = [
    [() => chore({ stream: false, max_tokens: 1000 }), 'max_tokens', TASKS],
    [() => chore({ stream: false, max_completion_tokens: 1000 }), 'max_completion_tokens', TASKS],
    [() => chore({ max_tokens: 4096, max_completion_tokens: 16 }), 'max_completion_tokens', TASKS],
    [() => chore({ max_tokens: 1119 }), 'max_tokens', /at least 1120/],
    [() => chat({ max_tokens: 5, modalities: ['text'] }), 'modalities', TASKS],
    [() => chat({ modalities: [] }), 'modalities', TASKS],
    [() => chat({ response_format: { type: 'json_object' } }), 'response_format.type', TASKS],
    [
      () => chat({ response_format: { type: 'json_schema', json_schema: { name: 'title', schema: {} } } }),
      'response_format.type',
      TASKS,
    ],
    [() => chat({ tools: [{ type: 'function', function: { name: 'f' } }] }), 'tools', /Turn off .*tools/],
    [() => chat({ functions: [{ name: 'f' }] }), 'functions', /calls no tools/],
    [() => chat({ tool_choice: 'required' }), 'tool_choice', /none, auto/],
    [() => nativeChore({ maxOutputTokens: 20 }), 'generationConfig.maxOutputTokens', TASKS],
    [() => nativeChore({ max_output_tokens: 1119 }), 'generationConfig.max_output_tokens', /at least 1120/],
    [() => native({ responseMimeType: 'application/json' }), 'generationConfig.responseMimeType', TASKS],
    [() => native({ responseSchema: { type: 'OBJECT' } }), 'generationConfig.responseSchema', TASKS],
    [() => native({ response_json_schema: {} }), 'generationConfig.response_json_schema', TASKS],
    [() => native({}, { tools: [{ googleSearch: {} }] }), 'tools', /calls no tools/],
  ];
  for (const [read, param, says] of CASES)
    test(`${param} ${String(read).slice(6, 90)}`, () =>
      assert.throws(read, { name: 'DomainError', code: 'invalid_request', param, message: says }));
});

describe('a request for an image is accepted, also by a deployment that refuses chores', () => {
  const CONFIG = { aspectRatio: '1:1' };
  const CASES: readonly (() => unknown)[] = [
    () => chore({}),
    () => chore({ stream: false }),
    () => chore({ max_tokens: 1120 }),
    () => chore({ max_tokens: 100, imageConfig: CONFIG }),
    () => chore({ max_tokens: 100, extra_body: { imageConfig: CONFIG } }),
    () => chore({ max_tokens: 100, extra_body: { google: { image_config: CONFIG } } }),
    () => chore({ max_tokens: 100 }, [{ role: 'system', content: JSON.stringify(CONFIG) }, message]),
    () => chore({ max_tokens: 100, modalities: ['text', 'image'] }),
    () => chore({ response_format: { type: 'text' }, tools: [], tool_choice: 'auto', logprobs: false }),
    () => chore({}, [message, { role: 'assistant', content: TASKS[0] }]),
    () => nativeChore({}),
    () => nativeChore({ maxOutputTokens: 1120, responseMimeType: 'text/plain' }),
    () => nativeChore({ maxOutputTokens: 20, responseModalities: ['IMAGE'] }),
    () => nativeChore({ maxOutputTokens: 20, imageConfig: CONFIG }),
  ];
  for (const read of CASES) test(String(read).slice(6), () => assert.ok(read()));
});

/** Options of text models that chat applications send with every request. */
const CHAT_OPTIONS = [
  ...['user', 'safety_identifier', 'metadata', 'store', 'service_tier', 'prompt_cache_key'],
  ...['prompt_cache_retention', 'frequency_penalty', 'presence_penalty', 'repetition_penalty'],
  ...['repeat_penalty', 'logit_bias', 'top_k', 'min_p', 'stop', 'reasoning_effort', 'reasoning', 'thinking'],
  ...['thinking_config', 'verbosity', 'response_modalities', 'parallel_tool_calls'],
];
const NATIVE_CONFIG = [
  ...['thinkingConfig', 'topK', 'stopSequences', 'presencePenalty', 'frequencyPenalty', 'mediaResolution'],
];
const NATIVE_OPTIONS = ['toolConfig', 'labels', 'store', 'serviceTier', 'uploadImagesToStorage'];

test('options of text models are accepted and named', () => {
  const fill = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'x']));
  const chatBody = { model: IMAGE_MODEL, messages: [message], ...fill(CHAT_OPTIONS) };
  assert.deepEqual(readChatRequest(chatBody).ignored.toSorted(), CHAT_OPTIONS.toSorted());
  const nativeBody = {
    contents: [{ parts: [{ text: 'A fox' }] }],
    generationConfig: fill(NATIVE_CONFIG),
    ...fill(NATIVE_OPTIONS),
  };
  assert.deepEqual(
    readNativeRequest(IMAGE_MODEL, nativeBody).ignored.toSorted(),
    [...NATIVE_CONFIG.map((name) => `generationConfig.${name}`), ...NATIVE_OPTIONS].toSorted(),
  );
});

describe('a chat message', () => {
  const user = (fields: object) => [{ ...message, ...fields }];
  test('has no image that is not read', () => {
    for (const [messages, param] of [
      [user({ images: [PNG.toString('base64')] }), 'messages[0].images'],
      [user({ attachments: [{ url: URI }] }), 'messages[0].attachments'],
      [user({ image_url: URI }), 'messages[0].image_url'],
      [
        user({ content: [{ type: 'text', text: 'x', image_url: { url: URI } }] }),
        'messages[0].content[0].image_url',
      ],
      [
        user({ content: [{ type: 'image_url', image_url: { url: URI, mask: {} } }] }),
        'messages[0].content[0].image_url.mask',
      ],
    ] as const)
      assert.throws(() => chat({}, messages), { code: 'unknown_parameter', param });
  });

  test('may have fields without an effect, which are named', () => {
    const part = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
    const image = { type: 'image_url', image_url: { url: URI, detail: 'auto' } };
    const body = {
      model: IMAGE_MODEL,
      messages: [
        { role: 'user', content: [part, image], name: 'ann', id: 7 },
        { role: 'assistant', content: 'x', tool_calls: [], reasoning_content: '', annotations: [{}] },
        { role: 'user', content: 'y', name: 'ann' },
      ],
      user: 'u',
      stop: null,
      top_k: 40,
      stream_options: { include_obfuscation: false },
    };
    assert.deepEqual(readChatRequest(body).ignored, [
      'user',
      'top_k',
      'messages[].name',
      'messages[].id',
      'messages[].content[].cache_control',
      'messages[].content[].image_url.detail',
      'messages[].tool_calls',
      'messages[].reasoning_content',
      'messages[].annotations',
      'stream_options.include_obfuscation',
    ]);
  });
});

describe('an unknown field is rejected with the one to send', () => {
  const ADVICE = [
    ['size quality width height aspect_ratio image_size generation_config', /send imageConfig/],
    ['image images image_url image_urls files', /image_url parts/],
    ['prompt input', /send messages/],
  ] as const;
  const CASES: readonly (readonly [read: () => unknown, param: string, message: RegExp])[] = [
    ...ADVICE.flatMap(([names, advice]) =>
      names.split(' ').map((name) => [() => chat({ [name]: [URI] }), name, advice] as const),
    ),
    [() => chat({ extra_body: { size: '2K' } }), 'extra_body.size', /send imageConfig/],
    [() => chat({ imageConfig: { aspect: '1:1' } }), 'imageConfig.aspect', /aspectRatio, imageSize/],
    [() => chat({ web_search_options: {} }), 'web_search_options', /Accepted here: model, n, modalities/],
    [() => native({ imagesConfig: {} }), 'generationConfig.imagesConfig', /Did you mean imageConfig/],
    [() => native({}, { content: [] }), 'content', /Did you mean contents/],
  ];
  for (const [read, param, says] of CASES)
    test(param, () => assert.throws(read, { code: 'unknown_parameter', param, message: says }));
});

const TASKS = [
  '### Task:\nGenerate 1-3 broad tags.\n### Output:\nJSON format: { "tags": ["tag1"] }',
  'Provide a concise, 5-word-or-less title for the conversation, using title case conventions.',
  'Analyze this conversation and provide:\n1. The detected language\n2. A concise title',
  'Based on the chat history, give this conversation a name.\nKeep it short.',
  '\nPlease generate a four to five word title summarizing our conversation without any lead-in.',
  '使用四到五个字直接返回这句话的简要主题，不要解释',
  'You are an AI conversation titles assistant who specializes in chat titles.',
  'Summarize this conversation as a handoff briefing',
  'Summarize the discussion briefly in 200 words or less to use as a prompt for future context.',
  '简要总结一下对话内容，用作后续的上下文提示 prompt',
  'Summarize the conversation into a title',
  'Summarize the given session as a 10-word title',
  'You are a professional conversation summarizer.',
];

/** The first two begin like a task, the others contain the words of one. */
const PICTURES = [
  '### Task:\nRespond to the user query using the provided context: a fox',
  'Analyze this conversation and provide: a drawing of it',
  'A poster that says: Provide a concise, 5-word-or-less title for the conversation',
  'A book cover with the title "Generate a concise title"',
  'Summarize the conversation as a comic',
  '',
];

describe('a prompt of a chat application', () => {
  for (const prompt of TASKS)
    test(`is recognized: ${prompt.trim().slice(0, 50)}`, () => assert.ok(isTaskPrompt(prompt)));
});

describe('a prompt for a picture', () => {
  for (const prompt of PICTURES)
    test(`is left alone: ${prompt.slice(0, 50)}`, () => assert.ok(!isTaskPrompt(prompt)));
});

describe('without the setting, the text is the prompt, and a limit of tokens is not applied', () => {
  for (const text of TASKS)
    test(text.trim().slice(0, 50), () => {
      assert.ok(chat({}, [{ role: 'user', content: text }]));
      assert.throws(() => chore({}, [{ role: 'user', content: text }]), { param: 'messages' });
      assert.throws(() => chore({}, [{ role: 'system', content: text }, message]), { param: 'messages' });
      const contents = [{ parts: [{ text }] }];
      assert.ok(native({}, { contents }));
      assert.throws(() => nativeChore({}, { contents }), { param: 'contents' });
      const systemInstruction = { parts: [{ text }] };
      assert.throws(() => nativeChore({}, { systemInstruction }), { param: 'contents' });
    });

  test('every positive whole number of tokens is accepted and named', () => {
    for (const most of [1, 5, 1119, 1120, 32_768]) {
      assert.deepEqual(chat({ max_tokens: most }).ignored, ['max_tokens']);
      assert.deepEqual(chat({ max_completion_tokens: most }).ignored, ['max_completion_tokens']);
      assert.deepEqual(native({ maxOutputTokens: most }).ignored, ['generationConfig.maxOutputTokens']);
    }
    for (const most of [0, -1, 1.5, 'many'])
      assert.throws(() => chat({ max_tokens: most }), { code: 'invalid_request', param: 'max_tokens' });
  });
});
