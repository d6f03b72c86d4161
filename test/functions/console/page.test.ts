import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  chooseEncoding,
  consoleFiles,
  contentType,
  securityHeaders,
  sessionPreload,
  withPrefix,
} from '../../../functions/console/page.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the console serves each file in three encodings, and no other files', async () => {
  const folder = await temporaryFolder('console-files');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<p>');
  for (const suffix of ['', '.br', '.gz'])
    await writeFile(join(folder, 'assets', `a.js${suffix}`), `plain${suffix}`);
  await writeFile(join(folder, 'assets', 'b.png'), 'b');
  const { page, asset } = consoleFiles(folder);
  assert.equal(page, '<p>');
  const read = (name: string, encoding: 'br' | 'gzip' | 'identity') =>
    new TextDecoder().decode(asset(name, encoding));
  assert.deepEqual(
    [read('a.js', 'br'), read('a.js', 'gzip'), read('a.js', 'identity')],
    ['plain.br', 'plain.gz', 'plain'],
  );
  assert.deepEqual(
    [asset('a.js.br', 'identity'), asset('b.png', 'identity'), asset('..', 'br')],
    [undefined, undefined, undefined],
  );
});

test('a page runs only scripts of its own, and loads media from the bucket', () => {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data: media.example.com",
    "media-src 'self' blob: media.example.com",
    "connect-src 'self' media.example.com",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  const headers = {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  assert.deepEqual(securityHeaders('media.example.com', false), headers);
  assert.deepEqual(securityHeaders('media.example.com', true), {
    ...headers,
    'strict-transport-security': 'max-age=31536000',
  });
});

test('a page requests the session early, under the path of the stage', () => {
  const link = '</prod/v1/console/session>; rel=preload; as=fetch; crossorigin';
  assert.deepEqual(sessionPreload('videos', '/prod'), { link });
  assert.deepEqual(sessionPreload('sign-in', '/prod'), {});
  assert.equal(withPrefix('a={{prefix}}/a b={{prefix}}/b', '/prod'), 'a=/prod/a b=/prod/b');
  for (const prefix of ['', '/a/b.c-d', '/"><script>', 'prod', '/a//b', '/a/'])
    assert.equal(withPrefix('{{prefix}}', prefix), /^\/a\/b/.test(prefix) ? prefix : '');
});

test('a file has the type of its name, and the best encoding that the browser accepts', () => {
  for (const [name, type] of [
    ['a.min.js', 'text/javascript; charset=utf-8'],
    ['a.css', 'text/css; charset=utf-8'],
    ['a.svg', 'image/svg+xml'],
    ['a.txt', 'text/plain; charset=utf-8'],
    ['a.json', 'application/json'],
    ['a.woff2', 'font/woff2'],
    ['a.exe', 'application/octet-stream'],
  ] as const)
    assert.equal(contentType(name), type);
  for (const [accepted, encoding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, BR', 'br'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['gzip ; q=0', 'identity'],
    ['brotli', 'identity'],
  ] as const)
    assert.equal(chooseEncoding(accepted), encoding, accepted);
});
