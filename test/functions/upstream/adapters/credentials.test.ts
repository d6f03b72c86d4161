import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { upstreamCredentials } from '../../../../functions/upstream/adapters/credentials.ts';
import { geminiClient } from '../../../../functions/upstream/kinds/gemini/adapter.ts';

const SERVICE_ACCOUNT = { type: 'service_account', client_email: 'a@b' };
const OPTIONS = { timeoutMs: 1000, maxBytes: 100 };

const read = (secret: string, name: string, names: readonly string[]): Promise<unknown> =>
  upstreamCredentials(async () => secret, names)(name).read();

describe('the credential of an upstream', () => {
  const BOTH = ['studio-a', 'vertex-us'];
  const secret = JSON.stringify({ 'studio-a': 'KEY', 'vertex-us': SERVICE_ACCOUNT });

  test('is under its name in the secret', async () => {
    assert.equal(await read(secret, 'studio-a', BOTH), 'KEY');
    assert.deepEqual(await read(secret, 'vertex-us', BOTH), SERVICE_ACCOUNT);
    assert.equal(await read(secret, 'studio-a', ['studio-a']), 'KEY');
  });

  test('may be the whole secret of a single upstream', async () => {
    assert.equal(await read('KEY', 'studio-a', ['studio-a']), 'KEY');
    assert.deepEqual(await read(JSON.stringify(SERVICE_ACCOUNT), 'type', ['type']), SERVICE_ACCOUNT);
  });

  const MISSING = [
    ['another name', secret, 'studio-b', ['studio-b', 'vertex-us'], /for "studio-b".*{"studio-b": …}/],
    ['a name of every object', secret, 'toString', ['toString', 'vertex-us'], /for "toString"/],
    ['a plain text for two upstreams', 'KEY-1', 'studio-a', BOTH, /for "studio-a"/],
    ['broken JSON', '{"studio-a": KEY-1}', 'studio-a', BOTH, /not valid JSON/],
  ] as const;
  for (const [title, text, name, names, message] of MISSING)
    test(`is missing in a secret with ${title}`, async () => {
      await assert.rejects(read(text, name, names), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(`${error.message} ${error.cause}`, /KEY/);
        return 'fault' in error && error.fault === 'operator';
      });
    });

  test('is cached for five minutes, but not after it was refused, and never read twice at once', async () => {
    let [reads, time] = [0, 0];
    const credential = upstreamCredentials(
      async () => {
        reads += 1;
        return `{"a":{"read":${Math.min(reads, 3)}}}`;
      },
      ['a'],
      () => time,
    )('a');
    const first = await credential.read();
    time = 5 * 60_000 - 1;
    assert.equal(await credential.read(), first);
    assert.equal(reads, 1);
    const [again, other] = await Promise.all([credential.readAgain(), credential.readAgain()]);
    assert.deepEqual([again, again === other, reads], [{ read: 2 }, true, 2]);
    time += 4999;
    await credential.readAgain();
    assert.equal(reads, 2);
    time += 1;
    const third = await credential.readAgain();
    time += 5 * 60_000;
    // The text is the same, so the value is too.
    assert.deepEqual(
      [await credential.read(), (await credential.read()) === third, reads],
      [{ read: 3 }, true, 4],
    );
  });
});

describe('a refused key', () => {
  const call = async (secrets: readonly string[], refusal: Response | undefined) => {
    const values = [...secrets];
    let time = 0;
    const readSecret = async () => (values.length > 1 ? values.shift() : values[0]) ?? '';
    const sent: unknown[] = [];
    const server = geminiClient({
      baseUrl: 'https://upstream.test',
      keyHeader: 'x-key',
      modelName: () => 'veo',
      credential: upstreamCredentials(readSecret, ['studio-a'], () => {
        time += 10_000;
        return time;
      })('studio-a'),
      fetch: async (_, init) => {
        const key = new Headers(init?.headers).get('x-key');
        sent.push([key, await new Response(init?.body).text()]);
        return key === 'new' ? Response.json({ ok: true }) : (refusal?.clone() ?? Response.error());
      },
    });
    const answer = server.call('v1beta/x', { ...OPTIONS, body: { a: 1 } });
    return { answer, sent };
  };
  const REFUSAL = Response.json({}, { status: 401 });

  test('is replaced by the rotated one, and the call is repeated once', async () => {
    const { answer, sent } = await call(['old', 'new'], REFUSAL);
    assert.deepEqual(await answer, { ok: true });
    assert.deepEqual(sent, [
      ['old', '{"a":1}'],
      ['new', '{"a":1}'],
    ]);
  });

  test('fails the call if the secret has not changed, or the next one is refused too', async () => {
    for (const [secrets, calls] of [
      [['old', 'old'], 1],
      [['old', 'older', 'new'], 2],
    ] as const) {
      const { answer, sent } = await call(secrets, REFUSAL);
      await assert.rejects(answer, { fault: 'operator' });
      assert.equal(sent.length, calls);
    }
  });

  test('is not replaced after another error', async () => {
    const { answer, sent } = await call(['old', 'new'], Response.json({}, { status: 503 }));
    await assert.rejects(answer, { fault: 'failing' });
    assert.equal(sent.length, 1);
  });

  test('that is not a text is named with its upstream', async () => {
    const { answer, sent } = await call(['{"studio-a":{"key":"KEY"}}'], undefined);
    await assert.rejects(answer, {
      fault: 'operator',
      message: 'The credential of the upstream "studio-a" must be its API key, a text.',
    });
    assert.equal(sent.length, 0);
  });
});
