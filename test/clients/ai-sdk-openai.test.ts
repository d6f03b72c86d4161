import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { generateImage, generateText, streamText } from 'ai';
import * as z from 'zod';
import { describePicture, expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import { PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const toolOutput = z.object({ result: z.string() });

const service = await openSharedService();
const openai = createOpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.apiKey });

describe('@ai-sdk/openai', () => {
  test('generates an image', async () => {
    const { image, usage } = await generateImage({
      model: openai.image('gpt-image-1'),
      prompt: 'A fox in the snow',
      size: '1024x1024',
    });
    assert.equal(describePicture(image.base64), expectedPicture('1:1', '1K'));
    assert.ok((usage.outputTokens ?? 0) > 0);
  });

  test('edits an image', async () => {
    const { image } = await generateImage({
      model: openai.image('gpt-image-1'),
      prompt: { text: 'Make it night', images: [PNG] },
      size: '1536x1024',
    });
    assert.equal(describePicture(image.base64), expectedPicture('3:2', '1K'));
  });

  test('receives an image as markdown from a chat, whole or streamed', async () => {
    const chat = { model: openai.chat(IMAGE_MODEL), prompt: 'A fox in the snow' };
    const { text } = await generateText(chat);
    assert.deepEqual(picturesIn(text), [expectedPicture('1:1', '1K')]);
    const streamed = await Array.fromAsync(streamText(chat).textStream);
    assert.deepEqual(picturesIn(streamed.join('')), [expectedPicture('1:1', '1K')]);
  });

  test('receives an image as the result of a tool, whole or streamed', async () => {
    const asked = {
      model: openai(IMAGE_MODEL),
      prompt: 'A fox in the snow',
      tools: { image_generation: openai.tools.imageGeneration({ size: '1536x1024' }) },
    };
    const { toolResults, usage } = await generateText(asked);
    assert.deepEqual(
      toolResults.map(({ output }) => describePicture(toolOutput.parse(output).result)),
      [expectedPicture('3:2', '1K')],
    );
    assert.ok((usage.outputTokens ?? 0) > 0);
    const streamed = await streamText(asked).toolResults;
    assert.deepEqual(
      streamed.map(({ output }) => describePicture(toolOutput.parse(output).result)),
      [expectedPicture('3:2', '1K')],
    );
  });

  test('receives the error of a request for text', async () => {
    const call = generateText({ model: openai('gpt-5.5'), prompt: 'A fox', maxRetries: 0 });
    await assert.rejects(call, { statusCode: 404 });
  });
});
