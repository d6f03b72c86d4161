import assert from 'node:assert/strict';
import { generateImage, generateVideo, getVideoJobStatus } from '@tanstack/ai';
import { createOpenaiImage, createOpenaiVideo } from '@tanstack/ai-openai';

const { BASE_URL = '', API_KEY = '', IMAGE_URL = '' } = process.env;
const config = { baseURL: `${BASE_URL}/v1`, maxRetries: 0 };
const prompt = 'A fox in the snow';

const { images } = await generateImage({
  adapter: createOpenaiImage('gpt-image-2.5-flare', API_KEY, config),
  prompt,
});
assert.ok(images[0]?.b64Json?.startsWith('/9j/'));

const adapter = createOpenaiVideo('sora-2', API_KEY, config);
const frame = {
  type: 'image' as const,
  source: {
    type: 'data' as const,
    value: IMAGE_URL.slice(IMAGE_URL.indexOf(',') + 1),
    mimeType: 'image/png',
  },
};
for (const given of [prompt, [{ type: 'text' as const, content: prompt }, frame]]) {
  const { jobId } = await generateVideo({ adapter, prompt: given, size: '1280x720', duration: 4 });
  let job = await getVideoJobStatus({ adapter, jobId });
  while (job.status === 'pending' || job.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    job = await getVideoJobStatus({ adapter, jobId });
  }
  assert.equal(job.status, 'completed', job.error);
  const mp4 = Buffer.from(job.url?.slice(job.url.indexOf(',') + 1) ?? '', 'base64');
  assert.equal(mp4.toString('latin1', 4, 8), 'ftyp');
}

const wrong = createOpenaiVideo('sora-2', 'mg_wrong', config);
await assert.rejects(generateVideo({ adapter: wrong, prompt }), { status: 401 });
await assert.rejects(generateVideo({ adapter, prompt: ' ' }), { status: 400, param: 'prompt' });
