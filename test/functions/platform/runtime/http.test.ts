import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openAiDialect } from '../../../../functions/platform/api/dialects.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { corsHeaders, preflightHeaders } from '../../../../functions/platform/runtime/cors.ts';
import {
  type HttpRequest,
  type HttpResponse,
  publicHandler,
} from '../../../../functions/platform/runtime/http.ts';

/** Returns the status of the response, and the `serverError` field of its log line. */
const respondTo = async (failure: Error): Promise<unknown[]> => {
  const lines: LogFields[] = [];
  const handler = publicHandler(
    {
      dialect: openAiDialect,
      logger: { info: (_, fields) => void lines.push(fields), error: () => {} },
    },
    () => Promise.reject(failure),
  );
  const event = { headers: {}, path: '/x', requestContext: { requestId: 'r', path: '/x' } };
  const { statusCode } = await Reflect.apply(handler, undefined, [event]);
  return [statusCode, ...lines.map(({ serverError }) => serverError)];
};

test('logs exactly the responses with status 500 and above as server errors', async () => {
  assert.deepEqual(await respondTo(new Error('unforeseen')), [500, true]);
  assert.deepEqual(await respondTo(new DomainError('upstream_unavailable', 'no')), [503, true]);
  assert.deepEqual(await respondTo(new DomainError('rate_limited', 'no')), [429, false]);
});

const ALLOWED = ['https://app.example.com', 'http://localhost:*'];
const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name];

const ORIGINS: readonly [origin: string, allowed: boolean][] = [
  ['https://app.example.com', true],
  ['http://localhost:3000', true],
  ['http://localhost:65535', true],
  ['http://localhost', false],
  ['http://localhost:', false],
  ['http://localhost:3000.evil.example', false],
  ['http://localhost:3000@evil.example', false],
  ['http://app.example.com', false],
  ['https://app.example.com:444', false],
  ['https://app.example.com.evil.example', false],
  ['https://evil-app.example.com', false],
  ['HTTPS://APP.EXAMPLE.COM', false],
  ['null', false],
  ['*', false],
  ['', false],
];

describe('corsHeaders', () => {
  for (const [origin, allowed] of ORIGINS)
    test(`${allowed ? 'allows' : 'rejects'} the origin ${JSON.stringify(origin)}`, () => {
      const headers = corsHeaders(reader({ origin }), ALLOWED);
      assert.equal(headers['access-control-allow-origin'], allowed ? origin : undefined);
      assert.equal(headers.vary, 'Origin');
      assert.ok(!('access-control-allow-credentials' in headers));
      assert.equal(
        preflightHeaders(reader({ origin, 'access-control-request-method': 'GET' }), ALLOWED) !== undefined,
        allowed,
      );
    });

  test('returns no headers if no origin is configured', () => {
    assert.deepEqual(corsHeaders(reader({ origin: 'https://app.example.com' }), []), {});
    assert.deepEqual(corsHeaders(reader({ origin: 'null' })), {});
  });
});

describe('preflightHeaders', () => {
  const origin = 'https://app.example.com';
  const preflight = (headers: Readonly<Record<string, string>>) =>
    preflightHeaders(reader({ origin, ...headers }), ALLOWED);

  test('allows the requested method and headers', () => {
    const names = 'authorization,content-type,x-stainless-lang,x_own';
    const headers = preflight({
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': names,
    });
    assert.equal(headers?.['access-control-allow-methods'], 'DELETE');
    assert.equal(headers?.['access-control-allow-headers'], names);
    assert.equal(headers?.['access-control-max-age'], '7200');
  });

  test('requires a valid method, and does not echo invalid header names', () => {
    assert.equal(preflight({}), undefined);
    assert.equal(preflight({ 'access-control-request-method': 'G(E)T' }), undefined);
    const odd = preflight({
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'a;b="<script>"',
    });
    assert.ok(odd !== undefined && !('access-control-allow-headers' in odd));
  });
});

