import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createRemoteImages, fetchImages } from '../../../../functions/catalogue/adapters/fetch-images.ts';
import { JPEG, PNG } from '../../../support/images.ts';
import { listen, startServer } from '../../../support/server.ts';

const MAX_BYTES = 14_700_000;
type Options = Partial<Parameters<typeof fetchImages>[0]>;

const load = (addresses: readonly string[], options: Options = {}) =>
  fetchImages({ allowLoopbackHttp: true, maxBytes: MAX_BYTES, ...options }).load(
    addresses,
    (address) => `images[${addresses.indexOf(address)}]`,
  );

/** Loads images from a server of this machine, by their paths. */
const loadFrom = async (
  listener: RequestListener,
  paths: readonly string[] = ['/a.png'],
  options?: Options,
) => {
  const { url, close } = await startServer(listener);
  try {
    return await load(
      paths.map((path) => url + path),
      options,
    );
  } finally {
    await close();
  }
};

const notLoaded = (reason: RegExp) => ({
  code: 'remote_image_not_loaded',
  param: 'images[0]',
  message: new RegExp(`^images\\[0\\] could not be loaded: ${reason.source}$`),
});

/** The addresses to which a name resolves in these tests. */
const resolving = (...addresses: readonly string[]) => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

test('images are loaded without credentials, and their type is read from the bytes', async () => {
  const seen: unknown[] = [];
  const images = await loadFrom(
    ({ method, url, headers }, response) => {
      const { host: _, ...others } = headers;
      seen.push([method, url, others]);
      response.writeHead(200, { 'content-type': 'text/html' }).end(url?.startsWith('/a') ? PNG : JPEG);
    },
    ['/a?b=c#d', '/e'],
  );
  assert.deepEqual(
    Array.from(images.values(), ({ mimeType, bytes }) => [mimeType, bytes.length]),
    [
      ['image/png', PNG.length],
      ['image/jpeg', JPEG.length],
    ],
  );
  const sent = {
    accept: 'image/png, image/jpeg, image/webp',
    'accept-encoding': 'identity',
    'user-agent': 'media-generation-images/1.0',
    connection: 'close',
  };
  assert.deepEqual(seen.toSorted(), [
    ['GET', '/a?b=c', sent],
    ['GET', '/e', sent],
  ]);
});

const redirect = (response: ServerResponse, location: string): unknown =>
  response.writeHead(302, { location }).end('elsewhere');

describe('redirects', () => {
  /** `/3` redirects to `/2`, and so on; `/0` is the image. */
  const counting: RequestListener = ({ url = '' }, response) => {
    const left = Number(url.slice(1));
    if (left === 0) response.end(PNG);
    else redirect(response, `/${left - 1}`);
  };

  test('are followed three times', async () => {
    assert.equal((await loadFrom(counting, ['/3'])).size, 1);
    await assert.rejects(loadFrom(counting, ['/4']), notLoaded(/The server redirects more than 3 times\./));
  });

  for (const [location, reason] of [
    ['http://example.com/', /The address to which its server redirects must begin with https.*/],
    ['https://169.254.169.254/latest', /The address to which its server redirects must not have a private.*/],
    ['https://[::ffff:127.0.0.1]/', /The address to which its server redirects must not .*/],
    ['https://u:p@example.com/', /The address to which its server redirects must not have a user name.*/],
    ['file:///etc/passwd', /The address to which its server redirects must begin with https.*/],
    ['https://', /The server redirects to no valid address\./],
    ['https://images.example.com/', /The address is not public\./],
  ] as const)
    test(`to ${location} are not followed`, () =>
      assert.rejects(
        loadFrom((_request, response) => redirect(response, location), ['/a'], resolving('10.0.0.1')),
        notLoaded(reason),
      ));
});

describe('addresses', () => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'x',
  ])
    test(`that resolve to ${address} are refused`, async () => {
      for (const resolved of [[address], ['8.8.8.8', address]])
        await assert.rejects(
          load(['https://images.example.com/a'], { ...resolving(...resolved), allowLoopbackHttp: false }),
          notLoaded(/The address is not public\./),
        );
    });

  test('of this machine are refused on AWS', () =>
    assert.rejects(load(['http://127.0.0.1:1/'], { allowLoopbackHttp: false }), { param: 'images[0]' }));

  test('are resolved once, and the connection goes to the checked address', async () => {
    let asked = 0;
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await listen(server);
    const resolve = async () => [{ address: ['127.0.0.1', '10.0.0.1'][asked++] ?? '', family: 4 }];
    await assert.rejects(load([`http://localhost:${port}/`], { resolve }), notLoaded(/The connection was.*/));
    server.close();
    assert.deepEqual([asked, connections], [1, 1]);
  });
});

describe('a server that', () => {
  const misbehaving: Readonly<Record<string, readonly [RequestListener, RegExp, Options?]>> = {
    'answers with an error': [
      (_request, response) => response.writeHead(404).end(PNG),
      /The server answered with status 404\./,
    ],
    'compresses its answer': [
      (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(PNG)),
      /The server sent a compressed answer\./,
    ],
    'announces too much': [
      (_request, response) => response.writeHead(200, { 'content-length': 20_000_001 }).write(PNG),
      /It has more than 20 MB\./,
    ],
    'never stops sending': [
      (_request, response) => {
        const send = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', send);
        send();
      },
      /The images of the request have more than 1 MB\./,
      { maxBytes: 1_000_000 },
    ],
    'sends the start of an image': [
      (_request, response) => response.write(PNG.subarray(0, 20)),
      /The image did not arrive within 0\.2 seconds\./,
      { timeoutMs: 200 },
    ],
    'does not answer': [() => {}, /The image did not arrive within 0\.2 seconds\./, { timeoutMs: 200 }],
    'ends in the middle': [
      (_request, response) => {
        response.writeHead(200, { 'content-length': PNG.length });
        response.write(PNG.subarray(0, 20), () => response.destroy());
      },
      /The connection was closed without an answer\./,
    ],
  };
  for (const [what, [listener, reason, options]] of Object.entries(misbehaving))
    test(what, () => assert.rejects(loadFrom(listener, ['/a'], options), notLoaded(reason)));

  for (const [what, bytes] of [
    ['nothing', ''],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page', '<!doctype html>'],
    ['a truncated image', PNG.subarray(0, -12)],
  ] as const)
    test(`sends ${what}`, () =>
      assert.rejects(
        loadFrom((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)),
        { code: 'invalid_image', param: 'images[0]' },
      ));
});

test('images of one request have a common limit of bytes and of number', async () => {
  const listener: RequestListener = (_request, response) => response.end(PNG);
  await assert.rejects(loadFrom(listener, ['/a', '/b'], { maxBytes: PNG.length * 2 - 1 }), {
    code: 'remote_image_not_loaded',
  });
  const eleven = Array.from({ length: 11 }, (_, index) => `/${index}`);
  await assert.rejects(loadFrom(listener, eleven), { code: 'invalid_request', param: 'images[0]' });
});

test('a deployment can refuse all addresses', async () => {
  const refusing = createRemoteImages({ REMOTE_IMAGES: false, UPSTREAM_REQUEST_MEGABYTES: 20 });
  assert.equal((await refusing.load([], String)).size, 0);
  await assert.rejects(
    refusing.load(['https://example.com/a.png'], () => 'image'),
    {
      code: 'remote_image_not_supported',
      param: 'image',
      message: 'image is a remote address, which is not fetched: send the file itself, or a data URI.',
    },
  );
});
