import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAnswer } from '../../../../../functions/upstream/adapters/image-format.ts';
import { readFailure } from '../../../../../functions/upstream/adapters/upstream-http.ts';
import { geminiClient } from '../../../../../functions/upstream/kinds/gemini/adapter.ts';
import { answeringClient, credentialFrom } from '../../adapters/answering-client.ts';

const OPTIONS = { timeoutMs: 1000, maxBytes: 20 };
const networkFailure = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

describe('a call to the upstream', () => {
  test('goes to the base URL with the key and follows no redirect', async () => {
    const { client, sent } = answeringClient([Response.json({ a: 1 })]);
    assert.deepEqual(await client.call('v1beta/x', OPTIONS), { a: 1 });
    const [{ url, init } = assert.fail()] = sent;
    assert.deepEqual(
      [url, init.method, init.redirect, init.headers, init.body],
      ['https://upstream.test/base/v1beta/x', 'GET', 'manual', { 'x-key': 'secret' }, undefined],
    );
  });

  for (const [length, fits] of [
    [20, true],
    [21, false],
  ] as const)
    test(`${fits ? 'accepts' : 'refuses'} a response of ${length} bytes if 20 are allowed`, async () => {
      const { client } = answeringClient([new Response(`"${'a'.repeat(length - 2)}"`)]);
      const call = client.call('x', OPTIONS);
      const tooLarge = { fault: 'unanswered', message: 'The response of the generator is too large.' };
      await (fits ? call : assert.rejects(call, tooLarge));
    });

  test('counts as unanswered if the response is not JSON', async () => {
    const { client } = answeringClient([new Response('<p>')]);
    await assert.rejects(client.call('x', OPTIONS), { fault: 'unanswered' });
  });

  const refused = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
  for (const [code, fault] of [
    ...[...refused, 'UND_ERR_CONNECT_TIMEOUT'].map((code) => [code, 'failing'] as const),
    ...['ECONNRESET', 'UND_ERR_HEADERS_TIMEOUT'].map((code) => [code, 'unanswered'] as const),
  ])
    test(`that fails with ${code} is ${fault}`, async () => {
      const failure = networkFailure(code);
      await assert.rejects(answeringClient([failure]).client.call('x', OPTIONS), { fault, cause: failure });
    });

  test('is not made if the key cannot be read', async () => {
    const cause = new Error('no secret');
    const client = geminiClient({
      modelName: () => 'veo',
      baseUrl: 'https://upstream.test',
      keyHeader: 'x-key',
      credential: credentialFrom(() => Promise.reject(cause)),
      fetch: () => assert.fail('nothing is sent'),
    });
    await assert.rejects(client.call('x', OPTIONS), { fault: 'failing', cause });
  });
});

describe('a download', () => {
  const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });
  const read = async (video: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(video)).toString();

  test('follows five redirects and sends the key only to the upstream', async () => {
    const places = ['/one', 'https://files.test/two', '/three', 'https://upstream.test/four', '/five'];
    const { client, sent } = answeringClient([...places.map(redirect), new Response('mp4')]);
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

  test('does not follow a sixth redirect', async () => {
    const { client, sent } = answeringClient(Array.from({ length: 7 }, () => redirect('/again')));
    await assert.rejects(client.download('/1', 5), {
      fault: 'failing',
      message: 'The generator redirected too often.',
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
      const { client } = answeringClient([redirect(to), new Response('mp4')], from);
      const video = client.download('/1', 5);
      await (isTrusted ? video : assert.rejects(video, { fault: 'rejected' }));
    });

  test('fails if it is refused, empty or a redirect without a location', async () => {
    for (const [answer, fault] of [
      [new Response('', { status: 404 }), 'operator'],
      [new Response(null, { status: 200 }), 'failing'],
      [new Response(null, { status: 304 }), 'operator'],
    ] as const)
      await assert.rejects(answeringClient([answer]).client.download('/1', 5), { fault });
  });
});

describe('the stored address of a file', () => {
  const ADDRESSES: readonly (readonly [uri: string, kept: string])[] = [
    ['https://upstream.test/v1beta/files/1:download?alt=media', '/v1beta/files/1:download?alt=media'],
    ['https://files.upstream.test/1', 'https://files.upstream.test/1'],
    ['http://upstream.test/1', 'http://upstream.test/1'],
    ['https://upstream.test//elsewhere.test/1', 'https://upstream.test//elsewhere.test/1'],
    ['not an address', 'not an address'],
  ];
  for (const [uri, kept] of ADDRESSES)
    test(`of ${uri} is ${kept}`, () => {
      assert.equal(answeringClient([], 'https://upstream.test').client.storedAddress(uri), kept);
    });
});

/** The 500th code unit is the first half of a character. */
const LONG = `${'a'.repeat(499)}${'🦊'.repeat(300)}`;

const checked = async (operation: object): Promise<string> => {
  const { client } = answeringClient([Response.json({ done: true, ...operation })]);
  const state = await client.videos(1000).check('operations/x');
  return state.state === 'failed' ? state.error.message : assert.fail(state.state);
};

const SOURCES = {
  'an error response': async () =>
    (await readFailure(Response.json({ error: { message: LONG } }, { status: 400 }))).error.message,
  'a failed operation': () => checked({ error: { code: 3, message: LONG } }),
  'filtered media': () =>
    checked({ response: { generateVideoResponse: { raiMediaFilteredReasons: [LONG] } } }),
  // The prefix counts as well.
  'a response without an image': async () => {
    const blockReasonMessage = LONG.slice('The prompt was blocked: '.length);
    const answer = readAnswer({ promptFeedback: { blockReason: 'OTHER', blockReasonMessage } });
    return answer.outcome === 'no_image' ? answer.reason : assert.fail(answer.outcome);
  },
};

describe('a message of the upstream is truncated between characters in', () => {
  for (const [title, read] of Object.entries(SOURCES))
    test(title, async () => {
      const message = await read();
      assert.equal(message.length, 499);
      assert.ok(message.isWellFormed());
    });
});
