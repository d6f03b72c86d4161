import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { driveTask } from '../../../support/drive-task.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import { startRecorder } from './recording-server.ts';
import { brokenOff, error, file, html, json, reset, silence, trickle } from './upstream-answers.ts';
import type { Answer } from './upstream-server.ts';
import { PLAIN, TIMEOUTS, VIDEO, videosAt } from './videos-api-client.ts';

describe('the answer of a server of the Videos API', () => {
  const submit = async (answer: Answer, timeouts = TIMEOUTS) => {
    await using server = await startRecorder(answer);
    return { operation: await videosAt(server.url, { timeouts }).submit(PLAIN, [], 'key') };
  };

  for (const [title, answer, operation] of [
    ['200', json(200, VIDEO), 'video_68d7'],
    ['201', json(201, VIDEO), 'video_68d7'],
    ['202', json(202, VIDEO), 'video_68d7'],
    ['a task_id', json(200, { task_id: 'task_1', status: 'queued' }), 'task_1'],
    ['both ids', json(200, { id: 'one', task_id: 'two' }), 'one'],
    [
      'a long opaque id',
      json(200, { id: `video_${'bGl0ZWxsbQ=='.repeat(20)}` }),
      `video_${'bGl0ZWxsbQ=='.repeat(20)}`,
    ],
  ] as const)
    test(`with ${title} names the operation`, async () =>
      assert.deepEqual(await submit(answer), { operation }));

  for (const id of [undefined, null, '', 7, '..', '.', '/x', 'a b', 'a\n', 'ä', 'a'.repeat(1025)])
    test(`counts as unanswered with the id ${JSON.stringify(id)?.slice(0, 20)}`, async () =>
      assert.rejects(submit(json(200, { id })), { fault: 'unanswered' }));

  for (const [title, answer, fault] of [
    ['a refusal', json(400, { error: { message: 'No.', code: 'moderation_blocked' } }), 'rejected'],
    ['a bad key', json(401, { error: { message: 'No.', code: 'invalid_api_key' } }), 'operator'],
    ['an unknown model', json(404, { error: { message: 'No.', code: 'model_not_found' } }), 'retired'],
    ['too many requests', json(429, { error: { message: 'No.', code: 'rate_limit_exceeded' } }), 'busy'],
    ['a used-up account', json(429, { error: { message: 'No.', code: 'insufficient_quota' } }), 'operator'],
    ['a failure', json(500, { error: 'No.' }), 'failing'],
    ['a gateway', html(504), 'unanswered'],
    ['a page', html(200), 'unanswered'],
    ['no content', (response) => void response.writeHead(204).end(), 'unanswered'],
    ['a broken connection', reset, 'unanswered'],
  ] as const satisfies readonly (readonly [string, Answer, string])[])
    test(`that is ${title} is ${fault}`, async () => assert.rejects(submit(answer), { fault }));

  test('that never comes counts as unanswered', async () =>
    assert.rejects(submit(silence, { submit: 300, check: 300 }), { fault: 'unanswered' }));

  test('that is longer than a megabyte counts as unanswered', async () =>
    assert.rejects(submit(json(200, { ...VIDEO, prompt: 'a'.repeat(1_000_000) })), {
      fault: 'unanswered',
      message: 'The response of the generator is too large.',
    }));
});

describe('a job of the Videos API', () => {
  const check = async (change: object) => {
    await using server = await startRecorder(json(200, { ...VIDEO, ...change }));
    const state = await videosAt(server.url).check('video_68d7');
    assert.deepEqual(
      [server.only().line, server.only().authorization],
      ['GET /base/v1/videos/video_68d7', 'Bearer secret'],
    );
    return state;
  };

  for (const status of ['queued', 'in_progress', 'processing', 'pending', 'unknown', 'anything', 'toString'])
    test(`that is ${status} is pending`, async () =>
      assert.deepEqual(await check({ status }), { state: 'pending' }));

  for (const status of ['completed', 'succeeded'])
    test(`that is ${status} is done, and has the address of its content`, async () =>
      assert.deepEqual(await check({ status }), {
        state: 'done',
        source: { kind: 'address', uri: '/base/v1/videos/video_68d7/content' },
      }));

  for (const [status, message] of [
    ['failed', 'The generator failed.'],
    ['error', 'The generator failed.'],
    ['cancelled', 'The generator cancelled the video.'],
    ['canceled', 'The generator cancelled the video.'],
    ['expired', 'The video expired at the generator.'],
  ] as const)
    test(`that is ${status} failed`, async () =>
      assert.deepEqual(await check({ status }), {
        state: 'failed',
        error: { code: 'upstream_unavailable', message },
      }));

  test('with an id that needs escaping is looked up by it', async () => {
    await using server = await startRecorder(json(200, VIDEO));
    await videosAt(server.url).check('a/../b?c=d');
    assert.equal(server.only().line, 'GET /base/v1/videos/a%2F..%2Fb%3Fc%3Dd');
  });

  for (const operation of ['..', 'operations 1', ''])
    test(`is not looked up by "${operation}"`, async () => {
      await using server = await startRecorder(json(200, VIDEO));
      await assert.rejects(videosAt(server.url).check(operation), { fault: 'rejected' });
      await assert.rejects(videosAt(server.url).open(operation, { kind: 'inline' }), { fault: 'rejected' });
      assert.equal(server.seen.length, 0);
    });

  test('that is not found, or says when to ask again, keeps the meaning of polls', async () => {
    await using server = await startRecorder(
      error(404, 'NOT_FOUND', 'No.'),
      (response) => void response.writeHead(429, { 'retry-after': '9' }).end(),
    );
    const videos = videosAt(server.url);
    await assert.rejects(videos.check('video_68d7'), { fault: 'operator', httpStatus: 404 });
    await assert.rejects(videos.check('video_68d7'), { fault: 'busy', retryAfterSeconds: 9 });
  });
});

