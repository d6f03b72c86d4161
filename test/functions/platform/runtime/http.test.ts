import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { openAiDialect } from '../../../../functions/platform/api/dialects.ts';
import { prepareClient } from '../../../../functions/platform/aws/aws-clients.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { Logger } from '../../../../functions/platform/domain/log-events.ts';
import { corsHeaders, preflightHeaders } from '../../../../functions/platform/runtime/cors.ts';
import {
  type HttpRequest,
  type HttpResponse,
  publicHandler,
} from '../../../../functions/platform/runtime/http.ts';
import { startServer } from '../../../support/server.ts';

for (const [status, code, serverError, answer] of [
  [200, undefined, false, async () => ({ status: 200 })],
  // An error of a tool.
  [200, 'internal', true, async () => ({ status: 200 })],
  [500, 'internal', true, () => Promise.reject(new Error('unforeseen'))],
  [503, 'overloaded', true, () => Promise.reject(new DomainError('overloaded', 'no'))],
  [429, 'rate_limited', false, () => Promise.reject(new DomainError('rate_limited', 'no'))],
] as const)
  test(`a response with status ${status} and the code ${code} is logged with serverError ${serverError}`, async (context) => {
    context.mock.timers.enable({ apis: ['Date'] });
    const lines: unknown[] = [];
    const logger: Logger = { info: (...line) => void lines.push(line), error: () => {} };
    const handler = publicHandler({ dialect: openAiDialect, logger }, (_, outcome) => {
      Object.assign(outcome, { account: 'acme' }, code && { code });
      context.mock.timers.tick(7);
      return answer();
    });
    const { statusCode } = await Reflect.apply(handler, undefined, [EVENT]);
    assert.equal(statusCode, status);
    const fields = { requestId: 'r', route: 'POST /v1/videos/{task_id}', status, milliseconds: 7 };
    const outcome = { account: 'acme', ...(code && { code }) };
    assert.deepEqual(lines, [['request', { ...fields, serverError, ...outcome }]]);
  });

test('an alias is in the headers of a response and of an error, and in the log line', async () => {
  for (const fails of [false, true]) {
    const logged: unknown[] = [];
    const logger: Logger = { info: (_, fields) => void logged.push(fields), error: () => {} };
    const handler = publicHandler({ dialect: openAiDialect, logger }, async ({ noteAlias }) => {
      noteAlias('sora-2=video');
      if (fails) throw new DomainError('invalid_request', 'no');
      return { status: 200 };
    });
    const { headers } = await Reflect.apply(handler, undefined, [EVENT]);
    assert.equal(headers['x-model-alias'], 'sora-2=video');
    assert.partialDeepStrictEqual(logged, [{ status: fails ? 400 : 200, alias: 'sora-2=video' }]);
  }
});

describe('a table', () => {
  const answerOf = async (dynamo: DynamoDBClient) => {
    const failures: unknown[] = [];
    const logger: Logger = { info: () => {}, error: (event) => void failures.push(event) };
    const Key = { id: { S: 'x' } };
    const handler = publicHandler({ dialect: openAiDialect, logger }, async () => {
      await dynamo.send(new GetItemCommand({ TableName: 't', Key }));
      return { status: 200 };
    });
    const { statusCode, headers, body } = await Reflect.apply(handler, undefined, [EVENT]);
    assert.deepEqual(failures, ['request failed']);
    return [statusCode, headers['retry-after'], JSON.parse(body).error.code];
  };
  const clientFor = (endpoint: string) =>
    prepareClient(
      new DynamoDBClient({
        endpoint,
        region: 'us-east-1',
        credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
        maxAttempts: 1,
      }),
    );

  for (const [title, expected, answer] of [
    ['resets the connection', [503, '5', 'overloaded'], (response) => void response.destroy()],
    [
      'cannot process the call',
      [503, '5', 'overloaded'],
      (response) => void response.writeHead(500).end('{}'),
    ],
    ['refuses the call', [500, undefined, 'internal'], (response) => void response.writeHead(400).end('{}')],
  ] as const satisfies readonly (readonly [string, readonly unknown[], (response: ServerResponse) => void])[])
    test(`that ${title} makes a request end with ${expected[0]}`, async () => {
      const server = await startServer((_, response) => answer(response));
      assert.deepEqual(await answerOf(clientFor(server.url)), expected);
      await server.close();
    });

  test('that accepts no connection makes a request end with 503', async () => {
    const server = await startServer(() => {});
    await server.close();
    assert.deepEqual(await answerOf(clientFor(server.url)), [503, '5', 'overloaded']);
  });
});

const ALLOWED = ['https://app.example.com', 'http://localhost:*'];
const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name];

const ORIGINS = {
  allows: ['https://app.example.com', 'http://localhost:3000', 'http://localhost:65535'],
  rejects: [
    ...['http://localhost', 'http://localhost:', 'http://localhost:a3000', 'http://localhost:655350'],
    ...['http://localhost:3000.evil.example', 'http://localhost:3000@evil.example'],
    ...['http://app.example.com', 'https://app.example.com:444', 'https://app.example.com.evil.example'],
    ...['https://evil-app.example.com', 'HTTPS://APP.EXAMPLE.COM', 'null', '*', ''],
  ],
};

describe('corsHeaders', () => {
  for (const [verb, origins] of Object.entries(ORIGINS))
    for (const origin of origins)
      test(`${verb} the origin ${JSON.stringify(origin)}`, () => {
        const headers = corsHeaders(reader({ origin }), ALLOWED);
        const preflight = preflightHeaders(
          reader({ origin, 'access-control-request-method': 'GET' }),
          ALLOWED,
        );
        assert.equal(headers['access-control-allow-origin'], verb === 'allows' ? origin : undefined);
        assert.equal(headers.vary, 'Origin');
        assert.ok(!('access-control-allow-credentials' in headers));
        assert.equal(preflight !== undefined, verb === 'allows');
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
    assert.deepEqual(headers, {
      ...corsHeaders(reader({ origin }), ALLOWED),
      'access-control-allow-methods': 'DELETE',
      'access-control-allow-headers': names,
      'access-control-max-age': '7200',
    });
  });

  test('requires a valid method, and does not echo invalid header names', () => {
    assert.equal(preflight({}), undefined);
    assert.equal(preflight({ 'access-control-request-method': 'G(E)T' }), undefined);
    for (const names of ['a;', ';a', 'a="<script>"', '']) {
      const request = { 'access-control-request-method': 'GET', 'access-control-request-headers': names };
      const odd = preflight(request) ?? assert.fail();
      assert.equal('access-control-allow-headers' in odd, false, names);
    }
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
    const { header, query, queryAll, body, noteAlias: _, ...plain } = request;
    assert.deepEqual(
      { ...plain, body: body.toString() },
      {
        requestId: 'r',
        method: 'POST',
        prefix: '/prod',
        route: '/v1/videos/{task_id}',
        body: 'fox',
        baseUrl: 'http://api.example.com/prod',
        publicUrl: 'http://api.example.com/prod',
        path: { task_id: 'task_1' },
        sourceIp: '192.0.2.1',
      },
    );
    assert.deepEqual([header('host'), header('x-none')], ['api.example.com', undefined]);
    assert.deepEqual([query('limit'), query('after')], ['5', undefined]);
    assert.deepEqual([queryAll('include'), queryAll('limit')], [['a', 'b', 'c'], []]);
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
