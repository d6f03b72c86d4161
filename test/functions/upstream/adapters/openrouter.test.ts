import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openRouterClient, openRouterVideos } from '../../../../functions/upstream/adapters/openrouter.ts';
import type { LoadedInput } from '../../../../functions/upstream/domain/video-generator.ts';
import type { TaskRequest } from '../../../../functions/videos/domain/task.ts';
import { aTask } from '../../../support/builders/task.ts';
import { driveTask } from '../../../support/drive-task.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import { RECORDED_FAILURES } from '../recorded/failures.ts';
import { JOB_ID, OPENROUTER_JOBS } from '../recorded/openrouter.ts';
import { credentialFrom } from './answering-client.ts';
import { readJson, rotatingCredential, startRecorder } from './recording-server.ts';
import { brokenOff, file, html, json, reset, silence } from './upstream-answers.ts';
import type { Answer } from './upstream-server.ts';

const TIMEOUTS = { submit: 20_000, check: 20_000 };

const videosAt = (url: string, credential = credentialFrom(async () => 'secret'), timeouts = TIMEOUTS) =>
  openRouterVideos(
    openRouterClient({ baseUrl: `${url}/api/v1`, credential, modelName: () => 'google/veo-3.1', fetch }),
    20_000,
    timeouts,
  );

const accepted = json(202, OPENROUTER_JOBS.pending);
const input = (role: LoadedInput['role'], byte: number, mimeType: LoadedInput['mimeType']): LoadedInput => ({
  role,
  mimeType,
  bytes: Uint8Array.of(byte),
});
const frame = (url: string, frame_type: string) => ({ type: 'image_url', image_url: { url }, frame_type });

describe('a request for a video at OpenRouter', () => {
  const submit = async (change: Partial<TaskRequest>, inputs: readonly LoadedInput[] = []) => {
    await using server = await startRecorder(accepted);
    const request = { ...aTask().request, ...change };
    assert.equal(await videosAt(server.url).submit(request, inputs, 'key'), JOB_ID);
    return server.only();
  };
  const BODY = {
    model: 'google/veo-3.1',
    prompt: 'a lighthouse',
    duration: 6,
    resolution: '720p',
    aspect_ratio: '16:9',
    generate_audio: true,
    seed: 0,
  };

  test('is a POST of JSON with a bearer token', async () => {
    const { line, authorization, headers } = await submit({});
    assert.deepEqual(
      [line, authorization, headers['content-type']],
      ['POST /api/v1/videos', 'Bearer secret', 'application/json'],
    );
  });

  for (const [title, change, inputs, expected] of [
    ['a text and a seed of 0', {}, [], BODY],
    ['no seed', { seed: undefined }, [], { ...BODY, seed: undefined }],
    [
      'the other values',
      { seconds: 8, resolution: '4k', aspectRatio: '9:16', seed: 4_294_967_295 },
      [],
      { ...BODY, duration: 8, resolution: '4K', aspect_ratio: '9:16', seed: 4_294_967_295 },
    ],
    ['1080p', { resolution: '1080p' }, [], { ...BODY, resolution: '1080p' }],
    [
      'a negative prompt',
      { negativePrompt: 'fog' },
      [],
      { ...BODY, provider: { options: { 'google-vertex': { parameters: { negativePrompt: 'fog' } } } } },
    ],
    [
      'a first frame without a prompt',
      { prompt: '' },
      [input('first_frame', 1, 'image/png')],
      { ...BODY, prompt: undefined, frame_images: [frame('data:image/png;base64,AQ==', 'first_frame')] },
    ],
    [
      'two frames',
      {},
      [input('first_frame', 1, 'image/png'), input('last_frame', 2, 'image/jpeg')],
      {
        ...BODY,
        frame_images: [
          frame('data:image/png;base64,AQ==', 'first_frame'),
          frame('data:image/jpeg;base64,Ag==', 'last_frame'),
        ],
      },
    ],
  ] as const)
    test(`with ${title} has the form that OpenRouter documents`, async () =>
      assert.deepEqual(readJson(await submit(change, inputs)), JSON.parse(JSON.stringify(expected))));

  test('with a large image has its content-length', async () => {
    const large = { ...input('first_frame', 1, 'image/png'), bytes: Buffer.alloc(1_000_001, 7) };
    const recorded = await submit({}, [large]);
    assert.equal(recorded.headers['content-length'], String(recorded.body.length));
    const sent = JSON.stringify(readJson(recorded));
    assert.ok(sent.includes(`"data:image/png;base64,${large.bytes.toString('base64')}"`));
  });

  test('is never sent with reference images, whose effect is not documented', async () => {
    await using server = await startRecorder(accepted);
    const references = [input('reference', 1, 'image/png')];
    await assert.rejects(videosAt(server.url).submit(aTask().request, references, 'key'), {
      fault: 'operator',
    });
    assert.equal(server.seen.length, 0);
  });

  test('is repeated with a rotated key, with the whole body', async () => {
    await using server = await startRecorder(json(401, { error: { code: 401, message: 'No.' } }), accepted);
    const images = [{ ...input('first_frame', 1, 'image/png'), bytes: Buffer.alloc(200_000, 7) }];
    const videos = videosAt(server.url, rotatingCredential('old', 'new'));
    assert.equal(await videos.submit(aTask().request, images, 'key'), JOB_ID);
    const [first, second] = server.seen;
    assert.deepEqual(
      server.seen.map(({ authorization }) => authorization),
      ['Bearer old', 'Bearer new'],
    );
    assert.ok(first !== undefined && second !== undefined && first.body.equals(second.body));
  });
});

