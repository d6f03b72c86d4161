import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateImage, generateText, streamText } from 'ai-6';
import { createGoogleGenerativeAI } from 'ai-sdk-google-3';
import { createOpenAI } from 'ai-sdk-openai-3';
import { createOpenAICompatible } from 'ai-sdk-openai-compatible-2';
import { describePicture, expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import { openSharedService } from '../support/open-service.ts';

const { apiKey, baseUrl } = await openSharedService();
const google = createGoogleGenerativeAI({ apiKey, baseURL: `${baseUrl}/v1beta` });
const openai = createOpenAI({ apiKey, baseURL: `${baseUrl}/v1` });
const compatible = createOpenAICompatible({ name: 'media', apiKey, baseURL: `${baseUrl}/v1` });
const prompt = 'A fox in the snow';

describe('ai 6 with its providers', { concurrency: 2 }, () => {
  for (const model of [openai.image('gpt-image-1'), compatible.imageModel('gpt-image-1')])
    test(`generates an image with ${model.provider}`, async () => {
      const { image } = await generateImage({ model, prompt, size: '1024x1024' });
      assert.equal(describePicture(image.base64), expectedPicture('1:1', '1K'));
    });

  for (const model of [openai.chat(IMAGE_MODEL), compatible(IMAGE_MODEL)])
    test(`receives an image as markdown with ${model.provider}, whole or streamed`, async () => {
      const { text } = await generateText({ model, prompt });
      assert.deepEqual(picturesIn(text), [expectedPicture('1:1', '1K')]);
      const streamed = await Array.fromAsync(streamText({ model, prompt }).textStream);
      assert.deepEqual(picturesIn(streamed.join('')), [expectedPicture('1:1', '1K')]);
    });

  // Version 4 of the provider accepts only names that begin with gemini-.
  for (const name of ['imagen-4.0-generate-001', IMAGE_MODEL])
    test(`generates images with ${name} in the format of Imagen`, async () => {
      const { images } = await generateImage({
        model: google.image(name),
        prompt,
        n: 2,
        aspectRatio: '3:4',
        providerOptions: { google: { personGeneration: 'allow_adult' } },
      });
      assert.deepEqual(
        images.map(({ base64 }) => describePicture(base64)),
        [expectedPicture('3:4', '1K'), expectedPicture('3:4', '1K')],
      );
    });
});
