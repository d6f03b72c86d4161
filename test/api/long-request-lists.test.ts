import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, MODEL, readError } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { bearer, CHAT, EDITS, NATIVE, post, vendor } from '../support/images/requests.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

/** A list that fills most of a request; each of its items is valid, or the first is refused. */
const many = (item: unknown, count = 300_000): unknown[] => Array(count).fill(item);
const TEXT = { text: 'a' };
const USER = [{ parts: [TEXT] }];

describe('a list that is too long is refused in the native form, by its name and limit:', () => {
  const VIDEO = `/v1beta/models/${MODEL}:predictLongRunning`;
  const prompt = 'A fox';
  const CASES: readonly (readonly [path: string, body: unknown, message: string])[] = [
    [
      NATIVE,
      { contents: [{ parts: many(TEXT) }] },
      'contents[0].parts must be a list of at most 64 items, but 300000 were sent.',
    ],
    [
      NATIVE,
      { contents: many({ parts: [TEXT] }, 100_000) },
      'contents must be a list of at most 200 items, but 100000 were sent.',
    ],
    [
      NATIVE,
      { contents: [...many({ parts: [TEXT] }, 199), { parts: many(TEXT, 65) }] },
      'contents[199].parts must be a list of at most 64 items, but 65 were sent.',
    ],
    [
      NATIVE,
      { contents: USER, system_instruction: { parts: many(TEXT) } },
      'system_instruction.parts must be a list of at most 64 items, but 300000 were sent.',
    ],
    [
      NATIVE,
      { contents: USER, safetySettings: many({ category: 'a', threshold: 'b' }, 100_000) },
      'safetySettings must be a list of at most 20 items, but 100000 were sent.',
    ],
    [
      NATIVE,
      { contents: USER, generationConfig: { responseModalities: many('IMAGE') } },
      'generationConfig.responseModalities must be a list of TEXT, IMAGE that includes IMAGE, with at most 10 items.',
    ],
    [
      VIDEO,
      { instances: many({ prompt }, 200_000) },
      'instances must have one item: each request generates one video.',
    ],
    [
      VIDEO,
      { instances: [{ prompt, referenceImages: many({}) }] },
      'instances[0].referenceImages must be at most 3 images.',
    ],
  ];
  for (const [path, body, message] of CASES)
    test(message, async () => {
      const answer = await post(service, path, vendor(service.apiKey), body);
      assert.deepEqual(answer.body, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
      assert.equal(answer.status, 400);
    });
});

describe('a list that is too long is refused in the OpenAI form, by its name and limit:', () => {
  const chat = (messages: unknown) => ({ model: IMAGE_MODEL, messages });
  const part = { type: 'text', text: 'a' };
  const CASES: readonly (readonly [path: string, body: unknown, param: string, message: string])[] = [
    [
      CHAT,
      chat(many({ role: 'user', content: 'a' }, 150_000)),
      'messages',
      'must be a list of at most 200 items, but 150000 were sent.',
    ],
    [
      CHAT,
      chat([{ role: 'user', content: many(part, 150_000) }]),
      'messages[0].content',
      'must be a list of at most 64 items, but 150000 were sent.',
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
      'must be a list of at most 64 items, but 300000 were sent.',
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
      '/v1/videos',
      { model: MODEL, prompt: 'a', metadata: { referenceImages: many({}) } },
      'metadata.referenceImages',
      'must be a list of at most 3 items, but 300000 were sent.',
    ],
  ];
  for (const [path, body, param, message] of CASES)
    test(`${param} ${message}`, async () => {
      const answer = await post(service, path, bearer(service.apiKey), body);
      const error = {
        message: `${param} ${message}`,
        type: 'invalid_request_error',
        param,
        code: 'invalid_request',
      };
      assert.deepEqual(answer.body, { error });
      assert.equal(answer.status, 400);
    });

  test('event_types of a webhook endpoint', async () => {
    const json = { name: 'a', url: 'https://example.com', event_types: many('video.completed', 150_000) };
    const answer = await call(service, 'POST', '/v1/webhook_endpoints', { json });
    assert.deepEqual(
      [answer.status, readError(answer).param, readError(answer).message],
      [400, 'event_types', 'event_types must be a list of at most 3 items, but 150000 were sent.'],
    );
  });
});

test('a conversation of 200 turns with 64 parts in each is accepted', async () => {
  const contents = many({ parts: many(TEXT, 64) }, 200);
  const answer = await post(service, NATIVE, vendor(service.apiKey), {
    contents,
    generationConfig: { imageConfig: { imageSize: '512' } },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
});
