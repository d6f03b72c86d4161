import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const { hostname, port, pathname } = new URL(service.baseUrl);

/** Sends the path as it is: fetch would tidy it. */
const send = async (method: string, path: string, key: string | undefined) => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const sent = request({ hostname, port, method, path: `${pathname}${path}`, headers }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
};

const ODD_PATHS = [
  '/v1beta',
  '/v1beta/',
  '/v1beta/nothing',
  '/v1beta//models',
  '/v1beta/./models',
  '/v1beta/../v1beta/nothing',
  '/v1beta/models/a/b/c',
  '/v1beta/models/a%2Fb/c',
  '/v1beta/{modelAction}',
  '/v1beta%2Fmodels',
  '/v1beta%2fmodels%2fa',
  '/v1beta;a=b/models',
  '/v1beta:generateContent',
  '/%76%31beta/nothing',
  '/V1Beta/models',
  '/upload/v1beta/files',
];

describe('an unknown path of the native family is refused in the native form', () => {
  for (const path of ODD_PATHS)
    test(path, async () => {
      const answer = await send('GET', path, undefined);
      const error = { code: 404, message: 'There is no such endpoint.', status: 'NOT_FOUND' };
      assert.deepEqual(answer, { status: 404, body: { error } });
    });
});

describe('a known path of the native family refuses other methods in the native form', () => {
  for (const method of ['OPTIONS', 'PUT'])
    for (const path of ['/v1beta/models', '/v1beta/models/a', '/v1beta/models/a:generateContent'])
      test(`${method} ${path}`, async () => {
        const { status, body } = await send(method, path, service.apiKey);
        assert.deepEqual([status, body.error.code, body.error.status], [404, 404, 'NOT_FOUND']);
      });
});

describe('a path that is only like one of the native family is refused in the OpenAI form', () => {
  for (const path of ['/v1betaa', '/v1beta_2/models', '/v1/v1beta/models', '/x/v1beta', '/v1alpha/models'])
    test(path, async () => {
      const { status, body } = await send('GET', path, service.apiKey);
      assert.deepEqual([status, body.error.code], [404, 'not_found']);
    });
});

describe('the gateway itself refuses, in the form that it has for all paths,', () => {
  const REFUSALS: readonly (readonly [method: string, path: string, status: number, code: string])[] = [
    ['GET', '/v1beta/models/%zz', 400, 'invalid_request'],
    ['GET', '/v1beta/%', 400, 'invalid_request'],
    ['GET', '/v1/models/%zz', 400, 'invalid_request'],
    ['PROPFIND', '/v1beta/models', 404, 'not_found'],
  ];
  for (const [method, path, status, code] of REFUSALS)
    test(`${method} ${path}`, async () => {
      const answer = await send(method, path, undefined);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
    });
});
