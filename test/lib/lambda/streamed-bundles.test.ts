import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { HOME } from '../../../lib/local/emulators/start.ts';
import { readFunctions } from '../../../lib/local/functions/definition.ts';
import { buildRuntime } from '../../../lib/local/functions/function-process.ts';
import { createStack } from '../../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../../lib/local/template/template.ts';
import { assemblyFor } from '../../support/assembly.ts';
import { type Streamed, streamOnAws } from '../../support/aws-runtime-client.ts';
import { streamLocally } from '../../support/local-runtime.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = await temporaryFolder('streamed-bundles');
const runtimeFile = join(folder, 'runtime.mjs');
const { template, assetPath } = await readSynthesizedStack(await assemblyFor('http://127.0.0.1:9', folder));
const functions = readFunctions(
  createStack(template, { ...HOME, stackName: 'MediaGeneration', endpoint: 'http://127.0.0.1:9' }),
  assetPath,
);

type Request = { readonly method: string; readonly resource: string; readonly path?: string };

const proxyEvent = ({ method, resource, path = resource }: Request) => ({
  httpMethod: method,
  resource,
  path,
  headers: { host: 'api.example.com' },
  multiValueHeaders: { host: ['api.example.com'] },
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: resource.includes('{')
    ? { path: path.slice('/console/'.length), modelAction: 'm:x' }
    : null,
  body: null,
  isBase64Encoded: false,
  requestContext: { requestId: 'request', path: `/prod${path}`, resourcePath: resource, identity: {} },
});

/** Splits a streamed response into its prelude and body; Lambda accepts no other format. */
const readResponse = (bytes: Buffer) => {
  const end = bytes.indexOf(Buffer.alloc(8));
  assert.ok(end > 0, `${bytes.length} bytes without a prelude`);
  const { statusCode, headers } = JSON.parse(bytes.subarray(0, end).toString());
  return { statusCode, headers, body: bytes.subarray(end + 8).toString() };
};

const REQUESTS = [
  ['GetConsole', { method: 'GET', resource: '/' }, 302, /^The console is at \/prod\/console\/\n$/],
  ['GetConsole', { method: 'HEAD', resource: '/' }, 302, /^$/],
  ['GetConsole', { method: 'GET', resource: '/console' }, 200, /^<!doctype html>/i],
  ['GetConsole', { method: 'HEAD', resource: '/console' }, 200, /^$/],
  [
    'GetConsole',
    { method: 'GET', resource: '/console/{path+}', path: '/console/assets/no.js' },
    404,
    /"not_found"/,
  ],
  ['GetConsole', { method: 'HEAD', resource: '/console/{path+}', path: '/console/assets/no.js' }, 404, /^$/],
  ['GenerateContent', { method: 'POST', resource: '/v1beta/models/{modelAction}' }, 401, /UNAUTHENTICATED/],
  ['ChatCompletions', { method: 'POST', resource: '/v1/chat/completions' }, 401, /invalid_api_key/],
] as const satisfies readonly (readonly [string, Request, number, RegExp])[];

describe('a deployed bundle answers the same on AWS and in the local runtime:', () => {
  const answers = new Map<Request, readonly [aws: Streamed | undefined, local: Streamed | undefined]>();
  before(async () => {
    await buildRuntime(runtimeFile);
    for (const [id, rows] of Map.groupBy(REQUESTS, ([name]) => name)) {
      const { bundle, handler, variables } =
        functions.find(({ logicalId }) => logicalId.startsWith(id)) ?? assert.fail(`no function ${id}`);
      const streamed = { bundle, handler, environment: variables };
      const events = rows.map(([, request]) => proxyEvent(request));
      const aws = await streamOnAws(streamed, events);
      const local = await streamLocally(runtimeFile, streamed, events);
      for (const [index, [, request]] of rows.entries()) answers.set(request, [aws[index], local[index]]);
    }
  });

  for (const [id, request, status, body] of REQUESTS)
    test(`${id}, ${request.method} ${'path' in request ? request.path : request.resource}`, () => {
      const [aws = assert.fail('no answer'), local] = answers.get(request) ?? [];
      const response = readResponse(aws.bytes);
      assert.equal(aws.outcome, 'ok');
      assert.deepEqual([response.statusCode, response.headers['x-request-id']], [status, 'request']);
      assert.match(response.body, body);
      assert.deepEqual(local, aws);
    });
});
