import assert from 'node:assert/strict';
import { createVideo, defaults, listModels, predict } from './generated/oazapfts.ts';

defaults.baseUrl = process.env.BASE_URL ?? '';
defaults.headers = { authorization: `Bearer ${process.env.API_KEY}` };

/** The status of a gateway error is only a number, so the status does not tell the types apart. */
const { data: models } = await listModels();
assert.ok('data' in models && models.data.some(({ id }) => id === 'sora-2'));
const { data: created } = await createVideo({ model: 'sora-2', prompt: 'A fox', seconds: 4 });
assert.ok('seconds' in created && created.seconds === '4');
const { data: images } = await predict('imagen-4.0-generate-001', {
  instances: [{ prompt: 'A fox in the snow' }],
  parameters: { sampleImageSize: '512' },
});
assert.ok('predictions' in images && images.predictions.length === 1);
const { data: refused } = await createVideo({
  model: 'sora-2',
  prompt: 'A fox',
  seconds: 4,
  resolution: '4k',
});
assert.ok('error' in refused && Object(refused.error).code === 'invalid_request');
