import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();

/** As bytes: fetch would take the encoding off. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request(`${service.baseUrl}${path}`, { method, headers });
      sent.once('error', reject);
      sent.once('response', async (response) => {
        const bytes = Buffer.concat(await Array.fromAsync(response));
        resolve({ status: response.statusCode, headers: response.headers, bytes });
      });
      sent.end();
    },
  );

const page = await get('/console');
const asset = /"\/prod(\/console\/assets\/[^"]+)"/.exec(page.bytes.toString())?.[1] ?? '';

describe('the page of the console', () => {
  test('knows the prefix, and is asked for anew each time', () => {
    const text = page.bytes.toString();
    assert.deepEqual(
      [page.status, page.headers['content-type'], page.headers['cache-control']],
      [200, 'text/html; charset=utf-8', 'no-cache'],
    );
    assert.match(text, /<html [^>]*data-base="\/prod"/);
    assert.doesNotMatch(text, /\{\{/);
    assert.notEqual(asset, '');
  });

  test('may load and run nothing that is not its own', async () => {
    const host = /media-src 'self' blob: ([\d.]+:\d+);/.exec(
      String(page.headers['content-security-policy']),
    )?.[1];
    assert.equal(
      page.headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data: " +
        `${host}; media-src 'self' blob: ${host}; connect-src 'self' ${host}; form-action 'self'; base-uri 'none'; ` +
        "frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    // Videos come from there.
    assert.equal(host, new URL(String(service.operator.endpoint)).host);
    assert.deepEqual(
      [
        'x-content-type-options',
        'referrer-policy',
        'cross-origin-opener-policy',
        'strict-transport-security',
      ].map((name) => page.headers[name]),
      ['nosniff', 'no-referrer', 'same-origin', undefined],
    );
  });

  test('is the same at every address below', async () => {
    for (const path of [
      '/console/',
      '/console/library/task_1',
      '/console/..%2f..%2findex.mjs',
      '/console/index.html',
    ])
      assert.deepEqual((await get(path)).bytes, page.bytes, path);
  });

  test('has the session asked for at once, but not by who is about to sign in', async () => {
    const preload = '</prod/v1/console/session>; rel=preload; as=fetch; crossorigin';
    for (const path of ['/console', '/console/', '/console/library/task_1', '/console/sign-in/more'])
      assert.equal((await get(path)).headers.link, preload, path);
    assert.equal((await get('/console/sign-in')).headers.link, undefined);
  });

  test('is where the root leads', async () => {
    for (const path of ['', '/']) {
      const { status, headers, bytes } = await get(path);
      assert.deepEqual([status, headers.location], [302, '/prod/console/'], path);
      assert.equal(bytes.toString(), 'The console is at /prod/console/\n');
    }
  });
});

describe('a file of the console', () => {
  const ENCODINGS = [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['', undefined, (bytes: Buffer) => bytes],
  ] as const;
  for (const [accepted, encoding, decode] of ENCODINGS)
    test(`is sent as ${encoding ?? 'it is'} to who takes "${accepted}"`, async () => {
      const plain = await get(asset);
      const { status, headers, bytes } = await get(asset, { 'accept-encoding': accepted });
      assert.deepEqual(
        [status, headers['content-encoding'], headers.vary],
        [200, encoding, 'accept-encoding'],
      );
      assert.deepEqual(decode(bytes), plain.bytes);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['x-content-type-options'], 'nosniff');
    });

  test('with the licenses is plain text', async () => {
    const [, path = ''] = /rel="license" href="\/prod([^"]+)"/.exec(page.bytes.toString()) ?? [];
    const { status, headers, bytes } = await get(path);
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
    assert.match(bytes.toString(), /^preact [\d.]+ \(MIT\)$/m);
  });

  for (const name of ['missing.js', `${asset.split('/').at(-1)}.br`, '..%2findex.html', '.', ''])
    test(`that is not there is 404, never the page: ${name}`, async () => {
      const { status, bytes } = await get(`/console/assets/${name}`);
      assert.deepEqual([status, JSON.parse(bytes.toString()).error.code], [404, 'not_found']);
    });
});
