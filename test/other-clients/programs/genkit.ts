import assert from 'node:assert/strict';
import { googleAI } from '@genkit-ai/google-genai';
import { GenkitError, genkit } from 'genkit';

const { BASE_URL: baseUrl = '', API_KEY = '', IMAGE_URL = '' } = process.env;
const connect = (apiKey: string) => genkit({ plugins: [googleAI({ apiKey, baseUrl })] });
const ai = connect(API_KEY);
const prompt = 'A fox in the snow';

const image = googleAI.model('gemini-3.1-flash-image');
const drawn = await ai.generate({ model: image, prompt, config: { responseModalities: ['IMAGE'] } });
assert.match(drawn.media?.url ?? '', /^data:image\/jpeg;base64,/);
const refused = connect('mg_wrong').generate({ model: image, prompt });
// Genkit has no status of its own for 401.
await assert.rejects(refused, (error) => error instanceof GenkitError && error.message.includes('[401 '));

const frame = { media: { url: IMAGE_URL, contentType: 'image/png' } };
for (const parts of [[{ text: prompt }], [{ text: prompt }, frame]]) {
  let { operation } = await ai.generate({
    model: googleAI.model('veo-3.1-fast-generate-preview'),
    prompt: parts,
    config: { durationSeconds: 4 },
  });
  assert.ok(operation);
  while (!operation.done) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    operation = await ai.checkOperation(operation);
  }
  assert.equal(operation.error, undefined);
  const [media] = operation.output?.message?.content.filter((part) => part.media) ?? [];
  const headers = { 'x-goog-api-key': API_KEY };
  const mp4 = Buffer.from(await (await fetch(media?.media?.url ?? '', { headers })).arrayBuffer());
  assert.equal(mp4.toString('latin1', 4, 8), 'ftyp');
}
