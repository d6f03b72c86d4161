import {
  CHAT,
  chatBody,
  EDITS,
  editBody,
  GENERATIONS,
  generationBody,
  NATIVE,
  nativeBody,
} from '../../support/images/requests.ts';
import { PNG } from '../../support/images.ts';
import { type Case, JSON_TYPE, shown, withField } from './case.ts';
import { HALF, NOT_CHOICE, NOT_IMAGE_TEXT, NOT_OBJECT, NOT_TEXT, NOT_WHOLE_NUMBER } from './values.ts';

type Fields = Readonly<Record<string, readonly unknown[]>>;

const NOT_NUMBER = ['x', '1', -1, 3, true, [], {}];
const PRESENT = NOT_TEXT.filter((value) => value !== null);
const NOT_LIST = [null, true, 0, 'x', '', {}, { length: 1 }, []];
const BASE64 = PNG.toString('base64');

const user = (content: unknown) => [{ role: 'user', content }];
const system = (config: object) => [
  { role: 'system', content: JSON.stringify(config) },
  { role: 'user', content: 'a fox' },
];

const CHAT_FIELDS: Fields = {
  model: [null, ...NOT_CHOICE, 'video-3.1-generate-preview'],
  messages: [
    ...NOT_LIST,
    ...[null, 1, 'x', [], {}, { role: 'user' }, { content: 'x' }].map((message) => [message]),
    ...['', 'tool', 'User', 'model', 1, null, {}].map((role) => [{ role, content: 'x' }]),
    ...[null, 1, true, {}, '', ' ', HALF, [null], [1], ['x'], [{}]].map(user),
    ...['input_audio', 'file', 1, null].map((type) => user([{ type, text: 'x' }])),
    ...[null, 1, {}, HALF].map((text) => user([{ type: 'text', text }])),
    ...[...NOT_IMAGE_TEXT, null, 1, {}, []].map((url) => user([{ type: 'image_url', image_url: { url } }])),
    ...[null, 1, [], 'x', {}].map((image_url) => user([{ type: 'image_url', image_url }])),
    ...[1, 'x', {}, [1], [{}]].map((images) => [{ role: 'assistant', content: 'x', images }, ...user('x')]),
    [{ role: 'assistant', content: '![image](data:image/png;base64,AAAA)' }, ...user('x')],
    [{ role: 'assistant', content: 'x' }],
    [{ role: 'system', content: 'x' }],
    system({ aspectRatio: 'x' }),
    system({ imageConfig: { imageSize: '3K' } }),
    system({ imageConfig: 1 }),
  ],
  n: [0, 2, '1', true, [], {}],
  stream: [0, 1, 'true', [], {}],
  stream_options: NOT_OBJECT,
  'stream_options.include_usage': [1, 'true', []],
  max_tokens: [0, ...NOT_WHOLE_NUMBER],
  unheard: [0, 'x', {}],
  max_completion_tokens: [0, '', -1, {}],
  temperature: NOT_NUMBER,
  top_p: [...NOT_NUMBER, 1.1],
  seed: ['x', 1.5, true, 2 ** 31, {}],
  modalities: ['image', 1, {}, [], ['text'], ['audio'], [1], ['image', null]],
  extra_body: NOT_OBJECT,
  imageConfig: NOT_OBJECT,
  'extra_body.imageConfig': NOT_OBJECT,
  'extra_body.google': NOT_OBJECT,
  'imageConfig.aspectRatio': [...NOT_CHOICE, '16:10'],
  'imageConfig.imageSize': [...NOT_CHOICE, '3K', '512px'],
  'extra_body.google.image_config.image_size': NOT_CHOICE,
};

const parts = (part: unknown) => [{ parts: [part] }];