describe('the answer of OpenRouter to a submit', () => {
  const submit = async (answer: Answer, timeouts = TIMEOUTS) => {
    await using server = await startRecorder(answer);
    const credential = credentialFrom(async () => 'secret');
    return { operation: await videosAt(server.url, credential, timeouts).submit(aTask().request, [], 'key') };
  };

  for (const status of [200, 201, 202])
    test(`of ${status} names the operation`, async () =>
      assert.deepEqual(await submit(json(status, OPENROUTER_JOBS.pending)), { operation: JOB_ID }));

  for (const id of [undefined, '', 7, '../x', 'a/b', 'a b', 'a'.repeat(129), 'a?b', 'ä', 'a\n'])
    test(`counts as unanswered with the id ${JSON.stringify(id)?.slice(0, 20)}`, async () =>
      assert.rejects(submit(json(202, { id, status: 'pending' })), { fault: 'unanswered' }));

  for (const [title, answer, fault, message] of [
    [
      'a flagged prompt',
      json(403, RECORDED_FAILURES.flagged),
      'rejected',
      RECORDED_FAILURES.flagged.error.message,
    ],
    ['no credit', json(402, RECORDED_FAILURES.noCredit), 'operator', 'Insufficient credits.'],
    [
      'an unknown model',
      json(404, { error: { code: 404, message: 'No endpoints.' } }),
      'retired',
      'No endpoints.',
    ],
    ['a request that is too large', json(413, { error: { code: 413, message: 'Big.' } }), 'rejected', 'Big.'],
    ['too many requests', json(429, { error: { code: 429, message: 'Slow.' } }), 'busy', 'Slow.'],
    ['a failure', json(500, { error: { code: 500, message: 'Oh.' } }), 'failing', 'Oh.'],
    ['a page', html(200), 'unanswered', 'The generator could not be reached.'],
    ['a broken connection', reset, 'unanswered', 'The generator could not be reached.'],
  ] as const)
    test(`of ${title} is ${fault}`, async () => assert.rejects(submit(answer), { fault, message }));

  test('that never comes counts as unanswered', async () =>
    assert.rejects(submit(silence, { submit: 300, check: 300 }), { fault: 'unanswered' }));

  test('of a flagged prompt does not make the key look refused', async () => {
    await using server = await startRecorder(json(403, RECORDED_FAILURES.flagged));
    const videos = videosAt(server.url, rotatingCredential('old', 'new'));
    await assert.rejects(videos.submit(aTask().request, [], 'key'), { fault: 'rejected' });
    assert.equal(server.seen.length, 1);
  });
});

