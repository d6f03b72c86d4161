import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI, { NotFoundError } from 'openai';
import { call, createVideo, HELD_BACK, MODEL, readError, waitFor } from '../support/http.ts';
import { completedVideo, download, failedVideo, service } from './requests.ts';

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

describe('the SDK', { concurrency: 4 }, () => {
  const { videos, models } = new OpenAI({
    apiKey: service.apiKey,
    baseURL: `${service.baseUrl}/v1`,
    maxRetries: 0,
  });

  test('creates a task, which is queued, has no progress and has not completed', async () => {
    const video = await videos.create({ model: MODEL, prompt: HELD_BACK });
    const { id, object, model, status, progress, created_at } = video;
    assert.deepEqual([object, model, status, progress], ['video', MODEL, 'queued', 0]);
    assert.equal(Reflect.get(video, 'task_id'), id);
    assert.ok(Number.isInteger(created_at) && !('completed_at' in video));
    assert.equal((await videos.retrieve(id)).status, 'queued');
  });

  test('polls until the task is completed, and downloads the video through a redirect', async () => {
    const { body } = await completedVideo();
    const video = await videos.retrieve(String(body.id));
    assert.deepEqual([video.id, video.status, video.progress], [body.id, 'completed', 100]);
    assert.ok((video.completed_at ?? 0) >= video.created_at);
    const response = await videos.downloadContent(video.id);
    assert.equal(response.headers.get('content-type'), 'video/mp4');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), await download(video.id));
  });

  test('is told that a task has failed, and why', async () => {
    const { status, error, progress } = await videos.retrieve(String((await failedVideo()).body.id));
    assert.deepEqual([status, error?.code], ['failed', 'upstream_rejected']);
    assert.notEqual(progress, 100);
  });

  test('finds no task of another id, and neither does the generations endpoint', async () => {
    await assert.rejects(videos.retrieve('task_x'), NotFoundError);
    await assert.rejects(videos.downloadContent('task_x'), NotFoundError);
    assert.equal((await call(service, 'GET', '/v1/video/generations/task_x')).status, 404);
  });

  test('lists the three models, whose identifiers it can send', async () => {
    const ids = (await Array.fromAsync(models.list())).map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 3).toSorted(), [
      'image-3.1-flash-image-preview',
      'video-3.1-fast-generate-preview',
      'video-3.1-generate-preview',
    ]);
  });
});
