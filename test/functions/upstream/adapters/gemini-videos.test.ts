import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { geminiClient, geminiVideos } from '../../../../functions/upstream/adapters/gemini.ts';
import { videoKey } from '../../../../functions/videos/domain/media.ts';
import { aTask } from '../../../support/builders/task.ts';
import { driveTask } from '../../../support/drive-task.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import { answeringClient, credentialFrom, readBody } from './answering-client.ts';
import { file, redirectElsewhere, sample, silence, started, trickle } from './upstream-answers.ts';
import {
  type Behaviour,
  CHECK_BEHAVIOURS,
  FILE_BEHAVIOURS,
  SUBMIT_BEHAVIOURS,
} from './upstream-behaviours.ts';
import { type Answer, KEY_HEADER, startUpstream, type UpstreamAnswers } from './upstream-server.ts';

describe('a request for a video', () => {
  const input = (role: 'first_frame' | 'last_frame' | 'reference', byte: number) => ({
    role,
    mimeType: 'image/png' as const,
    bytes: Uint8Array.of(byte),
  });
  const image = (bytesBase64Encoded: string) => ({ bytesBase64Encoded, mimeType: 'image/png' });
  const submit = async (inputs: readonly ReturnType<typeof input>[], changes: { prompt?: string } = {}) => {
    const { client, sent } = answeringClient([Response.json({ name: 'operations/1' })]);
    const request = { ...aTask().request, negativePrompt: 'fog', ...changes };
    assert.equal(await geminiVideos(client, 5).submit(request, inputs, 'key'), 'operations/1');
    const [call = assert.fail()] = sent;
    return { url: call.url, body: await readBody(call) };
  };
  const parameters = {
    sampleCount: 1,
    durationSeconds: 6,
    aspectRatio: '16:9',
    resolution: '720p',
    negativePrompt: 'fog',
    seed: 0,
  };

  for (const [name, inputs, instance] of [
    ['a text', [], {}],
    ['a first frame', [input('first_frame', 1)], { image: image('AQ==') }],
    [
      'two frames',
      [input('last_frame', 2), input('first_frame', 1)],
      { image: image('AQ=='), lastFrame: image('Ag==') },
    ],
    [
      'references',
      [input('reference', 1), input('reference', 2)],
      {
        referenceImages: [
          { image: image('AQ=='), referenceType: 'asset' },
          { image: image('Ag=='), referenceType: 'asset' },
        ],
      },
    ],
  ] as const)
    test(`with ${name} has the form that the upstream expects`, async () => {
      const { url, body } = await submit(inputs);
      assert.equal(url, 'https://upstream.test/base/v1beta/models/their-video:predictLongRunning');
      assert.deepEqual(body, { instances: [{ prompt: 'a lighthouse', ...instance }], parameters });
    });

  test('without a prompt has no such field', async () => {
    const { body } = await submit([input('first_frame', 1)], { prompt: '' });
    assert.deepEqual(body, { instances: [{ image: image('AQ==') }], parameters });
  });

  for (const name of ['', 'operations/1?x', 'a b', 7])
    test(`counts as unanswered if the operation is named ${JSON.stringify(name)}`, async () => {
      const { client } = answeringClient([Response.json({ name })]);
      await assert.rejects(geminiVideos(client, 5).submit(aTask().request, [], 'key'), {
        fault: 'unanswered',
      });
    });
});

describe('an operation', () => {
  const check = (answer: object) =>
    geminiVideos(answeringClient([Response.json(answer)]).client, 5).check('operations/1');
  const response = (generateVideoResponse: object) => ({ done: true, response: { generateVideoResponse } });
  const failure = (code: string, message: string) => ({ state: 'failed', error: { code, message } });

  for (const [name, answer, state] of [
    ['is pending if it is empty', {}, { state: 'pending' }],
    ['is pending if it is not done', { done: false }, { state: 'pending' }],
    [
      'is done with an address',
      response({ generatedSamples: [{}, { video: { uri: 'https://upstream.test/1' } }] }),
      { state: 'done', source: { kind: 'address', uri: '/1' } },
    ],
    [
      'is done with a video inside',
      response({ generatedSamples: [{ video: { encodedVideo: 'AA==' } }] }),
      { state: 'done', source: { kind: 'inline' } },
    ],
    [
      'failed with an error of the client',
      { done: true, error: { code: 3, message: 'Bad.' } },
      failure('upstream_rejected', 'Bad.'),
    ],
    [
      'failed with a quota',
      { done: true, error: { code: 8, message: 'Full.' } },
      failure('rate_limited', 'Full.'),
    ],
    [
      'failed with another error',
      { done: true, error: { code: 14 } },
      failure('upstream_unavailable', 'The generator failed.'),
    ],
    [
      'failed with an error beside a video',
      { ...response({ generatedSamples: [{ video: { uri: 'x' } }] }), error: {} },
      failure('upstream_unavailable', 'The generator failed.'),
    ],
    [
      'was filtered with reasons',
      response({ raiMediaFilteredReasons: ['One.', 'Two.'] }),
      failure('content_blocked', 'One. Two.'),
    ],
    [
      'was filtered without one',
      response({ raiMediaFilteredCount: 1 }),
      failure('content_blocked', 'The generator filtered the video.'),
    ],
    [
      'finished with nothing',
      response({}),
      failure('upstream_unavailable', 'The generator finished without a video.'),
    ],
    [
      'finished without an answer',
      { done: true },
      failure('upstream_unavailable', 'The generator finished without a video.'),
    ],
  ] as const)
    test(name, async () => assert.deepEqual(await check(answer), state));

  test('is retried if it cannot be read', async () => {
    await assert.rejects(check({ done: 'yes' }), { fault: 'failing' });
  });

  test('has a timeout of 30 seconds, and a submit 40', async (context) => {
    const timeout = context.mock.method(AbortSignal, 'timeout');
    const { client } = answeringClient([
      Response.json({ name: 'operations/1' }),
      Response.json({}),
      new Response('mp4'),
    ]);
    const videos = geminiVideos(client, 777);
    await videos.submit(aTask().request, [], 'key');
    await videos.check('operations/1');
    await videos.open('operations/1', { kind: 'address', uri: '/1' });
    assert.deepEqual(
      timeout.mock.calls.map(({ arguments: [milliseconds] }) => milliseconds),
      [40_000, 30_000, 777],
    );
  });

  test('returns its inline video, and fails if the video is gone', async () => {
    const encodedVideo = Buffer.alloc(100_000, 7).toString('base64');
    const { client } = answeringClient([
      Response.json(response({ generatedSamples: [{ video: { encodedVideo } }] })),
      Response.json(response({})),
    ]);
    const videos = geminiVideos(client, 5);
    const chunks = await Array.fromAsync(await videos.open('operations/1', { kind: 'inline' }));
    assert.ok(Buffer.concat(chunks).equals(Buffer.alloc(100_000, 7)));
    await assert.rejects(videos.open('operations/1', { kind: 'inline' }), { fault: 'rejected' });
  });
});

