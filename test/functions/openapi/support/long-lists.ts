import { WEBHOOK_EVENT_TYPES } from '../../../../functions/webhooks/domain/webhooks.ts';
import { MODEL } from '../../../support/http.ts';
import { IMAGE_MODEL } from '../../../support/images/pictures.ts';
import { CHAT, EDITS, NATIVE } from '../../../support/images/requests.ts';

export const PREDICT = `/v1beta/models/${MODEL}:predictLongRunning`;
export const VIDEOS = '/v1/videos';
export const WEBHOOKS = '/v1/webhook_endpoints';

const repeat = (item: unknown, count: number): unknown[] => Array(count).fill(item);
const TEXT = { text: 'a' };
const USER = [{ parts: [TEXT] }];
const prompt = 'A fox';
const chat = (messages: unknown) => ({ model: IMAGE_MODEL, messages });
const part = { type: 'text', text: 'a' };

type Fields = Readonly<Record<string, unknown>>;
type NativeCase = readonly [path: string, body: Fields, message: string];
type OpenAiCase = readonly [path: string, body: Fields, param: string, message: string];

/** Requests with a list of so many items; each item is valid, or the first is refused. */
export const longNativeLists = (count: number): readonly NativeCase[] => {
  const many = (item: unknown, length = count) => repeat(item, length);
  return [
    [
      NATIVE,
      { contents: [{ parts: many(TEXT) }] },
      `contents[0].parts must be a list of at most 64 items, but ${count} were sent.`,
    ],
    [
      NATIVE,
      { contents: many({ parts: [TEXT] }) },
      `contents must be a list of at most 200 items, but ${count} were sent.`,
    ],
    [
      NATIVE,
      { contents: [...many({ parts: [TEXT] }, 199), { parts: many(TEXT, 65) }] },
      'contents[199].parts must be a list of at most 64 items, but 65 were sent.',
    ],
    [
      NATIVE,
      { contents: USER, system_instruction: { parts: many(TEXT) } },
      `system_instruction.parts must be a list of at most 64 items, but ${count} were sent.`,
    ],
    [
      NATIVE,
      { contents: USER, safetySettings: many({ category: 'a', threshold: 'b' }) },
      `safetySettings must be a list of at most 20 items, but ${count} were sent.`,
    ],
    [
      NATIVE,
      { contents: USER, generationConfig: { responseModalities: many('IMAGE') } },
      'generationConfig.responseModalities must be a list of TEXT, IMAGE that includes IMAGE, with at most 10 items.',
    ],
    [
      PREDICT,
      { instances: many({ prompt }) },
      'instances must have one item: each request generates one video.',
    ],
    [
      PREDICT,
      { instances: [{ prompt, referenceImages: many({}) }] },
      'instances[0].referenceImages must be at most 3 images.',
    ],
  ];
};

export const longOpenAiLists = (count: number): readonly OpenAiCase[] => {
  const many = (item: unknown, length = count) => repeat(item, length);
  return [
    [
      CHAT,
      chat(many({ role: 'user', content: 'a' })),
      'messages',
      `must be a list of at most 200 items, but ${count} were sent.`,
    ],
    [
      CHAT,
      chat([{ role: 'user', content: many(part) }]),
      'messages[0].content',
      `must be a list of at most 64 items, but ${count} were sent.`,
    ],
    [
      CHAT,
      chat([{ role: 'system', content: many(part, 65) }]),
      'messages[0].content',
      'must be a list of at most 64 items, but 65 were sent.',
    ],
    [
      CHAT,
      chat([{ role: 'assistant', images: many({}) }]),
      'messages[0].images',
      `must be a list of at most 64 items, but ${count} were sent.`,
    ],
    [
      CHAT,
      chat([{ role: 'assistant', content: '![a](data:image/png;base64,AAAA)'.repeat(65) }]),
      'messages[0].content',
      'holds 65 images, and at most 64 are accepted.',
    ],
    [
      CHAT,
      { ...chat([{ role: 'user', content: 'a' }]), modalities: many('image') },
      'modalities',
      'must be a list of text, image with at most 10 items.',
    ],
    [EDITS, { prompt: 'a', images: many({}) }, 'images', 'must be at most 10 images.'],
    [
      VIDEOS,
      { model: MODEL, prompt: 'a', metadata: { referenceImages: many({}) } },
      'metadata.referenceImages',
      `must be a list of at most 3 items, but ${count} were sent.`,
    ],
    [
      WEBHOOKS,
      { name: 'a', url: 'https://example.com', event_types: many('video.completed') },
      'event_types',
      `must be a list of at most ${WEBHOOK_EVENT_TYPES.length} items, but ${count} were sent.`,
    ],
  ];
};

/** The longest conversation that is accepted. */
export const LONGEST_CONVERSATION = {
  contents: repeat({ parts: repeat(TEXT, 64) }, 200),
  generationConfig: { imageConfig: { imageSize: '512' } },
};