const EVENT = {
  httpMethod: 'POST',
  resource: '/v1/videos/{task_id}',
  path: '/v1/videos/task_1',
  headers: { Host: 'api.example.com', 'X-Forwarded-Proto': 'http' },
  queryStringParameters: { limit: '5' },
  multiValueQueryStringParameters: { include: ['a'], 'include[]': ['b', 'c'] },
  pathParameters: { task_id: 'task_1' },
  body: 'Zm94',
  isBase64Encoded: true,
  requestContext: {
    requestId: 'r',
    domainName: 'gateway.example.com',
    path: '/prod/v1/videos/task_1',
    identity: { sourceIp: '192.0.2.1' },
  },
};

/** Handles an event without a key, and returns the request that the handler received, with the result. */
const handle = async (event: object, response: HttpResponse = { status: 200 }) => {
  const requests: HttpRequest[] = [];
  const logger = { info: () => {}, error: () => {} };
  const handler = publicHandler({ dialect: openAiDialect, logger }, async (request) => {
    requests.push(request);
    return response;
  });
  const result = await Reflect.apply(handler, undefined, [event]);
  const [request] = requests;
  assert.ok(request);
  return { request, result };
};

describe('a request', () => {
  test('is read from the event of the gateway', async () => {
    const { request } = await handle(EVENT);
    const { requestId, method, prefix, route, body, baseUrl, sourceIp } = request;
    assert.deepEqual(
      { requestId, method, prefix, route, body: body.toString(), baseUrl, sourceIp },
      {
        requestId: 'r',
        method: 'POST',
        prefix: '/prod',
        route: '/v1/videos/{task_id}',
        body: 'fox',
        baseUrl: 'http://api.example.com/prod',
        sourceIp: '192.0.2.1',
      },
    );
    assert.deepEqual([request.header('host'), request.header('x-none')], ['api.example.com', undefined]);
    assert.deepEqual([request.query('limit'), request.query('after')], ['5', undefined]);
    assert.deepEqual(request.queryAll('include'), ['a', 'b', 'c']);
    assert.deepEqual(request.queryAll('limit'), []);
    assert.deepEqual(request.path, { task_id: 'task_1' });
  });

  test('may lack headers, parameters and a body', async () => {
    const requestContext = { ...EVENT.requestContext, identity: undefined };
    const bare = { ...EVENT, headers: null, body: null, queryStringParameters: null, requestContext };
    const { request } = await handle({
      ...bare,
      multiValueQueryStringParameters: null,
      isBase64Encoded: false,
    });
    assert.equal(request.baseUrl, 'https://gateway.example.com/prod');
    assert.deepEqual([request.body, request.sourceIp, request.query('limit')], ['', undefined, undefined]);
    assert.deepEqual(request.queryAll('include'), []);
  });

  test('has the stage as its prefix, at the root with or without a slash', async () => {
    for (const [path, called, prefix] of [
      ['/', '/prod', '/prod'],
      ['/', '/prod/', '/prod'],
      ['/', '/', ''],
      ['/v1/models', '/v1/models', ''],
      ['/v1/models', '/elsewhere', ''],
    ] as const) {
      const event = { ...EVENT, path, requestContext: { ...EVENT.requestContext, path: called } };
      assert.equal((await handle(event)).request.prefix, prefix, called);
    }
  });
});

describe('a response', () => {
  const HEADERS = { 'x-request-id': 'r', 'cache-control': 'no-store' };

  test('is JSON, text or empty', async () => {
    assert.deepEqual((await handle(EVENT, { status: 201, body: { a: 1 } })).result, {
      statusCode: 201,
      headers: { 'content-type': 'application/json', ...HEADERS },
      body: '{"a":1}',
    });
    const text = {
      status: 200,
      text: 'a',
      headers: { 'content-type': 'text/csv', 'cache-control': 'private' },
    };
    assert.deepEqual((await handle(EVENT, text)).result, {
      statusCode: 200,
      headers: { ...HEADERS, ...text.headers },
      body: 'a',
    });
    assert.deepEqual((await handle(EVENT, { status: 204, cookies: ['a=1', 'b=2'] })).result, {
      statusCode: 204,
      headers: HEADERS,
      multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] },
      body: '',
    });
  });

  test('to HEAD has no body', async () => {
    const { result } = await handle({ ...EVENT, httpMethod: 'HEAD' }, { status: 200, body: { a: 1 } });
    assert.deepEqual([result.body, result.headers['content-type']], ['', 'application/json']);
  });
});