const PLAIN: Required<UpstreamAnswers> = { submit: [started], check: [sample], file: [file] };
/** Long for answers that arrive even on a busy machine; short if none ever arrives. */
const TIMEOUTS_MS = { answered: 20_000, silent: 1200 };

const isSilent = (answers: UpstreamAnswers): boolean =>
  Object.values(answers)
    .flat()
    .some((answer) => answer === silence || answer === trickle);

const driveThrough = async (answers: UpstreamAnswers, apiKey = async () => 'secret') => {
  await using server = await startUpstream({ ...PLAIN, ...answers });
  const client = geminiClient({
    baseUrl: server.baseUrl,
    keyHeader: KEY_HEADER,
    credential: credentialFrom(apiKey),
    modelName: (model) => model,
    fetch,
  });
  const timeoutMs = isSilent(answers) ? TIMEOUTS_MS.silent : TIMEOUTS_MS.answered;
  const generator = geminiVideos(client, timeoutMs, { submit: timeoutMs, check: timeoutMs });
  return { ...(await driveTask(generator)), server };
};

const check = async ({ answers, outcome, submits, message, seconds }: Behaviour): Promise<void> => {
  const driven = await driveThrough(answers);
  const { task, charges, media, server } = driven;
  assert.equal(task.error?.code ?? task.status, outcome);
  assert.equal(server.requests('submit').length, submits);
  assert.equal(charges.length, outcome === 'completed' ? 1 : 0);
  assert.deepEqual(media.keys(), outcome === 'completed' ? [videoKey(task)] : []);
  if (outcome === 'completed') assert.deepEqual(media.get(videoKey(task)), wholeMp4());
  if (message !== undefined) assert.equal(task.error?.message, message);
  const [atLeast, atMost] = seconds ?? [0, Number.POSITIVE_INFINITY];
  assert.ok(driven.seconds >= atLeast && driven.seconds <= atMost, `took ${driven.seconds} s`);
};

const BEHAVIOURS = { submit: SUBMIT_BEHAVIOURS, check: CHECK_BEHAVIOURS, file: FILE_BEHAVIOURS };

for (const [call, behaviours] of Object.entries(BEHAVIOURS))
  describe(`answers of the upstream to ${call}`, { concurrency: true }, () => {
    for (const behaviour of behaviours)
      test(`${behaviour.name}: ${behaviour.outcome} after ${behaviour.submits} submits`, () =>
        check(behaviour));
  });

test('a key that can be read only now and then delays a task but does not fail it', async () => {
  let reads = 0;
  const { task, charges, server } = await driveThrough({}, async () => {
    reads += 1;
    if (reads <= 20 || reads % 2 === 0) throw new Error('Secrets Manager is down');
    return 'secret';
  });
  assert.deepEqual([task.status, charges.length, server.requests('submit').length], ['completed', 1, 1]);
});

test('the key is not sent to another host after a redirect', async () => {
  const { task, server } = await driveThrough({ file: [redirectElsewhere, file] });
  assert.equal(task.status, 'completed');
  const port = new URL(server.baseUrl).port;
  assert.deepEqual(
    server.requests('file').map(({ host, key }) => [host, key]),
    [
      [`127.0.0.1:${port}`, 'secret'],
      [`localhost:${port}`, undefined],
    ],
  );
  assert.ok(server.requests('submit').every(({ key }) => key === 'secret'));
  assert.ok(server.requests('check').every(({ key }) => key === 'secret'));
});

test('the key is not sent to another port of the same host', async () => {
  await using another = await startUpstream(PLAIN);
  const elsewhere: Answer = (response) =>
    void response.writeHead(302, { location: `${another.baseUrl}/files/1` }).end();
  const { task, server } = await driveThrough({ file: [elsewhere] });
  assert.equal(task.status, 'completed');
  const keys = [server, another].map(({ requests }) => requests('file').map(({ key }) => key));
  assert.deepEqual(keys, [['secret'], [undefined]]);
});

test('a submit asks for one video with the options of the task', async () => {
  const { server } = await driveThrough({});
  const parameters = { sampleCount: 1, durationSeconds: 6, aspectRatio: '16:9', resolution: '720p', seed: 0 };
  assert.deepEqual(
    server.requests('submit').map(({ body }) => body),
    [{ instances: [{ prompt: 'a lighthouse' }], parameters }],
  );
});
