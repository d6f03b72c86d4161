import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import { dataUri, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

const config = { aspectRatio: '16:9', imageSize: '512' } as const;
const user = { role: 'user', content: [{ type: 'text', text: 'A fox in the snow' }] } as const;

const fields = { extra_body: { imageConfig: config } };

const { completions } = new OpenAI({
  apiKey: service.apiKey,
  baseURL: `${service.baseUrl}/v1`,
  maxRetries: 0,
}).chat;

describe('chat images of openai', () => {
  const request = { model: IMAGE_MODEL, messages: [] };
  /** Fields and messages may be others than the SDK's types have. */
  const toFields = (given: object, messages: readonly object[]): object => ({ ...given, messages });
  const complete = (given: object, messages: readonly object[] = [user]) =>
    completions.create({ ...request, ...toFields(given, messages) });
  const readChunks = async (given: object, messages: readonly object[] = [user]) =>
    Array.fromAsync(await completions.create({ ...request, stream: true, ...toFields(given, messages) }));

  test('receives the configured image', async () => {
    const { choices, usage, object } = await complete(fields);
    assert.equal(object, 'chat.completion');
    assert.deepEqual(picturesIn(choices[0]?.message.content), [expectedPicture('16:9', '512')]);
    assert.equal(choices[0]?.finish_reason, 'stop');
    assert.ok((usage?.total_tokens ?? 0) > (usage?.prompt_tokens ?? 0));
  });

  test('streams the configured image', async () => {
    const chunks = await readChunks(fields);
    const content = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    assert.deepEqual(picturesIn(content), [expectedPicture('16:9', '512')]);
    assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant');
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop');
  });

  test('receives the image separately from the text with modalities', async () => {
    const fields = { modalities: ['image', 'text'], imageConfig: { aspectRatio: '1:1', imageSize: '512' } };
    const { choices } = await complete(fields);
    const message: object = choices[0]?.message ?? {};
    assert.deepEqual(picturesIn(choices[0]?.message.content), []);
    assert.match(choices[0]?.message.content ?? '', /A fox in the snow/);
    const images: readonly { image_url: { url: string } }[] = Reflect.get(message, 'images');
    assert.deepEqual(
      images.flatMap(({ image_url }) => picturesIn(image_url.url)),
      [expectedPicture('1:1', '512')],
    );
    const deltas = (await readChunks(fields)).map(({ choices: [choice] }): object => choice?.delta ?? {});
    const streamed = deltas.flatMap((delta) => Reflect.get(delta, 'images') ?? []);
    assert.equal(streamed.length, 1);
  });

  test('sends an image, then a follow-up with the previous answer', async () => {
    const first = {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: dataUri(PNG, 'image/png') } }],
    };
    const fields = { imageConfig: { imageSize: '512' } };
    const { choices } = await complete(fields, [first]);
    const again = await complete(fields, [first, choices[0]?.message ?? {}, user]);
    assert.deepEqual(picturesIn(again.choices[0]?.message.content), [expectedPicture('1:1', '512')]);
  });

  test('receives the usage as the last chunk with include_usage', async () => {
    const fields = { stream_options: { include_usage: true }, imageConfig: { imageSize: '512' } };
    const last = (await readChunks(fields)).at(-1);
    assert.deepEqual(last?.choices, []);
    assert.ok((last?.usage?.completion_tokens ?? 0) > 0);
  });

  test('throws an error that arrives in a stream', async () => {
    const blocked = [{ role: 'user', content: 'A fox [sample: blocked IMAGE_SAFETY]' }];
    await assert.rejects(readChunks({}, blocked), { code: 'content_blocked', message: /IMAGE_SAFETY/ });
  });
});