const NATIVE_FIELDS: Fields = {
  contents: [
    ...NOT_LIST,
    ...[null, 1, 'x', [], {}, { parts: null }, { parts: [] }, { parts: {} }].map((turn) => [turn]),
    ...['', 'system', 1, {}].map((role) => [{ role, parts: [{ text: 'x' }] }]),
    [{ role: 'model', parts: [{ text: 'x' }] }],
    ...[null, 1, 'x', [], {}, { text: 1 }, { text: '' }, { text: ' ' }, { text: HALF }].map(parts),
    ...[1, 'x', [], {}, { mimeType: 'image/png' }].map((inlineData) => parts({ inlineData })),
    ...['', '!', 'AAAA', 1, {}].map((data) => parts({ inlineData: { data, mimeType: 'image/png' } })),
    parts({ inlineData: { data: BASE64, mimeType: 1 } }),
    parts({ fileData: { fileUri: 'https://example.com/fox.png' } }),
    parts({ thought: true, text: 'x' }),
  ],
  generationConfig: NOT_OBJECT,
  'generationConfig.responseModalities': [1, 'image', [], {}, ['text'], ['audio'], [null], [1]],
  'generationConfig.imageConfig': NOT_OBJECT,
  'generationConfig.imageConfig.aspectRatio': [...NOT_CHOICE, '16:10'],
  'generationConfig.imageConfig.imageSize': [...NOT_CHOICE, '3K'],
  'generationConfig.candidateCount': [0, 2, '1', true, {}],
  'generationConfig.maxOutputTokens': [0, ...NOT_WHOLE_NUMBER],
  'generationConfig.temperature': NOT_NUMBER,
  'generationConfig.topP': NOT_NUMBER,
  'generationConfig.unheard': [0, 'x', {}],
  'generationConfig.responseMimeType': ['application/json', 'x', 1, {}],
  'generationConfig.seed': ['x', 1.5, true, 2 ** 31],
  systemInstruction: [
    ...NOT_OBJECT,
    {},
    { parts: [] },
    { parts: 'x' },
    ...[1, {}, 'x', { text: 1 }, ...PRESENT.slice(0, 2)].map((part) => ({ parts: [part] })),
  ],
};

const IMAGES_FIELDS: Fields = {
  model: [...NOT_CHOICE.filter((value) => value !== ''), 'video-3.1-generate-preview'],
  prompt: [null, ' ', '\n', HALF, 1, true, [], ['x'], {}, 'x'.repeat(32_001)],
  size: [...NOT_CHOICE, '300x256', '1024x1024 ', '0x0', '16:10'],
  n: [0, 11, -1, 1.5, '01', '', true, [], {}],
  stream: [0, 1, '', 'TRUE', [], {}],
  quality: [...NOT_CHOICE, 'ultra'],
  moderation: NOT_CHOICE,
  style: NOT_CHOICE,
  input_fidelity: NOT_CHOICE,
  steps: [1, '', 'x', {}],
  output_format: [...NOT_CHOICE, 'gif'],
  response_format: [...NOT_CHOICE, 'file'],
  background: [...NOT_CHOICE, 'transparent'],
  partial_images: [-1, 4, '', 1.5, true, [], {}],
  output_compression: [-1, 1.5, 101, '', true, [], {}],
  seed: [...NOT_WHOLE_NUMBER, 2 ** 31],
  mask: [0, '', false, 'x', [], {}],
  imageConfig: NOT_OBJECT,
  'imageConfig.image_size': NOT_CHOICE,
  aspect_ratio: [...NOT_CHOICE, '16:10'],
  image_size: [...NOT_CHOICE, '3K'],
};
const EDIT_FIELDS: Fields = {
  ...IMAGES_FIELDS,
  images: [
    null,
    [],
    [[]],
    ...[...NOT_IMAGE_TEXT, 1, true, {}].flatMap((image) => [image, [image], [{ image_url: image }]]),
  ],
};

const toCases = (family: Case['family'], path: string, base: object, fields: Fields): Case[] =>
  Object.entries(fields).flatMap(([field, values]) =>
    values.map((value) => ({
      title: `POST ${path} with ${field} ${shown(value)}`,
      family,
      method: 'POST',
      path,
      headers: JSON_TYPE,
      body: JSON.stringify(withField(base, field, value)),
      statuses: field === 'model' ? [400, 404] : [400],
    })),
  );

export const IMAGE_CASES: readonly Case[] = [
  ...toCases('openAi', CHAT, chatBody('a fox'), CHAT_FIELDS),
  ...toCases('openAi', GENERATIONS, generationBody('a fox'), IMAGES_FIELDS),
  ...toCases('openAi', EDITS, editBody('a fox'), EDIT_FIELDS),
  ...toCases('native', NATIVE, nativeBody('a fox'), NATIVE_FIELDS),
];
