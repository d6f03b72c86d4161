import assert from 'node:assert/strict';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateImage, generateText, experimental_generateVideo as generateVideo, streamText } from 'ai';

const { BASE_URL = '', API_KEY: apiKey = '' } = process.env;
const openai = createOpenAI({ baseURL: `${BASE_URL}/v1`, apiKey });
const google = createGoogle({ baseURL: `${BASE_URL}/v1beta`, apiKey });
const compatible = createOpenAICompatible({ name: 'media', baseURL: `${BASE_URL}/v1`, apiKey });
const prompt = 'A fox in the snow';

for (const model of [openai.chat('gemini-3.1-flash-image'), compatible('gemini-3.1-flash-image')]) {
  assert.match((await generateText({ model, prompt })).text, /\(data:image\/jpeg;base64,/);
  const streamed = await Array.fromAsync(streamText({ model, prompt }).textStream);
  assert.match(streamed.join(''), /\(data:image\/jpeg;base64,/);
}
for (const model of [
  openai.image('gpt-image-1'),
  compatible.imageModel('gpt-image-1'),
  google.image('gemini-3.1-flash-image-preview'),
])
  assert.equal((await generateImage({ model, prompt })).image.mediaType, 'image/jpeg');

const { video } = await generateVideo({
  model: google.video('veo-3.1-fast-generate-preview'),
  prompt,
  duration: 4,
  providerOptions: { google: { pollIntervalMs: 300 } },
  // The SDK's own download refuses loopback addresses.
  download: async ({ url }) => {
    const response = await fetch(url);
    return { data: new Uint8Array(await response.arrayBuffer()), mediaType: 'video/mp4' };
  },
});
assert.equal(Buffer.from(video.uint8Array).toString('latin1', 4, 8), 'ftyp');
