import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { formDataBodySerializer } from './generated/hey-api/client/index.ts';
import { client } from './generated/hey-api/client.gen.ts';
import { createVideo, downloadVideo, getVideo } from './generated/hey-api/index.ts';
import type { CreatedVideo, CreateVideoForm } from './generated/hey-api/types.gen.ts';

const { BASE_URL: baseUrl = '', API_KEY: auth = '' } = process.env;
client.setConfig({ baseUrl, auth });

const { data: created } = await createVideo({
  body: { model: 'video-3.1-fast-generate-preview', prompt: 'A fox in the snow', seconds: 4 },
  throwOnError: true,
});

/** The generated function sends JSON only, so the form is sent by the client. */
const body: CreateVideoForm = {
  model: 'video-3.1-generate-preview',
  prompt: 'A fox in the snow',
  reference_images: [await (await fetch(process.env.IMAGE_URL ?? '')).blob()],
  metadata: JSON.stringify({ seed: 7 }),
};
const { data: fromForm } = await client.post<{ 200: CreatedVideo }, unknown, true>({
  url: '/v1/videos',
  security: [{ scheme: 'bearer', type: 'http' }],
  ...formDataBodySerializer,
  headers: { 'Content-Type': null },
  body,
  throwOnError: true,
});
assert.equal(fromForm.seconds, '8');

const poll = async (): Promise<string> => {
  const { data } = await getVideo({ path: { task_id: created.id }, throwOnError: true });
  if (data.status === 'completed' || data.status === 'failed') return data.status;
  await setTimeout(300);
  return poll();
};
assert.equal(await poll(), 'completed');
const { response } = await downloadVideo({ path: { task_id: created.id }, parseAs: 'stream' });
assert.equal(response?.headers.get('content-type'), 'video/mp4');

const { error } = await createVideo({
  body: { model: 'sora-2', prompt: 'A fox in the snow', seconds: 4, resolution: '4k' },
});
assert.equal(error?.error.code, 'invalid_request');
