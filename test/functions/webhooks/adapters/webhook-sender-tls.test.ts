import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { webhookSender } from '../../../../functions/webhooks/adapters/webhook-sender.ts';
import { aWebhookEvent } from '../../../support/builders/webhook.ts';
import { selfSignedCertificate } from '../../../support/self-signed-certificate.ts';
import { listen } from '../../../support/server.ts';

const HOST = 'hooks.example.com';
const REFUSED = 'The certificate is not valid.';

/** Sends one event to a name that leads to this machine, which the sender takes for a public one. */
const sendTo = async (
  host: string,
  certificate: { readonly key: string | Buffer; readonly cert: string },
) => {
  const names: unknown[] = [];
  const server = createServer(certificate, (request, response) => {
    names.push(request.socket instanceof TLSSocket ? request.socket.servername : undefined);
    response.end('thanks');
  });
  const port = await listen(server);
  const sender = webhookSender({
    allowLoopbackHttp: false,
    now: Date.now,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isPublic: (address) => address === '127.0.0.1',
  });
  const endpoint = { url: `https://${host}:${port}/`, secret: 'whsec_AAAA', oldSecret: undefined };
  try {
    return { names, ...(await sender.send(endpoint, aWebhookEvent())) };
  } finally {
    server.close();
  }
};

const trust = (cert: string): void => setDefaultCACertificates([...getCACertificates('bundled'), cert]);

test('a certificate that nobody vouches for is refused, whatever the environment says of it', async () => {
  const certificate = selfSignedCertificate(HOST);
  assert.equal((await sendTo(HOST, certificate)).error, REFUSED);
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const { error, names } = await sendTo(HOST, certificate);
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  assert.equal(error, REFUSED);
  assert.deepEqual(names, []);
});

test('a trusted certificate counts for the name that the endpoint has, not for the address', async () => {
  const certificate = selfSignedCertificate(HOST);
  trust(certificate.cert);
  const { statusCode, answer, names } = await sendTo(HOST, certificate);
  assert.deepEqual({ statusCode, answer, names }, { statusCode: 200, answer: 'thanks', names: [HOST] });
  assert.equal((await sendTo('other.example.com', certificate)).error, REFUSED);
});

test('a trusted certificate that has expired is refused', async () => {
  const certificate = selfSignedCertificate(HOST, Date.now() - 1000);
  trust(certificate.cert);
  assert.equal((await sendTo(HOST, certificate)).error, REFUSED);
});
