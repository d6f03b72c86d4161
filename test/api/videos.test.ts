import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { videoKey } from '../../functions/videos/domain/media.ts';
import { call, createVideo, FAST_MODEL, MODEL, readError, readId, waitFor } from '../support/http.ts';
import { file, JPEG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

const storedKeys = async (prefix: string): Promise<string[]> => {
  const s3 = new S3Client(service.operator);
  const { Contents } = await s3.send(
    new ListObjectsV2Command({ Bucket: service.mediaBucket, Prefix: prefix }),
  );
  return (Contents ?? []).map(({ Key }) => Key ?? '');
};

describe('a video task', { concurrency: 3 }, () => {
  test('is created with all fields of the video object', async () => {
    const PROMPT = 'waves [sample: error 400]';
    const before = Math.floor(Date.now() / 1000);
    const { status, body, headers } = await call(service, 'POST', '/v1/videos', {
      json: { model: MODEL, prompt: PROMPT, seconds: '6', size: '720x1280', user: 'u-1' },
    });
    assert.equal(status, 200);
    const { id, created_at, ...rest } = body;
    assert.match(String(id), /^task_[0-9a-z]{26}$/);
    assert.ok(Number(created_at) >= before && Number(created_at) <= before + 60);
    assert.deepEqual(rest, {
      task_id: id,
      object: 'video',
      model: MODEL,
      status: 'queued',
      progress: 0,
      expires_at: null,
      kept: false,
      name: null,
      prompt: PROMPT,
      seconds: '6',
      size: '720x1280',
      error: null,
      remixed_from_video_id: null,
    });
    assert.equal(headers.get('openai-poll-after-ms'), '3000');
    assert.equal(headers.get('content-type'), 'application/json');
  });

  test('goes from queued over in_progress to completed, and its file can be had at once', async () => {
    const id = await createVideo(service, 'a quiet harbour [sample: delay 4s]');
    const started = await waitFor(service, id, ['in_progress']);
    assert.equal(started.body.progress, 50);
    assert.equal('completed_at' in started.body, false);
    assert.equal('task_id' in started.body, false);
    assert.equal(started.headers.get('retry-after'), '3');
    const notReady = await call(service, 'GET', `/v1/videos/${id}/content`);
    assert.deepEqual([notReady.status, readError(notReady).code], [409, 'video_not_ready']);
    assert.equal(
      readError(notReady).message,
      `Video ${id} is in_progress; download it once it is completed.`,
    );
    assert.equal(notReady.headers.get('x-should-retry'), 'false');
    const done = await waitFor(service, id);
    assert.equal(done.body.status, 'completed');
    assert.equal(done.body.progress, 100);
    assert.equal(done.headers.get('openai-poll-after-ms'), null);
    assert.equal(Number(done.body.expires_at) - Number(done.body.completed_at), 7 * 24 * 60 * 60);
    const content = await call(service, 'GET', `/v1/videos/${id}/content`);
    assert.equal(content.status, 302);
    assert.equal(content.headers.get('cache-control'), 'no-store');
    const location = content.headers.get('location') ?? '';
    assert.match(location, /X-Amz-Expires=300/);

    const whole = await fetch(location);
    assert.equal(whole.headers.get('content-type'), 'video/mp4');
    assert.match(
      whole.headers.get('content-disposition') ?? '',
      /^attachment; filename="a-quiet-harbour-sample-delay-4s-4s-720p\.mp4"/,
    );
    const bytes = Buffer.from(await whole.arrayBuffer());
    assert.equal(bytes.toString('latin1', 4, 8), 'ftyp');
    const range = await fetch(location, { headers: { range: 'bytes=4-7' } });
    assert.deepEqual([range.status, await range.text()], [206, 'ftyp']);
    assert.equal(range.headers.get('content-range'), `bytes 4-7/${bytes.length}`);
    const twoKeys = await fetch(location, { headers: { authorization: 'Bearer x' } });
    assert.equal(twoKeys.status, 400);
  });

  test('with images keeps them until it is deleted; fields may come after files, and file names and types mean nothing', async () => {
    const form = new FormData();
    form.append('input_reference', file(JPEG, '../../etc/passwd.png', 'image/png'));
    for (const [name, value] of Object.entries({ model: MODEL, prompt: 'a quiet harbour', seconds: '4' }))
      form.append(name, value);
    const id = readId(await call(service, 'POST', '/v1/videos', { body: form }));
    const inputs = async () => (await storedKeys('inputs/')).filter((key) => key.split('/')[2] === id);
    assert.equal((await inputs()).length, 1);
    assert.equal((await waitFor(service, id)).body.status, 'completed');
    const input = await call(service, 'GET', `/v1/videos/${id}/inputs/0`);
    const image = await fetch(input.headers.get('location') ?? '');
    assert.equal(image.headers.get('content-type'), 'image/jpeg');
    assert.deepEqual(Buffer.from(await image.arrayBuffer()), JPEG);
    const missing = await call(service, 'GET', `/v1/videos/${id}/inputs/1`);
    assert.deepEqual(
      [missing.status, missing.body.error],
      [
        404,
        {
          message: 'index must be a whole number from 0 to 0.',
          type: 'invalid_request_error',
          param: 'index',
          code: 'file_not_found',
        },
      ],
    );
    await call(service, 'DELETE', `/v1/videos/${id}`);
    assert.deepEqual(await inputs(), []);
  });

  test('is gone once it is deleted, with its file', async () => {
    const id = await createVideo(service, 'a quiet harbour');
    await waitFor(service, id);
    const key = videoKey({ id, createdAt: 0 });
    assert.deepEqual(await storedKeys(key), [key]);
    const deleted = await call(service, 'DELETE', `/v1/videos/${id}`);
    assert.deepEqual([deleted.status, deleted.body], [200, { id, object: 'video.deleted', deleted: true }]);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/content'],
      ['DELETE', ''],
    ] as const)
      assert.equal((await call(service, method, `/v1/videos/${id}${path}`)).status, 404);
    assert.deepEqual(await storedKeys(key), []);
  });
});

