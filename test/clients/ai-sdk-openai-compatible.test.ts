import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateImage, generateText, streamText } from 'ai';
import { describePicture, expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import { PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const provider = createOpenAICompatible({
  name: 'media',
  baseURL: `${service.baseUrl}/v1`,
  apiKey: service.apiKey,
});
const imageConfig = { aspectRatio: '16:9', imageSize: '512' };
const chat = { model: provider(IMAGE_MODEL), providerOptions: { media: { imageConfig } }, maxRetries: 0 };
const PICTURE = [expectedPicture('16:9', '512')];

describe('@ai-sdk/openai-compatible', () => {
  test('receives an image as markdown from a chat', async () => {
    const { text, usage } = await generateText({ ...chat, prompt: 'A fox in the snow' });
    assert.deepEqual(picturesIn(text), PICTURE);
    assert.ok((usage.outputTokens ?? 0) > 0);
  });

  test('streams a chat', async () => {
    const { textStream } = streamText({ ...chat, prompt: 'A fox in the snow' });
    assert.deepEqual(picturesIn((await Array.fromAsync(textStream)).join('')), PICTURE);
  });

  test('sends an image in a chat', async () => {
    const { text } = await generateText({
      ...chat,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Make it blue' },
            { type: 'image', image: PNG },
          ],
        },
      ],
    });
    assert.deepEqual(picturesIn(text), PICTURE);
  });

  test('generates an image, and edits one', async () => {
    for (const prompt of ['A fox in the snow', { text: 'Make it night', images: [PNG] }]) {
      const { image } = await generateImage({
        model: provider.imageModel(IMAGE_MODEL),
        prompt,
        size: '1024x1024',
      });
      assert.equal(describePicture(image.base64), expectedPicture('1:1', '1K'));
    }
  });
});
