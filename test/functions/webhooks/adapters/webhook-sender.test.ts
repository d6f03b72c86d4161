import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { Webhook } from 'standardwebhooks';
import {
  type WebhookSenderOptions,
  webhookSender,
} from '../../../../functions/webhooks/adapters/webhook-sender.ts';
import { eventObject } from '../../../../functions/webhooks/api/webhook-object.ts';
import { aWebhookEvent } from '../../../support/builders/webhook.ts';
import { selfSignedCertificate } from '../../../support/self-signed-certificate.ts';
import { listen, startServer } from '../../../support/server.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const endpointAt = (url: string) => ({ url, secret: SECRET, oldSecret: undefined });

const openSender = (options: Partial<WebhookSenderOptions>) =>
  webhookSender({ allowLoopbackHttp: true, toObject: eventObject, now: Date.now, ...options });
const EVENT = aWebhookEvent({ createdAt: 1_790_000_000_999 });

const sendTo = (url: string, options: Partial<WebhookSenderOptions> = {}) =>
  openSender(options).send(endpointAt(url), EVENT);

/** The result of one event sent to a receiver on this machine. */
const sendToReceiver = async (listener: RequestListener, options: Partial<WebhookSenderOptions> = {}) => {
  const { url, close } = await startServer(listener);
  try {
    return await sendTo(`${url}/hook`, options);
  } finally {
    await close();
  }
};

/** The same with a receiver that controls its socket; `closed` settles when the sender has closed the connection. */
const sendToSocket = async (
  accept: (socket: Socket) => void,
  options: Partial<WebhookSenderOptions> = {},
) => {
  const left: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    left.push(new Promise((resolve) => socket.once('close', resolve)));
    socket.on('error', () => {});
    // The end is noticed only if the data is read.
    socket.resume();
    accept(socket);
  });
  const port = await listen(server);
  try {
    const attempt = await sendTo(`http://127.0.0.1:${port}/`, options);
    await Promise.all(left);
    return attempt;
  } finally {
    server.close();
  }
};

test('an event arrives as a signed POST with our headers and no others', async () => {
  let seen: unknown;
  let verified: unknown;
  const { statusCode, answer, error } = await sendToReceiver(async (request, response) => {
    const body = await text(request);
    const { host, ...headers } = request.headers;
    const { method, url } = request;
    seen = {
      method,
      url,
      type: headers['content-type'],
      names: Object.keys(headers),
      body: JSON.parse(body),
    };
    const signed = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    verified = new Webhook(SECRET).verify(body, Object.fromEntries(signed));
    response.writeHead(201).end('got it');
  });
  assert.deepEqual({ statusCode, answer, error }, { statusCode: 201, answer: 'got it', error: undefined });
  assert.deepEqual(seen, {
    method: 'POST',
    url: '/hook',
    type: 'application/json',
    names: [
      ...['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
      ...['content-length', 'connection'],
    ],
    body: verified,
  });
  assert.deepEqual(verified, {
    id: 'evt_1',
    object: 'event',
    type: 'video.completed',
    created_at: 1_790_000_000,
    data: { id: 'task_1' },
  });
});

test('every status is reported, and redirects are not followed', async () => {
  for (const status of [200, 301, 307, 410, 503]) {
    let requests = 0;
    const { statusCode, error } = await sendToReceiver((_request, response) => {
      requests += 1;
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '1' }).end();
    });
    assert.deepEqual({ statusCode, error, requests }, { statusCode: status, error: undefined, requests: 1 });
  }
});

test('an answer is cut at 1 KB, between characters, and has no control characters', async () => {
  const long = await sendToReceiver((_request, response) => response.end(`x${'é'.repeat(1000)}`));
  assert.equal(long.answer, `x${'é'.repeat(511)}`);
  const odd = await sendToReceiver((_request, response) =>
    response.end(Buffer.from('a\u001b[31mb\r\n\u0000c\u202ed\u2028e\u007f\ufeff\xff', 'utf8')),
  );
  assert.equal(odd.answer, 'a [31mb c d e ÿ');
  const binary = await sendToReceiver((_request, response) => response.end(Buffer.from([0xff, 0xfe, 0xc3])));
  assert.equal(binary.answer, '\ufffd\ufffd');
});

const ENDLESS = Buffer.alloc(65_536, 'a');