describe('a task created in the generations style', { concurrency: 3 }, () => {
  const create = (json: object, headers = {}) =>
    call(service, 'POST', '/v1/video/generations', { json, headers });

  test('is the task of the video API, and completes', async () => {
    const answer = await create({ model: 'sora-2', prompt: 'a quiet harbour', duration: 4 });
    const id = readId(answer);
    assert.equal(answer.status, 200);
    const { created_at } = (await call(service, 'GET', `/v1/videos/${id}`)).body;
    assert.deepEqual(answer.body, {
      id,
      task_id: id,
      object: 'video',
      model: FAST_MODEL,
      status: 'queued',
      created_at,
    });
    assert.equal(answer.headers.get('retry-after'), '3');
    const { body } = await waitFor(service, id);
    assert.deepEqual([body.status, body.seconds], ['completed', '4']);
  });

  test('is the same task for the same Idempotency-Key, on either endpoint', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const json = { model: MODEL, prompt: 'once [sample: error 400]' };
    const [one, other] = [
      await create(json, headers),
      await call(service, 'POST', '/v1/videos', { json, headers }),
    ];
    assert.equal(readId(one), readId(other));
    assert.equal(readError(await create({ ...json, seed: 1 }, headers)).code, 'idempotency_key_reused');
  });
});

describe('a task that is not found', { concurrency: 3 }, () => {
  test('looks the same for another account, a deleted task and one that never was', async () => {
    const other = await service.issueKey('other');
    const id = await createVideo(service, 'mine [sample: filtered]');
    const foreign = await call(service, 'GET', `/v1/videos/${id}`, { key: other });
    const never = await call(service, 'GET', `/v1/videos/${id.replace(/.$/, '0')}`, { key: other });
    await waitFor(service, id);
    await call(service, 'DELETE', `/v1/videos/${id}`);
    const deleted = await call(service, 'GET', `/v1/videos/${id}`);
    const anonymous = (answer: typeof never) => JSON.stringify(answer.body).replaceAll(/task_\w+/g, 'ID');
    assert.equal(anonymous(foreign), anonymous(never));
    assert.equal(anonymous(deleted), anonymous(never));
    assert.equal((await call(service, 'DELETE', `/v1/videos/${id}`, { key: other })).status, 404);
  });
});
