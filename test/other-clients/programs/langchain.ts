import assert from 'node:assert/strict';
import { ChatOpenAI } from '@langchain/openai';

const { BASE_URL = '', API_KEY: apiKey = '' } = process.env;
const chat = new ChatOpenAI({
  model: 'image-3.1-flash-image-preview',
  apiKey,
  configuration: { baseURL: `${BASE_URL}/v1` },
  modelKwargs: { imageConfig: { imageSize: '512' } },
});

assert.match((await chat.invoke('A fox in the snow')).text, /\(data:image\/jpeg;base64,/);
const chunks = await Array.fromAsync(await chat.stream('A fox in the snow'));
assert.match(chunks.map(({ text }) => text).join(''), /\(data:image\/jpeg;base64,/);
