import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { BEARER, readJson, runOpenRouter } from './support/job-servers.ts';
import { readImage } from './support/media.ts';
import { jpeg, png, SUNRISE } from './support/test-pictures.ts';

const server = await runOpenRouter();
after(() => server.stop());

const SMALL = { image_size: '1K' };
const chat = (content: unknown, more: object = {}) =>
  fetch(`${server.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: BEARER,
    body: JSON.stringify({
      model: 'google/gemini-3.1-flash-image',
      messages: [{ role: 'user', content }],
      modalities: ['image', 'text'],
      image_config: SMALL,
      ...more,
    }),
  });
const ask = async (content: unknown, more?: object) => readJson(await chat(content, more));

type Message = { readonly images?: readonly { readonly image_url: { readonly url: string } }[] };
const picture = ({ images }: Message): Buffer => {
  const [, base64] = (images?.[0]?.image_url.url ?? '').split('data:image/jpeg;base64,');
  return Buffer.from(base64 ?? '', 'base64');
};

describe('images of OpenRouter', () => {
  test('a chat is answered with a text, an image, its tokens and its cost', async () => {
    const { choices, usage, ...rest } = await ask('A fox');
    assert.partialDeepStrictEqual(rest, {
      object: 'chat.completion',
      model: 'google/gemini-3.1-flash-image',
    });
    const [{ message, ...choice }] = choices;
    assert.partialDeepStrictEqual(choice, { index: 0, finish_reason: 'stop' });
    assert.deepEqual(
      [message.role, message.images.length, message.images[0].type],
      ['assistant', 1, 'image_url'],
    );
    assert.equal((await readImage(picture(message))).width, 1024);
    assert.deepEqual(usage, { prompt_tokens: 2, completion_tokens: 1120, total_tokens: 1122, cost: 0.067 });
  });

  test('image_config sets aspect ratio and size', async () => {
    const config = { aspect_ratio: '16:9', image_size: '1K' };
    const { choices } = await ask('A fox', { image_config: config });
    const { width, height } = await readImage(picture(choices[0].message));
    assert.deepEqual([width, height], [1376, 768]);
  });

  test('a conversation can have instructions, images and earlier answers', async () => {
    const url = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;
    const image = { type: 'image_url', image_url: { url: url('png', await png(SUNRISE, 64, 64)) } };
    const earlier = { type: 'image_url', image_url: { url: url('jpeg', await jpeg(SUNRISE, 64, 64)) } };
    const { usage } = await ask(undefined, {
      messages: [
        { role: 'system', content: 'Paint in oil [sample: explode]' },
        { role: 'user', content: [{ type: 'text', text: 'A fox' }, image] },
        { role: 'assistant', content: [{ type: 'text', text: 'Here' }, earlier] },
        { role: 'user', content: 'A red one' },
      ],
    });
    // Two images of 258 tokens, and the text without the instructions.
    assert.equal(usage.prompt_tokens, 2 * 258 + Math.ceil('A fox Here A red one'.length / 4));
  });

  test('text only and a request for text have no image and cost nothing', async () => {
    for (const [content, more] of [
      ['A fox [sample: text only]', {}],
      ['A fox', { modalities: ['text'] }],
    ] as const) {
      const { choices, usage } = await ask(content, more);
      assert.deepEqual([choices[0].message.images, usage.cost], [undefined, 0]);
    }
  });

  test('a blocked prompt is 403 with the reasons of the moderation', async () => {
    const response = await chat('[sample: blocked]');
    const { error } = await readJson(response);
    assert.deepEqual([response.status, error.metadata.reasons.length], [403, 1]);
  });

  for (const [reason, finished] of [
    ['IMAGE_SAFETY', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['NO_IMAGE', 'stop'],
  ] as const)
    test(`blocked ${reason} ends with ${finished} and no image`, async () => {
      const { choices } = await ask(`A fox [sample: blocked ${reason}]`);
      assert.partialDeepStrictEqual(choices[0], { finish_reason: finished, native_finish_reason: reason });
      assert.equal(choices[0].message.images, undefined);
    });

  for (const [name, more, status] of [
    ['the smallest size of Google', { image_config: { image_size: '512' } }, 400],
    ['an unknown aspect ratio', { image_config: { aspect_ratio: '7:3' } }, 400],
    ['another option of the image', { image_config: { quality: 'high' } }, 400],
    ['a stream', { stream: true }, 400],
    ['no messages', { messages: [] }, 400],
    [
      'a remote image',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
        ],
      },
      400,
    ],
    ['a model that makes no images', { model: 'google/veo-3.1' }, 404],
    ['a model of another vendor', { model: 'acme/image-1' }, 404],
  ] as const)
    test(`${name} is ${status}`, async () => {
      const response = await chat('A fox', more);
      assert.equal(response.status, status);
      assert.equal((await readJson(response)).error.code, status);
    });
});
