import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Answer, call, createVideo, HELD_BACK, MODEL, readError, waitFor } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';
import { until } from '../support/until.ts';
import { addEndpoint, startReceiver } from '../support/webhook-receiver.ts';

const service = await openSharedService();

/** While the worker tries to submit the task, a cancel is refused; the upstream then puts the task off. */
const untilAccepted = async (send: () => Promise<Answer>): Promise<Answer> => {
  let answer = await send();
  await until(async () => {
    if (answer.status === 200) return true;
    assert.deepEqual([answer.status, readError(answer).code], [409, 'video_in_progress']);
    answer = await send();
    return false;
  }, 100);
  return answer;
};

const cancel = (id: string, access = service): Promise<Answer> =>
  call(access, 'POST', `/v1/videos/${id}/cancel`);

const assertRefused = (answer: Answer, code: string, message: RegExp): void => {
  assert.deepEqual([answer.status, readError(answer).code], [409, code]);
  assert.match(readError(answer).message, message);
  assert.equal(answer.headers.get('x-should-retry'), 'false');
};

describe('a task that waits for the upstream', { concurrency: 3 }, () => {
  test('is cancelled without a charge, in every format, and its webhook is sent', async () => {
    const { url, received } = await startReceiver(() => 204);
    const access = { ...service, apiKey: await service.issueKey(`cancel-${randomUUID()}`) };
    await addEndpoint(access, url);
    const id = await createVideo(access, `cancelled ${HELD_BACK}`);
    const { body } = await untilAccepted(() => cancel(id, access));
    const error = {
      code: 'cancelled',
      message: 'The task was cancelled before it was submitted to the generator.',
    };
    assert.deepEqual([body.id, body.object, body.status, body.progress], [id, 'video', 'failed', 0]);
    assert.deepEqual(body.error, error);
    assert.deepEqual((await cancel(id, access)).body, body);
    const get = async (path: string) => (await call(access, 'GET', path)).body;
    assert.deepEqual(await get(`/v1/videos/${id}`), body);
    assert.deepEqual(Object((await get(`/v1/video/generations/${id}`)).data).error, error);
    const operation = await get(`/v1beta/models/${MODEL}/operations/${id}`);
    assert.deepEqual(operation.error, { code: 1, message: error.message });
    assert.equal((await get(`/v1/videos/${id}?include[]=charge`)).charge, null);
    await until(() => received.length > 0);
    const event = JSON.parse(received[0]?.body ?? '{}');
    assert.deepEqual([event.type, event.data.id], ['video.failed', id]);
  });
});

describe('a task that cannot be cancelled', { concurrency: 3 }, () => {
  test('was submitted, and is charged', async () => {
    const id = await createVideo(service, 'a quiet harbour [sample: delay 4s]');
    await waitFor(service, id, ['in_progress']);
    const charged = /was submitted to the generator.* will be charged when it completes/;
    assertRefused(await cancel(id), 'video_in_progress', charged);
    assertRefused(await call(service, 'DELETE', `/v1/videos/${id}`), 'video_in_progress', charged);
    assert.equal((await waitFor(service, id)).body.status, 'completed');
    assertRefused(await cancel(id), 'video_completed', /is completed and charged/);
  });
});
