import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listApiKeys, revokeApiKey } from '../../lib/operator/administration.ts';
import { call, readError } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const store = { clientConfig: service.operator, outputs: service.outputs };

const refused = async (headers: Record<string, string>): Promise<string> => {
  const answer = await call(service, 'GET', '/v1/videos', { key: '', headers });
  const error = readError(answer);
  assert.deepEqual([answer.status, error.type, error.code], [401, 'authentication_error', 'invalid_api_key']);
  assert.match(answer.headers.get('x-request-id') ?? '', /./);
  return error.message;
};

describe('a request is refused', () => {
  test('without a key', async () => assert.match(await refused({}), /missing.*Authorization: Bearer/));
  test('with a key that was revoked', async () => {
    const key = await service.issueKey('leaver');
    const stored = (await listApiKeys(store)).find(({ account }) => account === 'leaver');
    await revokeApiKey(store, stored?.id ?? '');
    assert.match(await refused({ authorization: `Bearer ${key}` }), /revoked/);
  });
});

describe('a native request has its key', () => {
  const status = async (headers: Record<string, string>, query = ''): Promise<number> =>
    (await call(service, 'GET', `/v1beta/models${query}`, { key: '', headers })).status;
  const PLACES: readonly (readonly [
    name: string,
    place: (key: string) => [Record<string, string>, string?],
  ])[] = [
    ['x-vendor-api-key', (key) => [{ 'x-vendor-api-key': key }]],
    ['x-goog-api-key', (key) => [{ 'x-goog-api-key': key }]],
    ['Authorization: Bearer', (key) => [{ authorization: `Bearer ${key}` }]],
    ['?key=', (key) => [{}, `?key=${key}`]],
  ];
  for (const [name, place] of PLACES)
    test(`in ${name}`, async () => {
      assert.equal(await status(...place(service.apiKey)), 200);
      assert.equal(await status(...place('wrong')), 401);
    });
  test('or is told where to put it', async () => {
    const { body } = await call(service, 'GET', '/v1beta/models', { key: '' });
    assert.match(JSON.stringify(body), /missing.*x-vendor-api-key.*x-goog-api-key.*Bearer.*\?key=/);
  });
});

test('no key and no part of one but its end is in the table', async () => {
  const stored = JSON.stringify(await listApiKeys(store));
  assert.ok(!stored.includes(service.apiKey.slice(4, 20)));
  assert.ok(stored.includes(service.apiKey.slice(-4)));
});

describe('a route that is not there is a 404 in the form of its family', () => {
  const ROUTES = [
    ['GET', '/v1/nothing'],
    ['POST', '/console'],
  ] as const;
  for (const [method, path] of ROUTES)
    test(`${method} ${path}, with a key or without`, async () => {
      for (const key of [service.apiKey, 'wrong', '']) {
        const answer = await call(service, method, path, { key });
        assert.equal(answer.status, 404);
        assert.deepEqual(readError(answer), {
          message: 'There is no such endpoint.',
          type: 'invalid_request_error',
          param: null,
          code: 'not_found',
        });
        assert.match(answer.headers.get('x-request-id') ?? '', /./);
      }
    });

  for (const [method, path, message] of [
    ['POST', '/v1/responses/resp_1/input_items', /POST \/v1\/chat\/completions/],
    ['GET', '/v1/responses/resp_1/input_items', /this part of the Responses API/],
    ['POST', '/v1/batches', /send each request on its own/],
    ['POST', '/v1/images/variations', /POST \/v1\/images\/edits/],
  ] as const)
    test(`${method} ${path}, with the alternative`, async () => {
      const answer = await call(service, method, path);
      assert.deepEqual([answer.status, readError(answer).code], [404, 'not_found']);
      assert.match(readError(answer).message, message);
    });
});

describe('what the gateway says by itself is in the form of the API', () => {
  test('for a body over the limit of the gateway', async () => {
    const answer = await call(service, 'POST', '/v1/videos', { json: { prompt: 'x'.repeat(10_600_000) } });
    assert.deepEqual([answer.status, readError(answer).code], [413, 'request_too_large']);
    assert.match(readError(answer).message, /JSON .+ to POST \/v1\/files/);
  });
  test('for a form over the limit of a function', async () => {
    const form = new FormData();
    form.append('input_reference', new Blob([new Uint8Array(4_800_000)]));
    const answer = await call(service, 'POST', '/v1/videos', { body: form });
    assert.deepEqual([answer.status, readError(answer).code], [413, 'request_too_large']);
    assert.match(readError(answer).message, /JSON .+ to POST \/v1\/files/);
    assert.match(readError(answer).message, /4\.4 MB/);
  });
});
