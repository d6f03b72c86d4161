import assert from 'node:assert/strict';
import { createVideoWithFormData, createVideoWithJson, listModels } from './generated/orval.ts';

const headers = { authorization: `Bearer ${process.env.API_KEY}` };
const request = {
  model: 'video-3.1-fast-generate-preview',
  prompt: 'A fox in the snow',
  seconds: 4,
} as const;

const models = await listModels({ headers });
assert.ok(models.status === 200 && models.data.data.some(({ id }) => id === 'sora-2'));
const inJson = await createVideoWithJson(request, { headers });
assert.equal(inJson.status === 200 && inJson.data.seconds, '4');
const input_reference = await (await fetch(process.env.IMAGE_URL ?? '')).blob();
const metadata = JSON.stringify({ durationSeconds: 6 });
const inForm = await createVideoWithFormData({ ...request, input_reference, metadata }, { headers });
assert.equal(inForm.status === 200 && inForm.data.seconds, '6');
