import assert from 'node:assert/strict';
import { setConfig } from '@kubb/plugin-client/clients/fetch';
import {
  createdVideoSchema,
  createVideo,
  generateImages,
  listModels,
  modelListSchema,
} from './generated/kubb/index.ts';

/** The generated client does not say that its body is JSON. */
setConfig({
  baseURL: process.env.BASE_URL ?? '',
  headers: { authorization: `Bearer ${process.env.API_KEY}`, 'content-type': 'application/json' },
});

const models = modelListSchema.parse(await listModels());
assert.ok(
  models.data.some(({ id, alias_of }) => id === 'sora-2' && alias_of === 'video-3.1-fast-generate-preview'),
);
const created = createdVideoSchema.parse(await createVideo({ model: 'sora-2', prompt: 'A fox', seconds: 4 }));
assert.equal(created.seconds, '4');
const { data } = await generateImages({ model: 'gpt-image-1', prompt: 'A fox', size: '512' });
assert.ok((data[0]?.b64_json ?? '').length > 1000);
