import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call } from '../support/http.ts';
import { service } from './requests.ts';

describe('versioning', () => {
  test('Video and chat endpoints are under `/v1`; the native image endpoint is under `/v1beta`.', async () => {
    const { paths } = (await call(service, 'GET', '/openapi.json')).body;
    for (const path of ['/v1/videos', '/v1/chat/completions', '/v1beta/models/{model}:generateContent'])
      assert.ok(Object.hasOwn(Object(paths), path), path);
  });

  test('Model identifiers of all three models end in `preview`.', async () => {
    const { data } = (await call(service, 'GET', '/v1/models')).body;
    const ids = [...Object(data)]
      .map(({ id }: { id: string }) => id)
      .filter((id) => /^(video|image)-/.test(id));
    assert.equal(ids.length, 3);
    for (const id of ids) assert.match(id, /preview$/);
  });
});