describe('the content of the Videos API', () => {
  const open = async (url: string, timeouts = TIMEOUTS) => {
    const source = { kind: 'address', uri: 'ignored' } as const;
    const video = await videosAt(url, { timeouts }).open('video_68d7', source);
    return Buffer.concat(await Array.fromAsync(video));
  };

  test('is downloaded with the key', async () => {
    await using server = await startRecorder(file);
    assert.ok((await open(server.url)).equals(wholeMp4()));
    const { line, authorization } = server.only();
    assert.deepEqual([line, authorization], ['GET /base/v1/videos/video_68d7/content', 'Bearer secret']);
  });

  test('is downloaded from another host without the key, and from its own with it', async () => {
    const redirect =
      (location: string): Answer =>
      (response) =>
        void response.writeHead(302, { location }).end();
    await using server = await startRecorder(
      redirect('/moved'),
      (response, { port }) => redirect(`http://localhost:${port}/signed?x=1`)(response, { port }),
      file,
    );
    assert.ok((await open(server.url)).equals(wholeMp4()));
    assert.deepEqual(
      server.seen.map(({ line, host, authorization }) => [line, host.split(':')[0], authorization]),
      [
        ['GET /base/v1/videos/video_68d7/content', '127.0.0.1', 'Bearer secret'],
        ['GET /moved', '127.0.0.1', 'Bearer secret'],
        ['GET /signed?x=1', 'localhost', undefined],
      ],
    );
  });

  test('is not downloaded from a weaker or an unknown protocol', async () => {
    await using server = await startRecorder(
      (response) => void response.writeHead(302, { location: 'ftp://127.0.0.1/1' }).end(),
    );
    await assert.rejects(open(server.url), { fault: 'rejected' });
  });

  test('that breaks off or takes too long is an error', async () => {
    await using server = await startRecorder(brokenOff, trickle);
    await assert.rejects(open(server.url), { fault: 'unanswered' });
    await assert.rejects(open(server.url, { submit: 300, check: 300 }), { fault: 'unanswered' });
  });
});

/** A server that makes a video after two polls; its content has these answers. */
const startVideosApi = (...content: readonly Answer[]) => {
  let [polls, downloads] = [0, 0];
  const server = startRecorder((response, at) => {
    const { line } = at.request;
    if (line.startsWith('POST')) return json(200, VIDEO)(response, at);
    if (line.endsWith('/content')) {
      downloads += 1;
      return (content[downloads - 1] ?? file)(response, at);
    }
    polls += 1;
    return json(200, { ...VIDEO, status: polls < 3 ? 'processing' : 'completed' })(response, at);
  });
  return server;
};

describe('a task at a server of the Videos API', () => {
  test('is made from the submit to the file, with its id as idempotency key', async () => {
    await using server = await startVideosApi();
    const { task } = await driveTask(videosAt(server.url, { style: 'metadata' }));
    assert.equal(task.status, 'completed');
    assert.equal(server.seen[0]?.headers['idempotency-key'], task.id);
  });

  for (const status of [400, 409, 425])
    test(`is fetched again if its content answers ${status} just after its end`, async () => {
      await using server = await startVideosApi(json(status, { error: { message: 'Not ready.' } }));
      const { task } = await driveTask(videosAt(server.url, { style: 'metadata' }));
      assert.equal(task.status, 'completed');
      assert.equal(server.seen.filter(({ line }) => line.endsWith('/content')).length, 2);
    });
});