test('only 1 KB of an endless answer is read, and the connection is closed', async () => {
  let sent = 0;
  const { statusCode, answer, durationMs } = await sendToSocket((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n');
    const more = (): void => {
      while (socket.writable && socket.write(ENDLESS, () => (sent += ENDLESS.length)));
    };
    socket.on('drain', more);
    more();
  });
  assert.equal(statusCode, 200);
  assert.equal(answer, 'a'.repeat(1024));
  assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes`);
  assert.ok(durationMs < 2000);
});

test('an answer that never ends counts by its status', async () => {
  const options = { timeoutMs: 300 };
  const neverEnding: RequestListener = (_request, response) => response.writeHead(500).write('wait');
  const [short, normal] = await Promise.all([
    sendToReceiver(neverEnding, options),
    sendToReceiver(neverEnding),
  ]);
  for (const { statusCode, answer, error } of [short, normal])
    assert.deepEqual({ statusCode, answer, error }, { statusCode: 500, answer: 'wait', error: undefined });
  assert.ok(normal.durationMs < 4000, String(normal.durationMs));
  const broken = await sendToSocket((socket) => {
    socket.end('HTTP/1.1 410 Gone\r\ncontent-length: 10\r\n\r\nbye');
  });
  assert.deepEqual([broken.statusCode, broken.answer], [410, 'bye']);
});

const LATE = 'No answer within 0.3 seconds.';
const CLOSED = 'The connection was closed without an answer.';
const NOT_HTTP = 'The answer is not valid HTTP.';

const drip = async (socket: Socket): Promise<void> => {
  socket.write('HTTP/1.1 200 OK\r\n');
  while (socket.writable) {
    socket.write('x-a: b\r\n');
    await sleep(30);
  }
};

const MISBEHAVIOURS: readonly (readonly [what: string, error: string, accept: (socket: Socket) => void])[] = [
  ['silence', LATE, () => {}],
  ['slow headers', LATE, (socket) => void drip(socket)],
  ['only "continue"', LATE, (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000))],
  ['garbage', NOT_HTTP, (socket) => socket.write('\u0000\u0001 what?\r\n\r\n')],
  ['a huge header', NOT_HTTP, (s) => s.write(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(100_000)}\r\n\r\n`)],
  ['an upgrade', CLOSED, (s) => s.write('HTTP/1.1 101 A\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
  ['an end', CLOSED, (socket) => socket.end()],
  ['a reset', CLOSED, (socket) => socket.resetAndDestroy()],
];

for (const [what, expected, accept] of MISBEHAVIOURS)
  test(`${what} as an answer is a failed attempt that ends soon`, async () => {
    const { at: _, durationMs, ...outcome } = await sendToSocket(accept, { timeoutMs: 300 });
    assert.deepEqual(outcome, { error: expected });
    assert.ok(durationMs < 2000);
  });

test('a refused connection, one without TLS, or an address without a route is a failed attempt', async () => {
  const { port, url, close } = await startServer((_request, response) => response.end());
  assert.equal((await sendTo(`https://127.0.0.1:${port}/`)).error, 'No secure connection could be made.');
  await close();
  assert.equal((await sendTo(url)).error, 'The connection was refused.');
  const broadcast = {
    resolve: async () => [{ address: '255.255.255.255', family: 4 }],
    isPublic: () => true,
  };
  const { error } = await sendTo('https://hooks.example.com/', broadcast);
  assert.equal(error, 'The address cannot be reached.');
});

test('a name that does not resolve, or not in time, is a failed attempt', async () => {
  const url = 'https://hooks.example.com/';
  const refuse = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  assert.equal((await sendTo(url, { resolve: refuse })).error, 'The name could not be resolved.');
  assert.equal((await sendTo(url, { resolve: async () => [] })).error, 'The name could not be resolved.');
  const never = () => new Promise<never>(() => {});
  assert.equal((await sendTo(url, { resolve: never, timeoutMs: 300 })).error, LATE);
});

test('no request is sent to a name with an address that is not public', async () => {
  for (const address of ['127.0.0.1', '169.254.169.254', 'fd00:ec2::254', 'nonsense'])
    for (const addresses of [[address], ['8.8.8.8', address]]) {
      const resolve = async () =>
        addresses.map((each) => ({ address: each, family: each.includes(':') ? 6 : 4 }));
      for (const allowLoopbackHttp of [true, false]) {
        const { error } = await sendTo('https://hooks.example.com/', { resolve, allowLoopbackHttp });
        assert.equal(error, 'The address is not public.', addresses.join());
      }
    }
});

test('if loopback is allowed, a loopback name must resolve to a loopback address', async () => {
  const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
  const { error } = await sendTo('http://localhost:1/', { resolve });
  assert.equal(error, 'The address is not public.');
});

test('if the first address does not accept a connection, the next one is used', async () => {
  const { port, close } = await startServer((_request, response) => response.writeHead(202).end());
  const resolve = async () => ['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  const { statusCode } = await sendTo(`http://localhost:${port}/`, { resolve });
  await close();
  assert.equal(statusCode, 202);
});

test('a stored URL is checked again under the current rules', async () => {
  const { error } = await sendTo('http://127.0.0.1:1/', { allowLoopbackHttp: false });
  assert.match(error ?? '', /^The url must begin with https/);
  assert.match((await sendTo('https://169.254.169.254/')).error ?? '', /^The url must not have a private/);
});

test('a name is resolved once, and the checked address is used', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const url = `https://hooks.example.com:${await listen(server)}/`;
  const answers = ['127.0.0.1', '127.0.0.2'];
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return [{ address: answers.shift() ?? '127.0.0.2', family: 4 }];
  };
  // One loopback address counts as public, all others as private.
  const options = { resolve, isPublic: (address: string) => address === '127.0.0.1' };
  try {
    assert.equal((await sendTo(url, options)).error, CLOSED);
    assert.deepEqual({ asked, connections }, { asked: ['hooks.example.com'], connections: 1 });
    assert.equal((await sendTo(url, options)).error, 'The address is not public.');
    assert.equal(connections, 1);
  } finally {
    server.close();
  }
});

