import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript.ts';

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });

/** Requests of OpenRouter's clients are answered in another form, with another status. */
const readSeconds = (video: object | undefined): unknown =>
  video !== undefined && 'seconds' in video ? video.seconds : undefined;

const inJson = await client.POST('/v1/videos', {
  body: { model: 'sora-2', prompt: 'A fox in the snow', metadata: { durationSeconds: 4, seed: 0 } },
});
assert.deepEqual([inJson.error, readSeconds(inJson.data)], [undefined, '4']);

/** The generated type of a file is a string, so the serializer adds the file. */
const file = await (await fetch(process.env.IMAGE_URL ?? '')).blob();
const inForm = await client.POST('/v1/videos', {
  body: { model: 'sora-2-pro', prompt: 'A fox in the snow', seconds: 6 },
  bodySerializer: (fields) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    form.append('input_reference', file);
    return form;
  },
});
assert.deepEqual([inForm.error, readSeconds(inForm.data)], [undefined, '6']);

const { error } = await client.GET('/v1/videos/{task_id}', {
  params: { path: { task_id: `task_${'0'.repeat(26)}` } },
});
assert.equal(error?.error.code, 'video_not_found');
