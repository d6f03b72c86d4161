import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VIDEO_REQUEST_EXAMPLES } from '../../../functions/videos/api/video-examples.ts';
import type { Request } from '../../functions/openapi/support/exchange.ts';
import * as api from '../../functions/openapi/support/requests.ts';
import { call, createVideo, HELD_BACK, MODEL, waitFor } from '../../support/http.ts';
import { file, PNG } from '../../support/images.ts';
import { openSharedService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';

const service = await openSharedService();
const fits = api.fitting(service);
const CANCEL = '/v1/videos/{task_id}/cancel';

describe('a video task fits the document', { concurrency: 3 }, () => {
  test('from its creation to its deletion', async () => {
    const created = await fits(200, {
      method: 'POST',
      path: api.VIDEOS,
      json: { model: MODEL, prompt: 'a quiet harbour [sample: delay 10s]', seconds: 4 },
    });
    const { id } = JSON.parse(created.text);
    await fits(200, api.get(api.VIDEO, id));
    await fits(200, api.get(api.GENERATION, id));
    await fits(409, api.get(api.CONTENT, id));
    await waitFor(service, id, ['in_progress']);
    const answer = await fits(200, api.get(api.VIDEO, id));
    assert.ok(answer.headers.has('openai-poll-after-ms'));
    await fits(200, api.get(api.GENERATION, id));
    await fits(409, { method: 'DELETE', ...api.of(api.VIDEO, id) });
    await fits(409, { method: 'POST', ...api.of(CANCEL, id) });
    await waitFor(service, id, ['completed']);
    for (const path of [api.VIDEO, api.GENERATION]) await fits(200, api.get(path, id));
    await fits(302, api.get(api.CONTENT, id));
    await fits(400, { ...api.get(api.CONTENT, id), at: `/v1/videos/${id}/content?variant=thumbnail` });
    await fits(200, { method: 'GET', path: api.VIDEOS });
    await fits(200, { method: 'DELETE', ...api.of(api.VIDEO, id) });
    await fits(404, { method: 'DELETE', ...api.of(api.VIDEO, id) });
  });

  test('in the generations style, when created and when refused', async () => {
    const create = (json: object): Request => ({ method: 'POST', path: '/v1/video/generations', json });
    await fits(200, create({ model: MODEL, prompt: HELD_BACK }));
    await fits(400, create({ model: MODEL, prompt: 'A fox', n: 2 }));
  });

  test('when it was cancelled', async () => {
    const id = await createVideo(service, HELD_BACK);
    await until(async () => (await call(service, 'POST', `/v1/videos/${id}/cancel`)).status === 200, 100);
    await fits(200, { method: 'POST', ...api.of(CANCEL, id) });
    for (const path of [api.VIDEO, api.GENERATION]) await fits(200, api.get(path, id));
  });

  test('when it failed', async () => {
    const id = await createVideo(service, 'A fox [sample: filtered]');
    await waitFor(service, id, ['failed']);
    for (const path of [api.VIDEO, api.GENERATION]) await fits(200, api.get(path, id));
    await fits(409, api.get(api.CONTENT, id));
  });

  test('made from a form', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(VIDEO_REQUEST_EXAMPLES.createVideoForm.text))
      body.append(name, name === 'prompt' ? HELD_BACK : value);
    body.append('input_reference', file(PNG, 'fox.png', 'image/png'));
    await fits(200, { method: 'POST', path: api.VIDEOS, body });
  });

  test('whose idempotency key is used again', async () => {
    const headers = { 'idempotency-key': 'fox' };
    const create = (prompt: string): Request => ({
      method: 'POST',
      path: api.VIDEOS,
      headers,
      json: { model: MODEL, prompt },
    });
    await fits(200, create(HELD_BACK));
    await fits(200, create(HELD_BACK));
    await fits(409, create('A badger'));
  });
});
