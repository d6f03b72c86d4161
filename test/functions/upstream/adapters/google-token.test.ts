import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readGoogleCredential } from '../../../../functions/upstream/adapters/google-credential.ts';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';
import { endlessly, startServer } from '../../../support/server.ts';
import { openSampleVertex, SIGNER, vertexAt } from './sample-vertex.ts';

const vertex = await openSampleVertex();
after(() => vertex[Symbol.asyncDispose]());
/** One for all tests, because its key takes a quarter of a second. */
const other = vertex.identity.createServiceAccount('other');
const HOUR = 3_600_000;

/** Asserts that a call fails with this message for the operator, which contains no secret. */
const rejectsWith = (call: Promise<unknown>, message: RegExp, fault = 'operator') =>
  assert.rejects(call, (error) => {
    assert.ok(error instanceof UpstreamError);
    assert.equal(error.fault, fault);
    assert.match(error.message, message);
    assert.match(error.message, /"vertex-us"/);
    assert.doesNotMatch(`${error.message} ${error.cause}`, /PRIVATE KEY|aws-secret|aws-session|ya29/);
    return true;
  });

describe('an access token', () => {
  test('of a service account is accepted by Vertex AI', async () => {
    await vertexAt(vertex.url, vertex.account).verify();
  });

  test("of the function's role is exchanged, and exchanged for one of the service account", async () => {
    const before = vertex.paths().length;
    await vertexAt(vertex.url, vertex.federation('video-worker')).verify();
    assert.deepEqual(vertex.paths().slice(before), [
      'POST /v1/token',
      `POST /v1/projects/-/serviceAccounts/${vertex.account.client_email}:generateAccessToken`,
      'GET /v1/projects/acme/locations/us-central1/models?pageSize=1',
    ]);
  });

  test("of the function's role works without a service account too", async () => {
    await vertexAt(vertex.url, vertex.identity.federationConfig()).verify();
  });

  test('is fetched once for many calls, and again five minutes before it expires', async (context) => {
    let issued = 0;
    const server = await startServer((_, response) => {
      issued += 1;
      response.end(JSON.stringify({ access_token: `token-${issued}`, expires_in: 3600 }));
    });
    context.after(server.close);
    let now = Date.now();
    const account = { ...vertex.account, token_uri: `${server.url}/token` };
    const { token } = vertexAt(vertex.url, account, { now: () => now });
    assert.deepEqual(await Promise.all([token.read(), token.read()]), ['token-1', 'token-1']);
    now += HOUR - 5 * 60_000 - 1;
    assert.equal(await token.read(), 'token-1');
    now += 1;
    assert.equal(await token.read(), 'token-2');
  });

  for (const status of [200, 500])
    test(`is not read from an endless response with status ${status}`, async (context) => {
      const closed = Promise.withResolvers<void>();
      const server = await startServer((_, response) =>
        endlessly(response, status).on('close', closed.resolve),
      );
      context.after(server.close);
      const account = { ...vertex.account, token_uri: `${server.url}/token` };
      await rejectsWith(vertexAt(vertex.url, account).token.read(), /access token/, 'failing');
      await closed.promise;
    });

  test('that has expired is replaced, and the call is repeated', async () => {
    const { verify } = vertexAt(vertex.url, vertex.account);
    await verify();
    vertex.identity.expireTokens();
    const before = vertex.paths().length;
    await verify();
    assert.deepEqual(
      vertex
        .paths()
        .slice(before)
        .map((path) => path.split('?')[0]),
      [
        'GET /v1/projects/acme/locations/us-central1/models',
        'POST /token',
        'GET /v1/projects/acme/locations/us-central1/models',
      ],
    );
  });

  test('is replaced if the credential was rotated after a 403', async () => {
    let reads = 0;
    const { token } = vertexAt(vertex.url, () => {
      reads += 1;
      return reads === 1 ? vertex.account : other;
    });
    const first = await token.read();
    assert.equal(await token.renew(first, 403), true);
    assert.notEqual(await token.read(), first);
    const { token: unchanged } = vertexAt(vertex.url, vertex.account);
    const kept = await unchanged.read();
    assert.equal(await unchanged.renew(kept, 403), false);
    assert.equal(await unchanged.read(), kept);
  });
});

