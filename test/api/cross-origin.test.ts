import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OPERATIONS } from '../../functions/openapi/document.ts';
import { longOr } from '../support/long-tests.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const ORIGIN = 'https://app.example.com';
const OTHER = 'https://other.example.com';

const routes = OPERATIONS.map(({ method, path }) => ({
  method: method.toUpperCase(),
  path: path.replace(/\{\w+\}/g, 'any'),
}));

/** All routes refuse other origins in the same code, so a usual run tries every eighth route. */
const refusing = new Set(routes.filter((_, position) => position % longOr(8, 1) === 0));

const ask = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${service.baseUrl}${path}`, { method, headers, redirect: 'manual' });
const preflight = (method: string, path: string, origin: string) =>
  ask('OPTIONS', path, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  });

describe('every route', () => {
  test('answers the preflight of an allowed origin, and refuses that of another', async () => {
    for (const route of routes) {
      const { method, path } = route;
      const allowed = await preflight(method, path, ORIGIN);
      const title = `${method} ${path}`;
      assert.deepEqual([allowed.status, await allowed.text()], [204, ''], title);
      assert.equal(allowed.headers.get('access-control-allow-origin'), ORIGIN, title);
      assert.equal(allowed.headers.get('access-control-allow-methods'), method, title);
      assert.equal(allowed.headers.get('access-control-allow-headers'), 'authorization,content-type', title);
      assert.equal(allowed.headers.get('access-control-allow-credentials'), null, title);
      if (!refusing.has(route)) continue;
      const refused = await preflight(method, path, OTHER);
      assert.deepEqual(
        [refused.status, refused.headers.get('access-control-allow-origin')],
        [404, null],
        title,
      );
      assert.match(await refused.text(), /allowedOrigins/, title);
    }
  });

  test('lets a page of an allowed origin read its answer, an error too', async () => {
    for (const route of routes) {
      const { method, path } = route;
      const { headers } = await ask(method, path, { origin: ORIGIN });
      const title = `${method} ${path}`;
      // The description of the API is for everyone.
      const isPublic = path === '/openapi.json';
      assert.equal(headers.get('access-control-allow-origin'), isPublic ? '*' : ORIGIN, title);
      if (isPublic) continue;
      assert.match(
        headers.get('access-control-expose-headers') ?? '',
        /x-request-id.*retry-after.*x-ignored-parameters.*x-content-credentials/,
        title,
      );
      assert.equal(headers.get('vary'), 'Origin', title);
      if (!refusing.has(route)) continue;
      const other = await ask(method, path, { origin: OTHER });
      assert.equal(other.headers.get('access-control-allow-origin'), null, title);
    }
  });
});

test('an unknown route can be read by a page of an allowed origin', async () => {
  assert.equal((await preflight('POST', '/v1/nothing', ORIGIN)).status, 204);
  const { status, headers } = await ask('POST', '/v1/nothing', { origin: ORIGIN });
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [404, ORIGIN]);
});

test('an OPTIONS that is no preflight is an unknown route', async () => {
  const answer = await ask('OPTIONS', '/v1/videos', {});
  assert.deepEqual([answer.status, /"code":"not_found"/.test(await answer.text())], [404, true]);
});
