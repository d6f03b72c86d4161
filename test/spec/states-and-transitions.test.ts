import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, createVideo, HELD_BACK, readError, waitFor } from '../support/http.ts';
import { completedVideo, download, service } from './requests.ts';

const states = async (id: string): Promise<readonly unknown[]> => {
  const video = await call(service, 'GET', `/v1/videos/${id}`);
  const result = await call(service, 'GET', `/v1/video/generations/${id}`);
  return [video.body.status, Reflect.get(Object(result.body.data), 'status')];
};

describe('the states of both endpoints correspond by meaning', { concurrency: 4 }, () => {
  test('queued to queued', async () => {
    assert.deepEqual(await states(await createVideo(service, `held back ${HELD_BACK}`)), [
      'queued',
      'queued',
    ]);
  });

  test('in_progress to processing', async () => {
    const id = await createVideo(service, 'a quiet harbour [sample: delay 10s]');
    await waitFor(service, id, ['in_progress']);
    assert.deepEqual(await states(id), ['in_progress', 'processing']);
    const answer = await call(service, 'GET', `/v1/videos/${id}/content`);
    assert.deepEqual([answer.status, readError(answer).code], [409, 'video_not_ready']);
  });

  test('completed to succeeded; the content endpoint serves the video', async () => {
    const id = String((await completedVideo()).body.id);
    assert.deepEqual(await states(id), ['completed', 'succeeded']);
    assert.equal((await download(id)).toString('latin1', 4, 8), 'ftyp');
  });

  test('failed to failed', async () => {
    const id = await createVideo(service, 'something [sample: filtered]');
    const { body } = await waitFor(service, id);
    assert.deepEqual(await states(id), ['failed', 'failed']);
    assert.equal(Reflect.get(Object(body.error), 'code'), 'content_blocked');
    const answer = await call(service, 'GET', `/v1/videos/${id}/content`);
    assert.deepEqual([answer.status, readError(answer).code], [409, 'video_failed']);
  });
});