describe('sendUnlessSlow', { concurrency: true }, () => {
  /** A receiver that answers after the given time, and the result of an attempt. */
  const tryAt = async (answerMs: number, mayWait: () => Promise<boolean>, quickMs = 100) => {
    const left: Promise<unknown>[] = [];
    const { url, close } = await startServer((request, response) => {
      left.push(once(request.socket, 'close'));
      // The answer of the last test never comes, and must not keep the process.
      setTimeout(() => response.writeHead(202).end(), answerMs).unref();
    });
    const sender = openSender({ timeoutMs: Math.max(2000, 2 * quickMs), quickMs });
    const started = Date.now();
    try {
      const attempt = await sender.sendUnlessSlow(endpointAt(url), EVENT, mayWait);
      const milliseconds = Date.now() - started;
      await Promise.all(left);
      return { attempt, milliseconds };
    } finally {
      await close();
    }
  };

  test('does not ask if the answer is quick', async () => {
    // On a busy machine, an immediate answer may take seconds.
    const { attempt } = await tryAt(0, () => assert.fail('it asks'), 30_000);
    assert.equal(attempt?.statusCode, 202);
  });

  test('waits for the answer if it may', async () => {
    let asked = 0;
    const { attempt } = await tryAt(400, async () => {
      asked += 1;
      return true;
    });
    assert.deepEqual([attempt?.statusCode, asked], [202, 1]);
    assert.ok((attempt?.durationMs ?? 0) >= 400, `${attempt?.durationMs} ms`);
  });

  test('aborts if it may not wait, and closes the connection', async () => {
    const { attempt, milliseconds } = await tryAt(1500, async () => false);
    assert.equal(attempt, undefined);
    assert.ok(milliseconds < 1000, `${milliseconds} ms`);
  });

  test('accepts an answer that arrives while it asks', async () => {
    const { attempt } = await tryAt(200, async () => {
      await sleep(600);
      return false;
    });
    assert.equal(attempt?.statusCode, 202);
    assert.ok((attempt?.durationMs ?? 0) < 600, `${attempt?.durationMs} ms`);
  });

  test('aborts and rejects if asking fails', async () => {
    const started = Date.now();
    await assert.rejects(
      tryAt(1500, () => Promise.reject(new Error('no table'))),
      /no table/,
    );
    assert.ok(Date.now() - started < 1400);
  });

  test('still times out', async () => {
    const { attempt } = await tryAt(30_000, async () => true);
    assert.equal(attempt?.error, 'No answer within 2 seconds.');
  });
});

describe('certificates', () => {
  const HOST = 'hooks.example.com';
  const REFUSED = 'The certificate is not valid.';

  /** Sends one event to a name that resolves to this machine, which the sender treats as public. */
  const sendOverTls = async (
    host: string,
    certificate: { readonly key: string | Buffer; readonly cert: string },
  ) => {
    const names: unknown[] = [];
    const server = createHttpsServer(certificate, (request, response) => {
      names.push(request.socket instanceof TLSSocket ? request.socket.servername : undefined);
      response.end('thanks');
    });
    const port = await listen(server);
    try {
      const result = await sendTo(`https://${host}:${port}/`, {
        allowLoopbackHttp: false,
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        isPublic: (address) => address === '127.0.0.1',
      });
      return { names, ...result };
    } finally {
      server.close();
    }
  };

  const trust = (cert: string): void => setDefaultCACertificates([...getCACertificates('bundled'), cert]);

  test('an untrusted certificate is refused, even if the environment disables verification', async () => {
    const certificate = selfSignedCertificate(HOST);
    assert.equal((await sendOverTls(HOST, certificate)).error, REFUSED);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const { error, names } = await sendOverTls(HOST, certificate);
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    assert.equal(error, REFUSED);
    assert.deepEqual(names, []);
  });

  test('a trusted certificate is checked against the host name, not the address', async () => {
    const certificate = selfSignedCertificate(HOST);
    trust(certificate.cert);
    const { statusCode, answer, names } = await sendOverTls(HOST, certificate);
    assert.deepEqual({ statusCode, answer, names }, { statusCode: 200, answer: 'thanks', names: [HOST] });
    assert.equal((await sendOverTls('other.example.com', certificate)).error, REFUSED);
  });

  test('an expired certificate is refused', async () => {
    const certificate = selfSignedCertificate(HOST, Date.now() - 1000);
    trust(certificate.cert);
    assert.equal((await sendOverTls(HOST, certificate)).error, REFUSED);
  });
});
