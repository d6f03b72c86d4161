import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imagePart, textPart } from '../../../../functions/images/domain/image-request.ts';
import { upstreamClient, upstreamErrorOf } from '../../../../functions/upstream/adapters/upstream-client.ts';
import { upstreamImages } from '../../../../functions/upstream/adapters/upstream-images.ts';
import { upstreamVideos } from '../../../../functions/upstream/adapters/upstream-videos.ts';
import { IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { aTask } from '../../../support/builders/task.ts';

type Sent = { readonly url: string; readonly init: RequestInit };

/** A client whose calls are answered in turn, and what it sent; an Error stands for a broken connection. */
const world = (answers: readonly (Response | Error)[], baseUrl = 'https://upstream.test/base/') => {
  const sent: Sent[] = [];
  const client = upstreamClient({
    baseUrl,
    keyHeader: 'x-key',
    apiKey: async () => 'secret',
    models: { 'video-3.1-generate-preview': 'their-video' },
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      const answer = answers[sent.length - 1];
      if (answer === undefined || answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { client, sent };
};

const readBody = async ({ init }: Sent): Promise<unknown> =>
  JSON.parse(await new Response(init.body, {}).text());
const OPTIONS = { timeoutMs: 1000, maxBytes: 20 };
const networkFailure = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

describe('a call to the upstream', () => {
  test('goes to its base address with its key, and follows no redirect', async () => {
    const { client, sent } = world([Response.json({ a: 1 })]);
    assert.deepEqual(await client.call('v1beta/x', OPTIONS), { a: 1 });
    const [{ url, init } = assert.fail()] = sent;
    assert.deepEqual(
      [url, init.method, init.redirect, init.headers, init.body],
      ['https://upstream.test/base/v1beta/x', 'GET', 'manual', { 'x-key': 'secret' }, undefined],
    );
  });

  test('with a body is a POST of JSON', async () => {
    const { client, sent } = world([Response.json({})]);
    await client.call('x', { ...OPTIONS, body: { a: 1 } });
    const [call = assert.fail()] = sent;
    assert.deepEqual([call.init.method, await readBody(call)], ['POST', { a: 1 }]);
    assert.deepEqual(call.init.headers, { 'content-type': 'application/json', 'x-key': 'secret' });
  });

  test('ends after its time', async (context) => {
    const timeout = context.mock.method(AbortSignal, 'timeout');
    const { client, sent } = world([Response.json({})]);
    await client.call('x', OPTIONS);
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [1000]);
    assert.equal(sent[0]?.init.signal, timeout.mock.calls[0]?.result);
  });

  for (const [length, fits] of [
    [20, true],
    [21, false],
  ] as const)
    test(`${fits ? 'takes' : 'does not take'} an answer of ${length} bytes where 20 are allowed`, async () => {
      const { client } = world([new Response(`"${'a'.repeat(length - 2)}"`)]);
      const call = client.call('x', OPTIONS);
      await (fits
        ? call
        : assert.rejects(call, {
            fault: 'unanswered',
            message: 'The generator sent more than can be taken.',
          }));
    });

  test('whose answer is no JSON was perhaps answered', async () => {
    await assert.rejects(world([new Response('<p>')]).client.call('x', OPTIONS), { fault: 'unanswered' });
  });

  for (const [code, fault] of [
    ['ECONNREFUSED', 'failing'],
    ['ENOTFOUND', 'failing'],
    ['EAI_AGAIN', 'failing'],
    ['EHOSTUNREACH', 'failing'],
    ['ENETUNREACH', 'failing'],
    ['UND_ERR_CONNECT_TIMEOUT', 'failing'],
    ['ECONNRESET', 'unanswered'],
    ['UND_ERR_HEADERS_TIMEOUT', 'unanswered'],
  ] as const)
    test(`that ends with ${code} is ${fault}`, async () => {
      const failure = networkFailure(code);
      await assert.rejects(world([failure]).client.call('x', OPTIONS), { fault, cause: failure });
    });

  test('whose key cannot be read is not made', async () => {
    const cause = new Error('no secret');
    const client = upstreamClient({
      baseUrl: 'https://upstream.test',
      keyHeader: 'x-key',
      apiKey: () => Promise.reject(cause),
      models: {},
      fetch: () => assert.fail('nothing is sent'),
    });
    await assert.rejects(client.call('x', OPTIONS), { fault: 'failing', cause });
  });
});

describe('an error of the upstream', () => {
  const body = (status: string, details: readonly object[] = [], message = 'No.') => ({
    error: { message, status, details },
  });
  const daily = [{ violations: [{ quotaId: 'PerMinute' }, { quotaId: 'RequestsPerDayPerProject' }] }];

  for (const [status, answer, fault] of [
    [400, body('INVALID_ARGUMENT'), 'rejected'],
    [400, body('FAILED_PRECONDITION'), 'operator'],
    [400, body('INVALID_ARGUMENT', [{ reason: 'OTHER' }, { reason: 'API_KEY_INVALID' }]), 'operator'],
    [401, {}, 'operator'],
    [402, {}, 'operator'],
    [403, {}, 'operator'],
    [404, {}, 'operator'],
    [408, {}, 'unanswered'],
    [409, {}, 'rejected'],
    [413, {}, 'rejected'],
    [429, body('RESOURCE_EXHAUSTED'), 'busy'],
    [429, body('RESOURCE_EXHAUSTED', [{ violations: [{ quotaId: 'PerMinute' }, {}] }]), 'busy'],
    [429, body('RESOURCE_EXHAUSTED', daily), 'exhausted'],
    [500, {}, 'failing'],
    [502, {}, 'unanswered'],
    [503, {}, 'failing'],
    [504, {}, 'unanswered'],
    [599, {}, 'failing'],
    [302, {}, 'operator'],
  ] as const)
    test(`of ${status} ${JSON.stringify(answer)} is ${fault}`, async () => {
      const error = await upstreamErrorOf(Response.json(answer, { status }));
      assert.deepEqual([error.fault, error.httpStatus], [fault, status]);
    });

  for (const [delay, header, seconds] of [
    ['34s', '5', 34],
    ['0.5s', undefined, 0.5],
    ['12', undefined, 12],
    ['soon', '5', 5],
    [undefined, '120', 120],
    [undefined, 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    [undefined, '5 s', undefined],
    [undefined, undefined, undefined],
  ] as const)
    test(`with the delay ${delay} and retry-after ${header} asks for ${seconds} seconds`, async () => {
      const details = delay === undefined ? [{}] : [{}, { retryDelay: delay }];
      const headers = header === undefined ? {} : { 'retry-after': header };
      const { retryAfterSeconds } = await upstreamErrorOf(
        Response.json(body('UNAVAILABLE', details), { status: 503, headers }),
      );
      assert.equal(retryAfterSeconds, seconds);
    });

  test('has its words, or its status where it has none', async () => {
    const messages = [
      Response.json(body('X'), { status: 400 }),
      new Response('<p>', { status: 503 }),
      new Response('', { status: 500 }),
    ];
    assert.deepEqual(
      await Promise.all(messages.map(async (answer) => (await upstreamErrorOf(answer)).message)),
      ['No.', 'The generator answered 503.', 'The generator answered 500.'],
    );
  });
});

describe('a download', () => {
  const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });
  const read = async (video: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(video)).toString();

  test('follows five redirects, with the key for the upstream alone', async () => {
    const places = ['/one', 'https://files.test/two', '/three', 'https://upstream.test/four', '/five'];
    const { client, sent } = world([...places.map(redirect), new Response('mp4')]);
    assert.equal(await read(await client.download('/v1beta/files/1', 5)), 'mp4');
    assert.deepEqual(
      sent.map(({ url, init }) => [url, Object(init.headers)['x-key']]),
      [
        ['https://upstream.test/v1beta/files/1', 'secret'],
        ['https://upstream.test/one', 'secret'],
        ['https://files.test/two', undefined],
        ['https://files.test/three', undefined],
        ['https://upstream.test/four', 'secret'],
        ['https://upstream.test/five', 'secret'],
      ],
    );
  });

  test('does not follow a sixth', async () => {
    const { client, sent } = world(Array.from({ length: 7 }, () => redirect('/again')));
    await assert.rejects(client.download('/1', 5), {
      fault: 'failing',
      message: 'The generator redirects too often.',
    });
    assert.equal(sent.length, 6);
  });

  for (const [from, to, isTrusted] of [
    ['https://upstream.test', 'http://files.test/1', false],
    ['https://upstream.test', 'https://files.test/1', true],
    ['http://upstream.test', 'http://files.test/1', true],
    ['http://upstream.test', 'ftp://files.test/1', false],
    ['https://upstream.test', 'http://[', false],
  ] as const)
    test(`from ${from} ${isTrusted ? 'goes' : 'does not go'} to ${to}`, async () => {
      const { client } = world([redirect(to), new Response('mp4')], from);
      const video = client.download('/1', 5);
      await (isTrusted ? video : assert.rejects(video, { fault: 'rejected' }));
    });

  test('that is refused, empty or a redirect to nowhere fails', async () => {
    for (const [answer, fault] of [
      [new Response('', { status: 404 }), 'operator'],
      [new Response(null, { status: 200 }), 'failing'],
      [new Response(null, { status: 304 }), 'operator'],
    ] as const)
      await assert.rejects(world([answer]).client.download('/1', 5), { fault });
  });
});

describe('a request for a video', () => {
  const input = (role: 'first_frame' | 'last_frame' | 'reference', byte: number) => ({
    role,
    mimeType: 'image/png' as const,
    bytes: Uint8Array.of(byte),
  });
  const image = (bytesBase64Encoded: string) => ({ bytesBase64Encoded, mimeType: 'image/png' });
  const submit = async (inputs: readonly ReturnType<typeof input>[]) => {
    const { client, sent } = world([Response.json({ name: 'operations/1' })]);
    const request = { ...aTask().request, negativePrompt: 'fog' };
    assert.equal(await upstreamVideos(client, 5).submit(request, inputs), 'operations/1');
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
    test(`with ${name} has them where the upstream looks for them`, async () => {
      const { url, body } = await submit(inputs);
      assert.equal(url, 'https://upstream.test/base/v1beta/models/their-video:predictLongRunning');
      assert.deepEqual(body, { instances: [{ prompt: 'a lighthouse', ...instance }], parameters });
    });

  for (const name of ['', 'operations/1?x', 'a b', 7])
    test(`that is answered with the operation ${JSON.stringify(name)} was perhaps taken`, async () => {
      const { client } = world([Response.json({ name })]);
      await assert.rejects(upstreamVideos(client, 5).submit(aTask().request, []), { fault: 'unanswered' });
    });
});

describe('an operation', () => {
  const check = (answer: object) =>
    upstreamVideos(world([Response.json(answer)]).client, 5).check('operations/1');
  const response = (generateVideoResponse: object) => ({ done: true, response: { generateVideoResponse } });
  const failure = (code: string, message: string) => ({ state: 'failed', error: { code, message } });

  for (const [name, answer, state] of [
    ['is pending without a word', {}, { state: 'pending' }],
    ['is pending that is not done', { done: false }, { state: 'pending' }],
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

  test('that cannot be read is asked for again', async () => {
    await assert.rejects(check({ done: 'yes' }), { fault: 'failing' });
  });

  test('has 30 seconds to answer, and a submit 40', async (context) => {
    const timeout = context.mock.method(AbortSignal, 'timeout');
    const { client } = world([
      Response.json({ name: 'operations/1' }),
      Response.json({}),
      new Response('mp4'),
    ]);
    const videos = upstreamVideos(client, 777);
    await videos.submit(aTask().request, []);
    await videos.check('operations/1');
    await videos.open('operations/1', { kind: 'address', uri: '/1' });
    assert.deepEqual(
      timeout.mock.calls.map(({ arguments: [milliseconds] }) => milliseconds),
      [40_000, 30_000, 777],
    );
  });

  test('gives the video inside it, and says when it has none any more', async () => {
    const encodedVideo = Buffer.alloc(100_000, 7).toString('base64');
    const { client } = world([
      Response.json(response({ generatedSamples: [{ video: { encodedVideo } }] })),
      Response.json(response({})),
    ]);
    const videos = upstreamVideos(client, 5);
    const chunks = await Array.fromAsync(await videos.open('operations/1', { kind: 'inline' }));
    assert.deepEqual(
      chunks.map(({ length }) => length),
      [65_536, 34_464],
    );
    assert.ok(Buffer.concat(chunks).equals(Buffer.alloc(100_000, 7)));
    await assert.rejects(videos.open('operations/1', { kind: 'inline' }), { fault: 'rejected' });
  });
});

describe('a request for an image', () => {
  const generate = async (change: Partial<typeof IMAGE_REQUEST>) => {
    const { client, sent } = world([Response.json({})]);
    await upstreamImages(client).generate({ ...IMAGE_REQUEST, ...change }, { timeoutMs: 5000 });
    const [call = assert.fail()] = sent;
    return { url: call.url, body: await readBody(call) };
  };

  test('has turns, instructions, settings and sizes where the upstream looks for them', async () => {
    const picture = imagePart({ bytes: Uint8Array.of(1), mimeType: 'image/png' as const });
    const { url, body } = await generate({
      turns: [{ role: 'user', parts: [textPart('A fox'), { ...picture, signature: 'signed' }] }],
      systemInstruction: 'Be brief.',
      safetySettings: [{ category: 'C', threshold: 'T' }],
      config: { aspectRatio: '1:1', imageSize: undefined },
      sampling: { maxOutputTokens: 9, temperature: 0, topP: 0.5, seed: 0 },
    });
    assert.equal(
      url,
      'https://upstream.test/base/v1beta/models/image-3.1-flash-image-preview:generateContent',
    );
    assert.deepEqual(body, {
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'A fox' },
            { inlineData: { mimeType: 'image/png', data: 'AQ==' }, thoughtSignature: 'signed' },
          ],
        },
      ],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      safetySettings: [{ category: 'C', threshold: 'T' }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        maxOutputTokens: 9,
        temperature: 0,
        topP: 0.5,
        seed: 0,
        imageConfig: { aspectRatio: '1:1' },
      },
    });
  });

  for (const [config, imageConfig] of [
    [{ aspectRatio: undefined, imageSize: undefined }, undefined],
    [{ aspectRatio: undefined, imageSize: '2K' }, { imageSize: '2K' }],
  ] as const)
    test(`for the size ${config.imageSize} has the configuration ${JSON.stringify(imageConfig)}`, async () => {
      const { body } = await generate({ config });
      assert.deepEqual(Object(body).generationConfig.imageConfig, imageConfig);
    });
});
