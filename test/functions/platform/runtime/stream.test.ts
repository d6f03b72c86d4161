import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nativeDialect } from '../../../../functions/platform/api/dialects.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { begun, publicStreamedHandler } from '../../../../functions/platform/runtime/stream.ts';
import {
  awslambda as localAwsLambda,
  openResponseStream,
} from '../../../../lib/local/functions/runtime-handler.ts';

Object.assign(globalThis, { awslambda: localAwsLambda });

type Handler = Parameters<typeof publicStreamedHandler>[1];

const PRELUDE_END = Buffer.alloc(8);

/** Invokes a streamed handler as the Lambda runtime does; `onChunk` can slow the stream. */
const invoke = async (
  handle: Handler,
  onChunk: () => Promise<void>,
  { fails = false, httpMethod = 'GET' } = {},
) => {
  const chunks: Uint8Array[] = [];
  const logged: string[] = [];
  const { stream, sent } = openResponseStream(async (chunk) => {
    chunks.push(chunk);
    await onChunk();
  });
  const logger = {
    info: (event: string) => void logged.push(event),
    error: (event: string) => void logged.push(event),
  };
  const handler = publicStreamedHandler({ dialect: nativeDialect, logger }, handle);
  const requestContext = { requestId: 'r', path: '/x' };
  const event = { httpMethod, headers: {}, path: '/x', body: '', isBase64Encoded: false, requestContext };
  const invoked = Promise.resolve(Reflect.apply(handler, undefined, [event, stream, {}]));
  await (fails ? assert.rejects(invoked) : invoked.then(() => sent));
  const all = chunks.length === 0 ? Buffer.from('{}') : Buffer.concat(chunks);
  const end = chunks.length === 0 ? all.length : all.indexOf(PRELUDE_END);
  return {
    head: JSON.parse(all.subarray(0, end).toString()),
    body: all.subarray(end + PRELUDE_END.length).toString(),
    largest: Math.max(...chunks.map(({ length }) => length)),
    logged,
    ended: stream.writableEnded,
    destroyed: Reflect.get(stream, 'destroyed'),
  };
};
const readAtOnce = async () => {};

test('a list has begun with its first item, or has failed', async () => {
  const items = async function* (...list: readonly (string | Error)[]) {
    for (const item of list)
      if (item instanceof Error) throw item;
      else yield item;
  };
  assert.deepEqual(await Array.fromAsync(await begun(items('a', 'b'))), ['a', 'b']);
  await assert.rejects(begun(items(new Error('early'))), /early/);
});

describe('a streamed response', () => {
  test('sends status and headers before the first byte', async () => {
    const { head, body } = await invoke(async () => ({ status: 200, body: { fox: 1 } }), readAtOnce);
    assert.deepEqual(head, {
      statusCode: 200,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r', 'cache-control': 'no-store' },
    });
    assert.equal(body, '{"fox":1}');
  });

  test('sends a large body completely, in chunks', async () => {
    const text = '狐'.repeat(1_000_000);
    const { body, largest } = await invoke(async () => ({ status: 200, body: text }), readAtOnce);
    assert.equal(body, JSON.stringify(text));
    assert.ok(largest <= 256 * 1024);
  });

  test('does not produce chunks faster than the client reads them', async () => {
    let made = 0;
    let taken = 0;
    let ahead = 0;
    const chunks = function* () {
      for (; made < 40; made += 1) yield Buffer.alloc(256 * 1024);
    };
    await invoke(
      async () => ({ status: 200, headers: {}, chunks: chunks() }),
      async () => {
        taken += 1;
        ahead = Math.max(ahead, made - taken);
        await sleep(1);
      },
    );
    assert.equal(made, 40);
    assert.ok(ahead < 30, `${ahead} chunks ahead`);
  });

  test('waits for background work to settle, even if its chunks fail', async () => {
    let over = false;
    const settled = sleep(50).then(() => {
      over = true;
    });
    async function* chunks() {
      yield ': still waiting\n';
      throw new Error('secret');
    }
    await invoke(async () => ({ status: 200, headers: {}, chunks: chunks(), settled }), readAtOnce, {
      fails: true,
    });
    assert.ok(over);
  });

  const WITHOUT_BODY: Readonly<Record<string, [Handler, string?]>> = {
    'an empty list of chunks': [async () => ({ status: 204, headers: {}, chunks: [] })],
    'an empty chunk': [async () => ({ status: 204, headers: {}, chunks: [''] })],
    'an empty generator': [async () => ({ status: 204, headers: {}, chunks: (async function* () {})() })],
    'HEAD with a streamed body': [async () => ({ status: 204, headers: {}, chunks: ['fox'] }), 'HEAD'],
    'HEAD with a JSON body': [async () => ({ status: 204, body: { fox: 1 } }), 'HEAD'],
  };
  for (const [response, [handle, httpMethod = 'GET']] of Object.entries(WITHOUT_BODY))
    test(`sends status and headers for ${response}`, async () => {
      const { head, body } = await invoke(handle, readAtOnce, { httpMethod });
      assert.equal(head.statusCode, 204);
      assert.equal(head.headers['x-request-id'], 'r');
      assert.equal(body, '');
    });

  test('sends errors in its dialect, with their headers', async () => {
    const { head, body } = await invoke(async () => {
      throw new DomainError('rate_limited', 'Later.', { retryAfterSeconds: 9 });
    }, readAtOnce);
    assert.equal(head.statusCode, 429);
    assert.equal(head.headers['retry-after'], '9');
    assert.deepEqual(JSON.parse(body), {
      error: { code: 429, message: 'Later.', status: 'RESOURCE_EXHAUSTED' },
    });
  });

  test('does not reveal the cause of an internal error', async () => {
    const { head, body, logged } = await invoke(async () => {
      throw new Error('secret');
    }, readAtOnce);
    assert.equal(head.statusCode, 500);
    assert.doesNotMatch(body, /secret/);
    assert.deepEqual(logged, ['request failed', 'request']);
  });

  const BREAKING: Readonly<Record<string, () => AsyncGenerator<string> | Generator<string>>> = {
    'at once': async function* () {
      yield* [];
      throw new Error('secret');
    },
    'after a chunk': async function* () {
      yield 'first';
      throw new Error('secret');
    },
    'without waiting': function* () {
      yield 'first';
      throw new Error('secret');
    },
  };
  for (const [when, chunks] of Object.entries(BREAKING))
    test(`rethrows an error that its chunks throw ${when}, and leaves the stream open for the runtime`, async () => {
      const response = { status: 200, headers: {}, chunks: chunks() };
      const { logged, ended, destroyed } = await invoke(async () => response, readAtOnce, { fails: true });
      assert.deepEqual(logged, ['request', 'stream failed']);
      assert.deepEqual([ended, destroyed], [false, false]);
    });
});
