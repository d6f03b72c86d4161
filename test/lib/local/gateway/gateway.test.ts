import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { runFixture } from '../fixture/open-fixture.ts';

const grouped = z.record(z.string(), z.array(z.string()));
const eventSchema = z.object({
  resource: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  multiValueHeaders: grouped,
  queryStringParameters: z.record(z.string(), z.string()).nullable(),
  multiValueQueryStringParameters: grouped.nullable(),
  pathParameters: z.record(z.string(), z.string()).nullable(),
  requestContext: z.object({
    stage: z.string(),
    path: z.string(),
    resourcePath: z.string(),
    httpMethod: z.string(),
    requestTime: z.string(),
    identity: z.object({ sourceIp: z.string() }),
  }),
  body: z.string().nullable(),
  isBase64Encoded: z.boolean(),
});

const MEGABYTE = 1024 * 1024;

const running = await runFixture();

describe('the gateway', () => {
  const call = (path: string, init?: RequestInit) => fetch(`${running.cloud.baseUrl}${path}`, init);
  const event = async (path: string, init?: RequestInit) =>
    eventSchema.parse(await (await call(path, init)).json());
  const answerWith = (answer: unknown, headers: Record<string, string> = {}) =>
    call('/probe?do=answer', { method: 'POST', body: JSON.stringify(answer), headers });

  it('decodes path parameters but not the path', async () => {
    const { resource, path, pathParameters } = await event('/things/a%20b/parts/x%3Ay');
    assert.deepEqual(
      { resource, path, pathParameters },
      {
        resource: '/things/{id}/parts/{part}',
        path: '/things/a%20b/parts/x%3Ay',
        pathParameters: { id: 'a b', part: 'x:y' },
      },
    );
  });

  it('prefers a literal part to a parameter', async () => {
    assert.equal((await event('/things/all')).resource, '/things/all');
    assert.equal((await event('/things/other')).resource, '/things/{id}');
  });

  it('passes the rest of the path to a greedy parameter', async () => {
    const { pathParameters } = await event('/files/a/b%2Fc/d');
    assert.deepEqual(pathParameters, { path: 'a/b/c/d' });
  });

  const BY_METHOD = [
    ['PATCH', '/things/mine', '/things/mine'],
    ['GET', '/things/mine', '/things/{id}'],
    ['POST', '/files/real', '/files/real'],
    ['GET', '/files/real', '/files/{path+}'],
  ] as const;
  for (const [method, path, resource] of BY_METHOD) {
    it(`routes by path and method together: ${method} ${path} goes to ${resource}`, async () => {
      assert.equal((await event(path, { method })).resource, resource);
    });
  }

  it('passes repeated query parameters in both forms, and null for none', async () => {
    const some = await event('/probe?a=1&a=2&b=x%20y');
    assert.deepEqual(some.queryStringParameters, { a: '2', b: 'x y' });
    assert.deepEqual(some.multiValueQueryStringParameters, { a: ['1', '2'], b: ['x y'] });
    const none = await event('/probe');
    assert.equal(none.queryStringParameters, null);
    assert.equal(none.multiValueQueryStringParameters, null);
    assert.equal(none.pathParameters, null);
    assert.equal(none.body, null);
  });

  it('keeps the case of header names and drops connection headers', async () => {
    const { headers, multiValueHeaders } = await event('/probe', {
      method: 'POST',
      body: 'x',
      headers: { 'X-Own': 'a' },
    });
    assert.equal(headers['X-Own'], 'a');
    assert.deepEqual(multiValueHeaders['X-Own'], ['a']);
    assert.equal(headers['X-Forwarded-Proto'], 'http');
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    assert.ok(!names.includes('connection') && !names.includes('content-length'));
  });

  it('describes the request in requestContext', async () => {
    const { requestContext } = await event('/probe');
    assert.equal(requestContext.stage, 'test');
    assert.equal(requestContext.path, '/test/probe');
    assert.equal(requestContext.resourcePath, '/probe');
    assert.equal(requestContext.httpMethod, 'GET');
    assert.match(requestContext.identity.sourceIp, /^(127\.0\.0\.1|::1)$/);
    assert.match(requestContext.requestTime, /^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
  });

  it('encodes only declared binary types', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const form = await event('/probe', {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': 'Multipart/form-data; boundary=x' },
    });
    assert.deepEqual([form.body, form.isBase64Encoded], [bytes.toString('base64'), true]);
    const json = await event('/probe', {
      method: 'POST',
      body: '{"ü":1}',
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([json.body, json.isBase64Encoded], ['{"ü":1}', false]);
  });

  it("returns the function's status, headers and cookies", async () => {
    const response = await answerWith({
      statusCode: 418,
      headers: { 'X-One': '1', Date: 'today', 'WWW-Authenticate': 'Bearer' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'short',
    });
    assert.equal(response.status, 418);
    assert.equal(await response.text(), 'short');
    assert.equal(response.headers.get('x-one'), '1');
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('x-amzn-remapped-date'), 'today');
    assert.equal(response.headers.get('x-amzn-remapped-www-authenticate'), 'Bearer');
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
    assert.match(response.headers.get('x-amzn-requestid') ?? '', /^[\w-]{36}$/);
  });

  it('decodes Base64 only if the client accepts a declared binary type first', async () => {
    const answer = { body: Buffer.from('plain').toString('base64'), isBase64Encoded: true };
    assert.equal(await (await answerWith(answer)).text(), answer.body);
    assert.equal(await (await answerWith(answer, { accept: 'multipart/form-data' })).text(), 'plain');
  });

  const MALFORMED = {
    'a string': 'text',
    nothing: null,
    'a body that is not text': { statusCode: 200, body: { a: 1 } },
    'an unknown field': { statusCode: 200, body: '', cookies: [] },
    'a number as header': { headers: { a: 1 } },
    'a status that is no number': { statusCode: 'ok' },
    'a header that HTTP cannot carry': { headers: { a: 'line\nbreak' } },
  };
  for (const [name, answer] of Object.entries(MALFORMED)) {
    it(`answers 502 when the function returns ${name}`, async () => {
      const response = await answerWith(answer);
      assert.equal(response.status, 502);
      assert.deepEqual(await response.json(), {
        error: { message: 'Internal server error', type: 'DEFAULT_5XX' },
      });
    });
  }

  it("answers an unknown route with the template's gateway response", async () => {
    const response = await call('/nowhere');
    const requestId = response.headers.get('x-amzn-requestid');
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), { error: { message: 'No such route', id: requestId } });
    assert.equal(response.headers.get('x-request-id'), requestId);
    assert.equal(response.headers.get('x-literal'), 'as written');
    assert.equal((await call('/things/all', { method: 'DELETE' })).status, 404);
  });

  it('treats the Authorization header as a signature if no route matches', async () => {
    const refused = async (path: string, authorization: string, method = 'GET') => {
      const response = await call(path, { method, headers: { authorization } });
      return [response.status, await response.text()] as const;
    };
    const [status, body] = await refused('/nowhere', 'Bearer abc');
    assert.equal(status, 403);
    assert.match(
      body,
      /^\{"message":"'abc' not a valid key=value pair \(missing equal-sign\) in Authorization/,
    );
    assert.match(
      (await refused('/nowhere', 'abc'))[1],
      /Authorization header requires 'Credential' parameter/,
    );
    assert.equal((await refused('/things/all', 'Bearer abc', 'DELETE'))[0], 403);
    assert.equal((await refused('/things/all', 'Bearer abc'))[0], 200);
  });

  it('serves only the stage', async () => {
    const { origin } = new URL(running.cloud.baseUrl);
    assert.equal((await fetch(`${origin}/probe`)).status, 403);
    assert.equal((await fetch(`${origin}/testing/probe`)).status, 403);
  });

  it('answers 400 to a path that cannot be decoded', async () => {
    assert.equal((await call('/things/%zz')).status, 400);
  });

  it('throttles a method by its setting', async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await call('/limited')).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  const BODIES = [
    { name: 'a 4 MB form', bytes: 4 * MEGABYTE, type: 'multipart/form-data', status: 200 },
    {
      name: 'a 5 MB form, which Base64 makes too large for Lambda',
      bytes: 5 * MEGABYTE,
      type: 'multipart/form-data',
      status: 413,
    },
    { name: 'a 5 MB text', bytes: 5 * MEGABYTE, type: 'text/plain', status: 200 },
    { name: 'a 7 MB text', bytes: 7 * MEGABYTE, type: 'text/plain', status: 413 },
    { name: 'an 11 MB text', bytes: 11 * MEGABYTE, type: 'text/plain', status: 413 },
  ];
  for (const { name, bytes, type, status } of BODIES) {
    it(`answers ${status} to ${name}`, async () => {
      const body = Buffer.alloc(bytes, 'x');
      const response = await call('/probe?do=pid', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      assert.equal(response.status, status);
      if (status === 413) assert.deepEqual(await response.json(), { message: 'Request Too Long' });
    });
  }

  it("answers 502 to a response over Lambda's limit of 6 MB", async () => {
    assert.equal((await call(`/probe?do=large&bytes=${5 * MEGABYTE}`)).status, 200);
    assert.equal((await call(`/probe?do=large&bytes=${7 * MEGABYTE}`)).status, 502);
  });

  it('answers 502 when the function throws, crashes or times out', async () => {
    for (const action of ['throw', 'crash', 'hang'])
      assert.equal((await call(`/hasty?do=${action}`)).status, 502);
  });

  it('answers 504 when the integration exceeds its timeout', async () => {
    const response = await call('/impatient?do=hang');
    assert.equal(response.status, 504);
    const expected = { error: { message: 'Endpoint request timed out', type: 'INTEGRATION_TIMEOUT' } };
    assert.deepEqual(await response.json(), expected);
  });

  it('survives bytes that are not HTTP and headers over the limit', async () => {
    const { port } = new URL(running.cloud.baseUrl);
    const send = async (bytes: string) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(bytes);
      return text(socket);
    };
    assert.match(await send('nonsense\r\n\r\n'), /^HTTP\/1.1 400 /);
    assert.match(
      await send(`GET /test/probe HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`),
      /^HTTP\/1.1 431 /,
    );
    assert.equal((await call('/probe')).status, 200);
  });

  it('logs method, path and status, but not the query', async () => {
    await (await call('/probe?key=secret')).text();
    const line = running.requests.at(-1);
    assert.deepEqual([line?.method, line?.path, line?.status], ['GET', '/test/probe', 200]);
  });
});