describe('a job of OpenRouter', () => {
  const check = async (answer: (url: string) => object, operation = JOB_ID) => {
    await using server = await startRecorder((response, at) => json(200, answer(server.url))(response, at));
    const state = await videosAt(server.url).check(operation);
    assert.deepEqual(
      [server.only().line, server.only().authorization],
      [`GET /api/v1/videos/${JOB_ID}`, 'Bearer secret'],
    );
    return state;
  };
  const failure = (code: string, message: string) => ({ state: 'failed', error: { code, message } });
  const { pending, inProgress, completed, filtered, failed, cancelled, expired } = OPENROUTER_JOBS;

  for (const [title, job, state] of [
    ['that is pending', pending, { state: 'pending' }],
    ['in progress', inProgress, { state: 'pending' }],
    ['with an unknown status', { ...pending, status: 'upscaling' }, { state: 'pending' }],
    ['with a status that objects have', { ...pending, status: 'constructor' }, { state: 'pending' }],
    ['that Vertex AI filtered', filtered, failure('content_blocked', filtered.error)],
    ['that failed', failed, failure('upstream_unavailable', failed.error)],
    [
      'that failed without a reason',
      { ...failed, error: undefined },
      failure('upstream_unavailable', 'The generator failed.'),
    ],
    ['that was cancelled', cancelled, failure('upstream_unavailable', 'The generator cancelled the video.')],
    ['that expired', expired, failure('upstream_unavailable', 'The video expired at the generator.')],
  ] as const)
    test(`${title} has this state`, async () => assert.deepEqual(await check(() => job), state));

  const CONTENT = `/api/v1/videos/${JOB_ID}/content?index=0`;
  for (const [title, urls, uri] of [
    [
      'an absolute address of its own',
      (url: string) => [`${url}/api/v1/other/1?index=0`],
      '/api/v1/other/1?index=0',
    ],
    ['a relative address', () => ['/api/v1/videos/x/content?index=0'], '/api/v1/videos/x/content?index=0'],
    ['an address of another host', () => ['https://elsewhere.test/1'], CONTENT],
    ['an address without a scheme', () => ['//elsewhere.test/1'], CONTENT],
    ['an address with a path of two slashes', (url: string) => [`${url}//elsewhere.test/1`], CONTENT],
    ['an address that is none', () => ['http://['], CONTENT],
    ['no address', () => [], CONTENT],
    ['a missing list', () => undefined, CONTENT],
  ] as const)
    test(`with ${title} is done, with a relative address and its cost`, async () => {
      const state = await check((url) => ({ ...completed, unsigned_urls: urls(url) }));
      assert.deepEqual(state, {
        state: 'done',
        source: { kind: 'address', uri },
        cost: { amount: '3.2', currency: 'USD' },
      });
    });

  for (const usage of [undefined, null, {}, { cost: null }, { cost: '3.20' }, { cost: -1 }])
    test(`with the usage ${JSON.stringify(usage)} has no cost`, async () => {
      const state = await check(() => ({ ...completed, usage }));
      assert.ok(state.state === 'done');
      assert.equal(state.cost, undefined);
    });

  test('is checked again if it cannot be read', async () => {
    await assert.rejects(
      check(() => ({ id: JOB_ID })),
      { fault: 'failing' },
    );
    await using server = await startRecorder(html(200));
    await assert.rejects(videosAt(server.url).check(JOB_ID), { fault: 'unanswered' });
  });

  for (const operation of ['models/veo/operations/1', '..', ''])
    test(`is not looked up by the operation "${operation}" of another kind of upstream`, async () => {
      await using server = await startRecorder(accepted);
      await assert.rejects(videosAt(server.url).check(operation), { fault: 'rejected' });
      await assert.rejects(videosAt(server.url).open(operation, { kind: 'inline' }), { fault: 'rejected' });
      assert.equal(server.seen.length, 0);
    });

  test('that is not found keeps the meaning of a 404 on a poll', async () => {
    await using server = await startRecorder(json(404, { error: { code: 404, message: 'Gone.' } }));
    await assert.rejects(videosAt(server.url).check(JOB_ID), { fault: 'operator', httpStatus: 404 });
  });
});

describe('the file of OpenRouter', () => {
  const open = async (videos: ReturnType<typeof videosAt>, uri: string) =>
    Buffer.concat(await Array.fromAsync(await videos.open(JOB_ID, { kind: 'address', uri })));

  for (const [title, source, path] of [
    ['its stored address', { kind: 'address', uri: '/files/1?index=0' }, '/files/1?index=0'],
    ['the address of its job', { kind: 'inline' }, `/api/v1/videos/${JOB_ID}/content?index=0`],
  ] as const)
    test(`is downloaded with the key from ${title}`, async () => {
      await using server = await startRecorder(file);
      const video = await videosAt(server.url).open(JOB_ID, source);
      assert.ok(Buffer.concat(await Array.fromAsync(video)).equals(wholeMp4()));
      const { line, authorization } = server.only();
      assert.deepEqual([line, authorization], [`GET ${path}`, 'Bearer secret']);
    });

  test('is downloaded after a redirect to another host without the key', async () => {
    await using elsewhere = await startRecorder(file);
    await using server = await startRecorder(
      (response) => void response.writeHead(302, { location: `${elsewhere.url}/signed` }).end(),
    );
    assert.ok((await open(videosAt(server.url), '/content')).equals(wholeMp4()));
    const tokens = [server, elsewhere].map(({ only }) => only().authorization);
    assert.deepEqual(tokens, ['Bearer secret', undefined]);
  });

  test('that breaks off is an error', async () => {
    await using server = await startRecorder(brokenOff);
    await assert.rejects(open(videosAt(server.url), '/content'), { fault: 'unanswered' });
  });

  for (const [status, fault] of [
    [409, 'rejected'],
    [410, 'rejected'],
    [404, 'operator'],
    [502, 'unanswered'],
  ] as const)
    test(`with status ${status} is ${fault}, which is tried again`, async () => {
      await using server = await startRecorder(json(status, { error: { code: status, message: 'No.' } }));
      await assert.rejects(open(videosAt(server.url), '/content'), { fault });
    });
});

test('a task is made at OpenRouter from the submit to the file', async () => {
  const { pending, inProgress, completed } = OPENROUTER_JOBS;
  let polls = 0;
  await using server = await startRecorder((response, at) => {
    const { line, host } = at.request;
    if (line === 'POST /api/v1/videos') return json(202, pending)(response, at);
    if (line === `GET /api/v1/videos/${JOB_ID}/content?index=0`) return file(response, at);
    assert.equal(line, `GET /api/v1/videos/${JOB_ID}`);
    polls += 1;
    const urls = [`http://${host}/api/v1/videos/${JOB_ID}/content?index=0`];
    return json(200, polls < 3 ? inProgress : { ...completed, unsigned_urls: urls })(response, at);
  });
  const { task } = await driveTask(videosAt(server.url));
  assert.deepEqual([task.status, task.upstreamCost], ['completed', { amount: '3.2', currency: 'USD' }]);
  assert.ok(server.seen.every(({ authorization }) => authorization === 'Bearer secret'));
});
