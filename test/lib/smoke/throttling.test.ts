import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { openAiDialect } from '../../../functions/platform/api/dialects.ts';
import { DomainError } from '../../../functions/platform/domain/errors.ts';
import { encode, errorResponse } from '../../../functions/platform/runtime/http.ts';
import { gatewayResponses } from '../../../lib/resources/api-definition.ts';
import { CheckFailure, readAnswer } from '../../../lib/smoke/answers.ts';
import { connect } from '../../../lib/smoke/api.ts';
import { imageChecks } from '../../../lib/smoke/checks/images.ts';
import { trackTasks } from '../../../lib/smoke/tasks.ts';
import { isThrottled, RETRY_DELAYS_MS, type Wait } from '../../../lib/smoke/throttling.ts';
import { startServer } from '../../support/server.ts';

const RESPONSES = gatewayResponses({ allowedOrigins: [], googleFileUploads: true });
const GATEWAY = { 'content-type': 'application/json', 'x-amz-apigw-id': 'abc=' };

const template = (type: string): string =>
  RESPONSES[type]?.responseTemplates['application/json'] ?? assert.fail(`there is no ${type}`);

/** The gateway's response of a type, at the status that AWS chooses unless the template has one. */
const gateway = (type: string, status: number) =>
  new Response(template(type), { status: RESPONSES[type]?.statusCode ?? status, headers: GATEWAY });

const functionError = (code: 'internal' | 'overloaded') => {
  const { statusCode, headers, body } = encode(
    errorResponse(new DomainError(code, 'Something went wrong on our side.'), openAiDialect),
    'request-1',
  );
  const own = Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(body, { status: statusCode, headers: { ...GATEWAY, ...Object.fromEntries(own) } });
};

const ANSWERS: readonly (readonly [title: string, Response, boolean])[] = [
  ['a failed integration', gateway('INTEGRATION_FAILURE', 504), true],
  ['a failed integration of HEAD', new Response(null, { status: 503, headers: GATEWAY }), true],
  ['a 503 of the gateway', gateway('DEFAULT_5XX', 503), true],
  ['a function that the gateway may not invoke', gateway('DEFAULT_5XX', 500), false],
  ['a function that failed', gateway('DEFAULT_5XX', 502), false],
  ['a function that takes too long', gateway('INTEGRATION_TIMEOUT', 504), false],
  ['too many requests', gateway('THROTTLED', 429), false],
  ["a function's own 500", functionError('internal'), false],
  ["a function's own 503", functionError('overloaded'), false],
  ['a 500 of S3', new Response('<Error/>', { status: 500 }), false],
  ['a success', new Response('{}', { headers: GATEWAY }), false],
];

describe('a throttled function', () => {
  for (const [title, response, expected] of ANSWERS)
    test(`${expected ? 'is' : 'is not'} the reason for ${title}`, async () => {
      assert.equal(isThrottled(await readAnswer(response)), expected);
    });

  test('is called for a minute, at growing intervals', () => {
    const total = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
    assert.ok(total > 50_000 && total <= 60_000, `${total} ms`);
    const sorted = RETRY_DELAYS_MS.toSorted((one, other) => one - other);
    assert.deepEqual(sorted, RETRY_DELAYS_MS);
  });
});

type Seen = { readonly method: string; readonly key: string | undefined; readonly body: string };

/** A gateway whose functions are throttled for the first requests. */
const startThrottled = async (times: number) => {
  const seen: Seen[] = [];
  const listen = async (request: IncomingMessage): Promise<boolean> => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ method: request.method ?? '', key: String(request.headers['idempotency-key']), body });
    return seen.length <= times;
  };
  const server = await startServer(async (request, response) => {
    const isRefused = await listen(request);
    response.writeHead(
      isRefused ? 503 : 200,
      isRefused ? GATEWAY : { ...GATEWAY, 'cache-control': 'no-store' },
    );
    response.end(isRefused ? template('INTEGRATION_FAILURE') : JSON.stringify({ id: `task_${seen.length}` }));
  });
  const delays: number[] = [];
  const pause: Wait = async (milliseconds) => {
    delays.push(milliseconds);
  };
  const api = connect({ baseUrl: server.url, apiKey: 'key' }, new AbortController().signal, pause);
  return { api, seen, delays, [Symbol.asyncDispose]: server.close };
};

describe('a request whose function is throttled', () => {
  test('is sent again until the function runs, and is counted once', async () => {
    await using service = await startThrottled(3);
    const { status } = await service.api.call('GET', '/v1/models');
    assert.deepEqual([status, service.seen.length, service.delays], [200, 4, [500, 1000, 2000]]);
    assert.equal(service.api.retries.count(), 1);
    await service.api.call('GET', '/v1/models');
    assert.equal(service.api.retries.count(), 1);
  });

  test('fails with the last answer after a minute', async () => {
    await using service = await startThrottled(100);
    const { status } = await service.api.call('DELETE', '/v1/videos/task_1');
    assert.equal(status, 503);
    assert.deepEqual(service.delays, RETRY_DELAYS_MS);
  });

  test('is not sent again if it could create something twice', async () => {
    await using service = await startThrottled(1);
    const { status } = await service.api.call('POST', '/v1/files', { json: {} });
    assert.deepEqual([status, service.seen.length, service.api.retries.count()], [503, 1, 0]);
  });

  test('is sent again if a second one does no harm', async () => {
    await using service = await startThrottled(1);
    const { status } = await service.api.call('POST', '/v1/files', { json: { a: 1 }, repeatable: true });
    assert.deepEqual([status, service.seen.map(({ body }) => body)], [200, ['{"a":1}', '{"a":1}']]);
  });

  test('creates one video: each attempt has the same Idempotency-Key and form', async () => {
    await using service = await startThrottled(2);
    const tasks = trackTasks(service.api);
    const form = new FormData();
    form.append('prompt', 'A boat');
    await tasks.send({ form });
    await tasks.send({ form });
    const [first, second, third, other] = service.seen.map(({ key }) => key);
    assert.match(first ?? '', /^[\w-]{36}$/);
    assert.deepEqual([second, third], [first, first]);
    assert.notEqual(other, first);
    assert.ok(service.seen.every(({ method, body }) => method === 'POST' && body.includes('A boat')));
  });

  for (const check of imageChecks)
    test(`buys one image: ${check.name}`, async () => {
      await using service = await startThrottled(1);
      const { api, seen } = service;
      await assert.rejects(
        async () => check.run({ api, tasks: trackTasks(api), note: () => {} }),
        CheckFailure,
      );
      const [first, second] = seen.map(({ key }) => key);
      assert.match(first ?? '', /^[\w-]{36}$/);
      assert.deepEqual([seen.length, second], [2, first]);
    });

  test('ends when the run is interrupted', async () => {
    await using service = await startThrottled(100);
    const interrupt = new AbortController();
    const api = connect({ baseUrl: service.api.baseUrl, apiKey: 'key' }, interrupt.signal);
    setTimeout(() => interrupt.abort(), 50);
    await assert.rejects(async () => api.call('GET', '/v1/models'), new CheckFailure('interrupted'));
  });
});
