import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptedKeys,
  dialectName,
  GET,
  pathNames,
  requestGuard,
} from '../../../../functions/identity/api/declare-endpoint.ts';

test('the path of an endpoint decides which keys it accepts, and the format of its errors', () => {
  for (const [path, keys, dialect] of [
    ['/v1/videos', 'plain', 'openAi'],
    ['/v1/organization/costs', 'admin', 'openAi'],
    ['/v1/console/links', 'admin', 'openAi'],
    ['/v1/organizations/x', 'plain', 'openAi'],
    ['/x/v1/console/links', 'plain', 'openAi'],
    ['/v1beta/files', 'plain', 'native'],
    ['/upload/v1beta/files', 'plain', 'native'],
    ['/x/v1beta/files', 'plain', 'openAi'],
    ['/v1betas/files', 'plain', 'openAi'],
    ['/v1beta1/publishers/google/models', 'plain', 'native'],
    ['/v1/projects/{project}/locations/{location}/publishers/google/models', 'plain', 'native'],
    ['/v1/publishers/google/models', 'plain', 'native'],
    ['/v1/operations/{operation}', 'plain', 'native'],
    ['/v1/models/{model}:predict', 'plain', 'native'],
    ['/v1/models/{model}/operations/{operation}', 'plain', 'native'],
    ['/upload/v1/files', 'plain', 'native'],
    ['/v1/models/{model}', 'plain', 'openAi'],
    ['/v1/models/a/b', 'plain', 'openAi'],
    ['/v1/files/{file}', 'plain', 'openAi'],
  ] as const) {
    const endpoint = GET(path, 'Read', 'viewer');
    assert.deepEqual([acceptedKeys(endpoint), dialectName(endpoint)], [keys, dialect], path);
  }
});

test('a request is for an endpoint if it has all parameters of its route', () => {
  const endpoint = GET('/v1/{one}/{two}', 'Read', 'viewer', { route: '/v1/{one}/{two+}' });
  assert.deepEqual(pathNames(endpoint), ['one', 'two']);
  const isFor = (path: Readonly<Record<string, string>>) => requestGuard(endpoint)({ path });
  assert.deepEqual([isFor({ one: '', two: '', three: '' }), isFor({ one: '' })], [true, false]);
});
