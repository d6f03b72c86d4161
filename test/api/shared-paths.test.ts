import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

type Sent = { readonly headers?: Record<string, string>; readonly query?: string };
const send = async (method: string, path: string, { headers = {}, query = '' }: Sent) => {
  const response = await fetch(`${service.baseUrl}${path}${query}`, { method, headers });
  return { status: response.status, body: Object(await response.json()) };
};

const PLACES = (key: string): readonly (readonly [place: string, sent: Sent, isGoogle: boolean])[] => [
  ['Bearer', { headers: { authorization: `Bearer ${key}` } }, false],
  ['Bearer and ?key=', { headers: { authorization: `Bearer ${key}` }, query: `?key=${key}` }, false],
  ['x-goog-api-key', { headers: { 'x-goog-api-key': key } }, true],
  ['x-vendor-api-key', { headers: { 'x-vendor-api-key': key } }, true],
  ['?key=', { query: `?key=${key}` }, true],
];

const NO_FILE = '01kf0xw3g0a1b2c3d4e5f6g7h8';
const SHARED = [
  ['GET', '/v1/models', 200, 'data', 'models'],
  ['GET', `/v1/models/${IMAGE_MODEL}`, 200, 'id', 'name'],
  ['GET', '/v1/models/none', 404, undefined, undefined],
  ['GET', '/v1/files', 200, 'data', 'files'],
  ['GET', `/v1/files/file_${NO_FILE}`, 404, undefined, undefined],
  ['DELETE', `/v1/files/file_${NO_FILE}`, 404, undefined, undefined],
] as const;

for (const [method, path, status, openAiField, googleField] of SHARED)
  describe(`${method} ${path}`, () => {
    for (const [place, sent, isGoogle] of PLACES(service.apiKey))
      test(`answers a key as ${place} in the form of ${isGoogle ? 'Google' : 'OpenAI'}`, async () => {
        const answer = await send(method, path, sent);
        assert.equal(answer.status, status);
        if (status === 404)
          assert.deepEqual(Object.hasOwn(answer.body.error, 'status'), isGoogle, JSON.stringify(answer.body));
        else {
          assert.equal(Object.hasOwn(answer.body, openAiField), !isGoogle);
          assert.equal(Object.hasOwn(answer.body, googleField), isGoogle);
        }
      });

    for (const [place, sent, isGoogle] of [...PLACES('mg_wrong'), ['no header', {}, false] as const])
      test(`refuses a wrong key as ${place} in the form of ${isGoogle ? 'Google' : 'OpenAI'}`, async () => {
        const { status: refused, body } = await send(method, path, sent);
        assert.deepEqual([refused, Object.hasOwn(body.error, 'status')], [401, isGoogle]);
      });
  });

test('the paths of Vertex AI accept a Bearer token, and answer in the form of Google', async () => {
  const models = '/v1/publishers/google/models';
  for (const [path, method, status, sent] of [
    [models, 'GET', 200, service.apiKey],
    [`${models}/${IMAGE_MODEL}`, 'GET', 200, service.apiKey],
    [`${models}/${IMAGE_MODEL}:unknown`, 'POST', 404, service.apiKey],
    [models, 'GET', 401, 'mg_wrong'],
    [`${models}/${IMAGE_MODEL}:generateContent`, 'POST', 401, 'mg_wrong'],
  ] as const) {
    const answer = await send(method, path, { headers: { authorization: `Bearer ${sent}` } });
    assert.equal(answer.status, status, path);
    if (status !== 200) assert.ok(Object.hasOwn(answer.body.error, 'status'), path);
  }
});

test('paths of /v1 that only OpenAI has refuse a key of Google in the form of OpenAI', async () => {
  for (const [method, path] of [
    ['POST', '/v1/files'],
    ['GET', `/v1/files/file_${NO_FILE}/content`],
  ] as const) {
    const { status, body } = await send(method, path, { headers: { 'x-goog-api-key': service.apiKey } });
    assert.deepEqual([status, body.error.code], [401, 'invalid_api_key'], path);
  }
});

test('an unknown path of /v1 answers in the form of the key', async () => {
  for (const [place, sent, isGoogle] of PLACES(service.apiKey)) {
    const { status, body } = await send('GET', '/v1/tunedModels', sent);
    assert.deepEqual([status, Object.hasOwn(body.error, 'status')], [404, isGoogle], place);
  }
});