describe('a credential that does not work says what to fix:', () => {
  const { account } = vertex;

  test('a wrong audience', () =>
    rejectsWith(
      vertexAt(vertex.url, { ...vertex.federation(), audience: '//iam.googleapis.com/other' }).verify(),
      /its audience names no enabled workload identity provider; compare it with the provider and write the file again \(invalid_target/,
    ));

  test('an expired session of AWS', () =>
    rejectsWith(
      vertexAt(vertex.url, vertex.federation(), {
        signer: {
          ...SIGNER,
          credentials: async () => ({ ...(await SIGNER.credentials()), sessionToken: 'old' }),
        },
      }).verify(),
      /not valid at this time; compare the clock .* if its AWS session has expired \(invalid_grant: .*ExpiredToken/,
    ));

  test('a wrong clock', () =>
    rejectsWith(
      vertexAt(vertex.url, vertex.federation(), { now: () => Date.now() + HOUR }).verify(),
      /compare the clock of this machine .*Signature expired/,
    ));

  test('a wrong secret of AWS', () =>
    rejectsWith(
      vertexAt(vertex.url, vertex.federation(), {
        signer: {
          ...SIGNER,
          credentials: async () => ({ ...(await SIGNER.credentials()), secretAccessKey: 'x' }),
        },
      }).verify(),
      /AWS or the provider did not accept the function's role; check the AWS account ID .*SignatureDoesNotMatch/,
    ));

  test('a role that the provider does not accept', () =>
    rejectsWith(
      vertexAt(vertex.url, vertex.federation('another-role')).verify(),
      /the provider does not accept the function's role; allow the role in the attribute condition/,
    ));

  test('a revoked binding', () => {
    const { client_email: email } = other;
    vertex.identity.revokeBinding(email);
    return rejectsWith(
      vertexAt(vertex.url, vertex.identity.federationConfig({ serviceAccount: email })).verify(),
      /the function's role may not act as the service account; grant it roles\/iam\.workloadIdentityUser on the service account.*PERMISSION_DENIED/,
    );
  });

  test('a deleted key', () =>
    rejectsWith(
      vertexAt(vertex.url, { ...account, private_key: other.private_key }).verify(),
      /the key was deleted or belongs to another service account; create a new key \(invalid_grant: Invalid JWT Signature/,
    ));

  test('a deleted service account', () =>
    rejectsWith(
      vertexAt(vertex.url, { ...account, client_email: 'gone@acme.iam.gserviceaccount.com' }).verify(),
      /the service account was deleted or disabled; enable it or use another one/,
    ));

  test('a service account key and a wrong clock', () =>
    rejectsWith(
      vertexAt(vertex.url, account, { now: () => Date.now() + 2 * HOUR }).verify(),
      /compare the clock of this machine/,
    ));

  test('another project', async () => {
    const { server } = vertexAt(vertex.url, account);
    const call = server.call('v1/projects/other/locations/us-central1/models', {
      timeoutMs: 20_000,
      maxBytes: 1000,
    });
    await assert.rejects(call, { fault: 'operator', httpStatus: 403 });
  });
});

describe('the form of a Google credential', () => {
  const federation = vertex.federation();
  const WRONG = [
    ['a text', 'KEY', /must be a JSON object: a service account key, or the file that "gcloud/],
    ['another type', { type: 'authorized_user' }, /must be a JSON object/],
    [
      'no email',
      { ...vertex.account, client_email: undefined },
      /not as Google writes them: client_email\.$/,
    ],
    ['no key', { ...vertex.account, private_key: 'PRIVATE KEY' }, /: private_key\.$/],
    ['plain http', { ...federation, token_url: 'http://sts.example.com/v1/token' }, /: token_url\.$/],
    [
      'another cloud',
      { ...federation, credential_source: { file: '/token' } },
      /: credential_source\.environment_id\.$/,
    ],
    [
      'an unsafe impersonation',
      { ...federation, service_account_impersonation_url: 'file:///etc/passwd' },
      /: service_account_impersonation_url\.$/,
    ],
  ] as const;
  for (const [title, credential, message] of WRONG)
    test(`is wrong with ${title}`, () =>
      assert.throws(() => readGoogleCredential('vertex-us', credential), { fault: 'operator', message }));

  test('needs only the fields that Google always writes', () => {
    const { type, client_email, private_key } = vertex.account;
    const read = readGoogleCredential('vertex-us', { type, client_email, private_key });
    assert.ok(read.type === 'service_account');
    assert.equal(read.token_uri, 'https://oauth2.googleapis.com/token');
  });
});

describe('a token endpoint that does not answer', () => {
  test('is a temporary error', async (context) => {
    const server = await startServer((_, response) => void response.writeHead(503).end('<h1>Sorry</h1>'));
    context.after(server.close);
    const account = { ...vertex.account, token_uri: `${server.url}/token` };
    await rejectsWith(vertexAt(vertex.url, account).verify(), /issued no access token/, 'failing');
    const nowhere = { ...vertex.account, token_uri: 'http://127.0.0.1:1/token' };
    await rejectsWith(vertexAt(vertex.url, nowhere).verify(), /No access token could be fetched/, 'failing');
  });

  test('is not needed while the last token is valid', async (context) => {
    let answers = 0;
    const server = await startServer((_, response) => {
      answers += 1;
      if (answers > 1) return void response.writeHead(503).end();
      response.end(JSON.stringify({ access_token: 'first', expires_in: 3600 }));
    });
    context.after(server.close);
    let now = Date.now();
    const account = { ...vertex.account, token_uri: `${server.url}/token` };
    const { token } = vertexAt(vertex.url, account, { now: () => now });
    assert.equal(await token.read(), 'first');
    now += HOUR - 1;
    assert.equal(await token.read(), 'first');
    now += 1;
    await assert.rejects(token.read(), { fault: 'failing' });
    assert.equal(answers, 3);
  });

  test('lets the next call try again', async (context) => {
    let answers = 0;
    const server = await startServer((_, response) => {
      answers += 1;
      if (answers === 1) return void response.writeHead(500).end();
      response.end(JSON.stringify({ access_token: 'second', expires_in: 3600 }));
    });
    context.after(server.close);
    const { token } = vertexAt(vertex.url, { ...vertex.account, token_uri: `${server.url}/token` });
    await assert.rejects(token.read(), { fault: 'failing' });
    assert.equal(await token.read(), 'second');
  });
});
