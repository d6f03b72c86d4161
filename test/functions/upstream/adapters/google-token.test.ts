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

/** A token endpoint with these answers in turn; the last one is repeated. */
const startTokens = async (...answers: readonly (number | string)[]) => {
  let calls = 0;
  const server = await startServer((_, response) => {
    const answer = answers[calls] ?? answers.at(-1);
    calls += 1;
    if (typeof answer === 'number') response.writeHead(answer).end('<h1>Sorry</h1>');
    else response.end(JSON.stringify({ access_token: answer, expires_in: 3600 }));
  });
  const account = { ...vertex.account, token_uri: `${server.url}/token` };
  return { account, calls: () => calls, [Symbol.asyncDispose]: server.close };
};

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

  test('is fetched once for many calls, and again five minutes before it expires', async () => {
    await using tokens = await startTokens('token-1', 'token-2');
    let now = Date.now();
    const { token } = vertexAt(vertex.url, tokens.account, { now: () => now });
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
    const paths = vertex.paths().slice(before);
    const models = 'GET /v1/projects/acme/locations/us-central1/models?pageSize=1';
    assert.deepEqual(paths, [models, 'POST /token', models]);
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
  const signedWith = (change: Partial<Awaited<ReturnType<typeof SIGNER.credentials>>>) => ({
    signer: { ...SIGNER, credentials: async () => ({ ...(await SIGNER.credentials()), ...change }) },
  });
  const federation = vertex.federation();
  const later = (hours: number) => ({ now: () => Date.now() + hours * HOUR });
  vertex.identity.revokeBinding(other.client_email);
  const revoked = vertex.identity.federationConfig({ serviceAccount: other.client_email });

  type Case = readonly [title: string, given: object, message: RegExp, more?: Parameters<typeof vertexAt>[2]];
  const CASES: readonly Case[] = [
    [
      'a wrong audience',
      { ...federation, audience: '//iam.googleapis.com/other' },
      /its audience names no enabled workload identity provider; compare it with the provider and write the file again \(invalid_target/,
    ],
    [
      'an expired session of AWS',
      federation,
      /not valid at this time; compare the clock .* if its AWS session has expired \(invalid_grant: .*ExpiredToken/,
      signedWith({ sessionToken: 'old' }),
    ],
    ['a wrong clock', federation, /compare the clock of this machine .*Signature expired/, later(1)],
    [
      'a wrong secret of AWS',
      federation,
      /AWS or the provider did not accept the function's role; check the AWS account ID .*SignatureDoesNotMatch/,
      signedWith({ secretAccessKey: 'x' }),
    ],
    [
      'a role that the provider does not accept',
      vertex.federation('another-role'),
      /the provider does not accept the function's role; allow the role in the attribute condition/,
    ],
    [
      'a revoked binding',
      revoked,
      /the function's role may not act as the service account; grant it roles\/iam\.workloadIdentityUser on the service account.*PERMISSION_DENIED/,
    ],
    [
      'a deleted key',
      { ...account, private_key: other.private_key },
      /the key was deleted or belongs to another service account; create a new key \(invalid_grant: Invalid JWT Signature/,
    ],
    [
      'a deleted service account',
      { ...account, client_email: 'gone@acme.iam.gserviceaccount.com' },
      /the service account was deleted or disabled; enable it or use another one/,
    ],
    ['a service account key and a wrong clock', account, /compare the clock of this machine/, later(2)],
  ];
  for (const [title, credential, message, more] of CASES)
    test(title, () => rejectsWith(vertexAt(vertex.url, credential, more).verify(), message));

  test('another project', async () => {
    const call = vertexAt(vertex.url, account).client.call('v1/projects/other/locations/us-central1/models', {
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
    ['no email', { ...vertex.account, client_email: undefined }, /as Google writes them: client_email\.$/],
    ['no key', { ...vertex.account, private_key: 'PRIVATE KEY' }, /: private_key\.$/],
    ['plain http', { ...federation, token_url: 'http://sts.example.com/v1/token' }, /: token_url\.$/],
    ['another cloud', { ...federation, credential_source: { file: '/token' } }, /source\.environment_id\.$/],
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
  test('is a temporary error', async () => {
    await using tokens = await startTokens(503);
    await rejectsWith(vertexAt(vertex.url, tokens.account).verify(), /issued no access token/, 'failing');
    const nowhere = { ...vertex.account, token_uri: 'http://127.0.0.1:1/token' };
    await rejectsWith(vertexAt(vertex.url, nowhere).verify(), /No access token could be fetched/, 'failing');
  });

  test('is not needed while the last token is valid', async () => {
    await using tokens = await startTokens('first', 503);
    let now = Date.now();
    const { token } = vertexAt(vertex.url, tokens.account, { now: () => now });
    assert.equal(await token.read(), 'first');
    now += HOUR - 1;
    assert.equal(await token.read(), 'first');
    now += 1;
    await assert.rejects(token.read(), { fault: 'failing' });
    assert.equal(tokens.calls(), 3);
  });

  test('lets the next call try again', async () => {
    await using tokens = await startTokens(500, 'second');
    const { token } = vertexAt(vertex.url, tokens.account);
    await assert.rejects(token.read(), { fault: 'failing' });
    assert.equal(await token.read(), 'second');
  });
});
