import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { describePicture, expectedPicture, IMAGE_MODEL } from '../support/images/pictures.ts';
import { file, JPEG, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

const { images } = new OpenAI({
  apiKey: service.apiKey,
  baseURL: `${service.baseUrl}/v1`,
  maxRetries: 0,
});

const PROMPT = 'A fox in the snow';
const FOX = file(PNG, 'fox.png', 'image/png');
const SNOW = file(JPEG, 'snow.jpg', 'image/jpeg');

/** The sample generator counts 258 tokens per image. */
const EDITS: readonly (readonly [title: string, image: File | File[], imageTokens: number])[] = [
  ['one image', FOX, 258],
  ['two images', [FOX, SNOW], 516],
];

const all = async <Item>(events: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of events) items.push(item);
  return items;
};

const describeAll = ({ data }: OpenAI.ImagesResponse) =>
  data?.map(({ b64_json }) => describePicture(b64_json));

describe('images of openai', { concurrency: 2 }, () => {
  test('generates an image', async () => {
    const answer = await images.generate({ model: 'gpt-image-1', prompt: PROMPT, size: '1536x1024' });
    assert.deepEqual(describeAll(answer), [expectedPicture('3:2', '1K')]);
    assert.deepEqual([answer.output_format, answer.size], ['jpeg', '1264x848']);
    assert.ok(Math.abs(answer.created - Date.now() / 1000) < 60);
    const { input_tokens: input = 0, output_tokens: output = 0 } = answer.usage ?? {};
    assert.ok(input > 0 && output > 0);
    assert.deepEqual(answer.usage, {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { text_tokens: input, image_tokens: 0 },
    });
  });

  for (const [title, image, imageTokens] of EDITS)
    test(`edits ${title}`, async () => {
      const answer = await images.edit({ model: IMAGE_MODEL, prompt: PROMPT, image, size: '688x384' });
      assert.deepEqual(describeAll(answer), [expectedPicture('16:9', '512')]);
      assert.equal(answer.usage?.input_tokens_details.image_tokens, imageTokens);
    });

  test('streams a generated image, and accepts partial_images', async () => {
    const events = await all(
      await images.generate({
        model: IMAGE_MODEL,
        prompt: PROMPT,
        size: '512x512',
        partial_images: 2,
        stream: true,
      }),
    );
    const seen = events.map(({ type, b64_json, size }) => [type, describePicture(b64_json), size]);
    assert.deepEqual(seen, [['image_generation.completed', expectedPicture('1:1', '512'), '512x512']]);
  });

  test('streams an edited image', async () => {
    const events = await all(
      await images.edit({ model: IMAGE_MODEL, prompt: PROMPT, image: FOX, size: '512x512', stream: true }),
    );
    const seen = events.map((event) => [event.type, describePicture(event.b64_json), event.output_format]);
    assert.deepEqual(seen, [['image_edit.completed', expectedPicture('1:1', '512'), 'jpeg']]);
  });

  test('has the image converted to PNG and, streamed, to WebP', async () => {
    const { data, output_format, size } = await images.generate({
      model: IMAGE_MODEL,
      prompt: PROMPT,
      size: '688x384',
      output_format: 'png',
    });
    assert.equal(describePicture(data?.[0]?.b64_json), 'image/png 688x384');
    assert.deepEqual([output_format, size], ['png', '688x384']);
    const options = { output_format: 'webp', output_compression: 50 } as const;
    const params = { model: IMAGE_MODEL, prompt: PROMPT, image: FOX, size: '512x512', ...options };
    const [event, ...others] = await all(await images.edit({ ...params, stream: true }));
    assert.deepEqual([describePicture(event?.b64_json), others], ['image/webp 512x512', []]);
    assert.deepEqual([event?.output_format, event?.size], ['webp', '512x512']);
  });

  test('throws an error with the reason, streamed or not', async () => {
    const refusal = { status: 400, param: 'size', code: 'invalid_request', message: /WIDTHxHEIGHT/ };
    await assert.rejects(images.generate({ model: IMAGE_MODEL, prompt: PROMPT, size: '300x256' }), refusal);
    await assert.rejects(
      images.generate({ model: IMAGE_MODEL, prompt: PROMPT, size: '300x256', stream: true }),
      refusal,
    );
  });

  test('throws an error that arrives in a stream', async () => {
    const events = await images.generate({
      model: IMAGE_MODEL,
      prompt: `${PROMPT} [sample: blocked IMAGE_SAFETY]`,
      stream: true,
    });
    await assert.rejects(all(events), { code: 'content_blocked', message: /IMAGE_SAFETY/ });
  });
});
