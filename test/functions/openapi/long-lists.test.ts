import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import { readNativeRequest } from '../../../functions/images/api/native-image.ts';
import { readChatRequest } from '../../../functions/images/api/read-chat-request.ts';
import { readEditImages } from '../../../functions/images/api/read-images-request.ts';
import type { BodyFields } from '../../../functions/platform/body/fields.ts';
import { parseBody } from '../../../functions/platform/body/parse.ts';
import { readNativeVideoDraft } from '../../../functions/videos/api/native-video.ts';
import { readVideoDraft } from '../../../functions/videos/api/read-video-request.ts';
import { newEndpointSchema } from '../../../functions/webhooks/api/webhook-schema.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../functions/webhooks/domain/webhooks.ts';
import { MODEL } from '../../support/http.ts';

const prompt = 'A fox';
const TEXT = { text: 'a' };
const USER = { role: 'user', content: 'a' };
const contents = [{ parts: [TEXT] }];
const part = { type: 'text', text: 'a' };
/** As many items as fit into a request. */
const COUNT = 300_000;
const many = (item: unknown, count = COUNT): unknown[] => Array(count).fill(item);
const most = (limit: number, sent = COUNT) =>
  `must be a list of at most ${limit} items, but ${sent} were sent.`;

const native = (body: BodyFields) => readNativeRequest(IMAGE_MODEL, body);
const predict = (instance: object) => readNativeVideoDraft(MODEL, { instances: [{ prompt, ...instance }] });
const chat = (messages: unknown, fields: object = {}) =>
  readChatRequest({ model: IMAGE_MODEL, messages, ...fields });
const edit = (fields: object) => readEditImages({ model: IMAGE_MODEL, prompt, ...fields });
const create = (fields: object) => readVideoDraft({ model: MODEL, prompt, ...fields });
const subscribe = (event_types: unknown) =>
  parseBody(newEndpointSchema, {
    name: 'a',
    url: 'https://example.com',
    event_types,
  });

/** Requests with a list of so many items; each item is valid, or the first is refused. */
const REFUSED: readonly (readonly [param: string, problem: string, read: () => unknown])[] = [
  ['contents[0].parts', most(64), () => native({ contents: [{ parts: many(TEXT) }] })],
  ['contents', most(200), () => native({ contents: many({ parts: [TEXT] }) })],
  [
    'contents[199].parts',
    most(64, 65),
    () => native({ contents: [...many({ parts: [TEXT] }, 199), { parts: many(TEXT, 65) }] }),
  ],
  [
    'system_instruction.parts',
    most(64),
    () => native({ contents, system_instruction: { parts: many(TEXT) } }),
  ],
  ['safetySettings', most(20), () => native({ contents, safetySettings: many({ category: 'a' }) })],
  [
    'generationConfig.responseModalities',
    'must be a list of TEXT, IMAGE that includes IMAGE, with at most 10 items.',
    () => native({ contents, generationConfig: { responseModalities: many('IMAGE') } }),
  ],
  [
    'instances',
    'must have one item: each request generates one video.',
    () => readNativeVideoDraft(MODEL, { instances: many({ prompt }) }),
  ],
  ['instances[0].referenceImages', 'must be at most 3 images.', () => predict({ referenceImages: many({}) })],
  ['messages', most(200), () => chat(many(USER))],
  ['messages[0].content', most(64), () => chat([{ role: 'user', content: many(part) }])],
  ['messages[0].content', most(64, 65), () => chat([{ role: 'system', content: many(part, 65) }])],
  ['messages[0].images', most(64), () => chat([{ role: 'assistant', images: many({}) }])],
  [
    'messages[0].content',
    'holds 65 images, and at most 64 are accepted.',
    () => chat([{ role: 'assistant', content: '![a](data:image/png;base64,AAAA)'.repeat(65) }]),
  ],
  [
    'modalities',
    'must be a list of text, image with at most 10 items.',
    () => chat([USER], { modalities: many('image') }),
  ],
  ['images', 'must be at most 10 images.', () => edit({ images: many({}) })],
  ['metadata.referenceImages', most(3), () => create({ metadata: { referenceImages: many({}) } })],
  ['event_types', most(WEBHOOK_EVENT_TYPES.length), () => subscribe(many('video.completed'))],
];

describe('a list that is too long is refused by its name and limit:', () => {
  for (const [param, problem, read] of REFUSED)
    test(`${param} ${problem}`, () =>
      assert.throws(read, { code: 'invalid_request', param, message: `${param} ${problem}` }));
});

test('a conversation of 200 turns with 64 parts in each is accepted', () => {
  assert.ok(native({ contents: many({ parts: many(TEXT, 64) }, 200) }));
});
