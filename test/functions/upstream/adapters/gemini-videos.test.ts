import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aTask } from '../../../support/builders/task.ts';
import { answeringClient, readBody } from './answering-client.ts';

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
    assert.equal(await client.videos(5).submit(request, inputs, 'key'), 'operations/1');
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
      await assert.rejects(client.videos(5).submit(aTask().request, [], 'key'), { fault: 'unanswered' });
    });
});

describe('an operation', () => {
  const check = (answer: object) =>
    answeringClient([Response.json(answer)])
      .client.videos(5)
      .check('operations/1');
  const response = (generateVideoResponse: object) => ({ done: true, response: { generateVideoResponse } });
  const error = (error: object) => ({ done: true, error });
  const withVideo = (video: object) => response({ generatedSamples: [{}, { video }] });

  for (const [name, answer, state] of [
    ['is pending if it is empty', {}, { state: 'pending' }],
    ['is pending if it is not done', { done: false }, { state: 'pending' }],
    [
      'is done with an address',
      withVideo({ uri: 'https://upstream.test/1' }),
      { state: 'done', source: { kind: 'address', uri: '/1' } },
    ],
    [
      'is done with a video inside',
      withVideo({ encodedVideo: 'AA==' }),
      { state: 'done', source: { kind: 'inline' } },
    ],
  ] as const)
    test(name, async () => assert.deepEqual(await check(answer), state));

  const [BLOCKED, OVER] = ['content_blocked', 'upstream_unavailable'];
  const NOTHING = 'The generator finished without a video.';
  for (const [name, answer, code, message] of [
    ['with an error of the client', error({ code: 3, message: 'Bad.' }), 'upstream_rejected', 'Bad.'],
    ['with a quota', error({ code: 8, message: 'Full.' }), 'rate_limited', 'Full.'],
    ['with another error', error({ code: 14 }), OVER, 'The generator failed.'],
    [
      'with an error beside a video',
      { ...withVideo({ uri: 'x' }), error: {} },
      OVER,
      'The generator failed.',
    ],
    ['for reasons', response({ raiMediaFilteredReasons: ['One.', 'Two.'] }), BLOCKED, 'One. Two.'],
    ['for no reason', response({ raiMediaFilteredCount: 1 }), BLOCKED, 'The generator filtered the video.'],
    ['with nothing', response({}), OVER, NOTHING],
    ['without an answer', { done: true }, OVER, NOTHING],
  ] as const)
    test(`failed ${name}`, async () =>
      assert.deepEqual(await check(answer), { state: 'failed', error: { code, message } }));

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
    const videos = client.videos(777);
    await videos.submit(aTask().request, [], 'key');
    await videos.check('operations/1');
    await videos.open('operations/1', { kind: 'address', uri: '/1' });
    const timeouts = timeout.mock.calls.map(({ arguments: [milliseconds] }) => milliseconds);
    assert.deepEqual(timeouts, [40_000, 30_000, 777]);
  });

  test('returns its first inline video, and fails if the video is gone', async () => {
    const encodedVideo = Buffer.alloc(100_000, 7).toString('base64');
    const { client } = answeringClient([
      Response.json(response({ generatedSamples: Array(2).fill({ video: { encodedVideo } }) })),
      Response.json(response({})),
    ]);
    const videos = client.videos(5);
    const chunks = await Array.fromAsync(await videos.open('operations/1', { kind: 'inline' }));
    assert.ok(Buffer.concat(chunks).equals(Buffer.alloc(100_000, 7)));
    await assert.rejects(videos.open('operations/1', { kind: 'inline' }), { fault: 'rejected' });
  });
});
