import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { openIdProvider } from '../../../../functions/identity/adapters/openid-provider.ts';
import { CONFIDENTIAL, startOidcProvider, type TestProvider } from '../../../support/oidc-provider.ts';
import { openBrowser } from '../../../support/provider-sign-in.ts';
import { endlessly, startServer } from '../../../support/server.ts';

const BASE = 'http://127.0.0.1:9';
const ATTEMPT = {
  state: 'a state of this browser',
  nonce: 'a nonce of this browser',
  verifier: 'v'.repeat(43),
  redirectUri: `${BASE}/v1/console/sign_in/callback`,
};

describe('a client with a secret', () => {
  let provider: TestProvider;

  before(async () => {
    provider = await startOidcProvider();
    provider.allow(BASE);
    provider.setPerson({ id: 'ada', email: 'ada@example.com', email_verified: true, groups: ['staff'] });
    provider.signInAs('ada');
  });
  after(() => provider.close());

  const withSecret = (secret: string) => {
    const { issuer } = provider;
    const { clientId } = CONFIDENTIAL;
    const settings = { issuer, clientId, scopes: ['openid', 'email'], parameters: {}, claims: ['email'] };
    return openIdProvider(settings, async () => secret, Date.now);
  };

  /** Follows the provider's redirects; returns the parameters of the callback. */
  const goThrough = async (start: string): Promise<URLSearchParams> => {
    const browser = openBrowser(BASE);
    let url = start;
    for (let steps = 0; steps < 10 && !url.startsWith(BASE); steps += 1)
      url = new URL((await browser.visit(url)).headers.get('location') ?? assert.fail(url), url).href;
    return new URL(url).searchParams;
  };

  test('redeems a code and a refresh token, and asks for claims that the ID token does not have', async () => {
    const client = withSecret(CONFIDENTIAL.clientSecret);
    provider.alterIdToken(({ header, claims: { email, email_verified, ...claims } }, accessToken) => {
      const digest = createHash('sha256').update(accessToken).digest();
      return { header, claims: { ...claims, at_hash: digest.subarray(0, 16).toString('base64url') } };
    });
    const parameters = await goThrough(await client.authorizationUrl(ATTEMPT));
    const { subject, claims, refreshToken = assert.fail() } = await client.redeemCode(parameters, ATTEMPT);
    assert.deepEqual([subject, claims?.email, claims?.email_verified], ['ada', 'ada@example.com', true]);
    const refreshed = await client.refresh(refreshToken, subject);
    assert.equal(refreshed.subject, 'ada');
    assert.notEqual(refreshed.refreshToken, refreshToken);
    provider.alterIdToken(undefined);
  });

  test('is refused with another secret, and with a code that was used', async () => {
    const client = withSecret(CONFIDENTIAL.clientSecret);
    const parameters = await goThrough(await client.authorizationUrl(ATTEMPT));
    await assert.rejects(withSecret('another').redeemCode(parameters, ATTEMPT), { failure: 'invalid' });
    await client.redeemCode(parameters, ATTEMPT);
    await assert.rejects(client.redeemCode(parameters, ATTEMPT), { failure: 'refused' });
  });
});

/** A client of a provider whose endpoints answer with JSON: its metadata, unless the path has an answer of its own. */
const openClient = async (
  context: TestContext,
  answers: Readonly<Record<string, readonly [status: number, body: object]>> = {},
  change: object = {},
) => {
  const server = await startServer((request, response) => {
    const metadata = {
      issuer: server.url,
      authorization_endpoint: `${server.url}/authorize`,
      token_endpoint: `${server.url}/token`,
      userinfo_endpoint: `${server.url}/userinfo`,
      end_session_endpoint: `${server.url}/logout?a=b`,
      ...change,
    };
    const [status, body] = answers[request.url ?? ''] ?? [200, metadata];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  context.after(server.close);
  return { url: server.url, ...toClient(server.url) };
};
const toClient = (issuer: string, now = Date.now, readSecret?: () => Promise<string>) => {
  const parameters = { hd: 'example.com' };
  const settings = { issuer, clientId: 'a client', scopes: ['openid', 'email'], parameters, claims: [] };
  return openIdProvider(settings, readSecret, now);
};

for (const [title, status, userInfo, failure] of [
  ['is down', 503, {}, 'unavailable'],
  ['names another person', 200, { sub: 'eve' }, 'invalid'],
] as const)
  test(`the next refresh token is known if the endpoint for claims ${title}`, async (context) => {
    const tokens = { access_token: 'a', token_type: 'bearer', refresh_token: 'next' };
    const answers = { '/userinfo': [status, userInfo], '/token': [200, tokens] } as const;
    const { refresh } = await openClient(context, answers);
    await assert.rejects(refresh('used', 'ada'), { failure, nextRefreshToken: 'next' });
  });

test('an endless response of a provider is not read', async (context) => {
  const closed = Promise.withResolvers<void>();
  const server = await startServer((_, response) => endlessly(response, 200).on('close', closed.resolve));
  context.after(server.close);
  await assert.rejects(toClient(server.url).authorizationUrl(ATTEMPT), (error: unknown) => {
    assert.match(inspect(error), /the response of the provider is too long/);
    return true;
  });
  await closed.promise;
});

describe('a provider', () => {
  const open = (context: TestContext, change: object = {}) => openClient(context, {}, change);
  const parameters = (url: string | undefined) =>
    Object.fromEntries(new URL(url ?? assert.fail()).searchParams);

  test('is asked to sign out, with a hint that fits into an address', async (context) => {
    const { signOutUrl, url } = await open(context);
    const expected = { a: 'b', client_id: 'a client', post_logout_redirect_uri: BASE };
    const address = await signOutUrl(undefined, BASE);
    assert.ok(address?.startsWith(`${url}/logout?`));
    assert.deepEqual(parameters(address), expected);
    const hint = 't'.repeat(4000);
    assert.deepEqual(parameters(await signOutUrl(hint, BASE)), { ...expected, id_token_hint: hint });
    assert.deepEqual(parameters(await signOutUrl('t'.repeat(4001), BASE)), expected);
    const simple = await open(context, { end_session_endpoint: undefined });
    assert.equal(await simple.signOutUrl('t', BASE), undefined);
  });

  test('gets the secret in the body only if it does not support a header', async (context) => {
    const fetched = context.mock.method(globalThis, 'fetch');
    const isInBody = async (methods?: readonly string[]): Promise<boolean> => {
      const { url } = await open(context, { token_endpoint_auth_methods_supported: methods });
      await assert.rejects(toClient(url, Date.now, async () => 'a secret').refresh('used', 'ada'));
      return Object(fetched.mock.calls.at(-1)?.arguments[1]).body.has('client_secret');
    };
    const [basic, post] = ['client_secret_basic', 'client_secret_post'];
    const places = [await isInBody(), await isInBody([post, basic]), await isInBody([post])];
    assert.deepEqual(places, [false, false, true]);
  });

  test('is asked for its metadata once an hour, which are kept while it is down', async (context) => {
    let time = 0;
    const { url } = await open(context);
    const { signOutUrl } = toClient(url, () => time);
    const fetched = context.mock.method(globalThis, 'fetch');
    const callsAt = async (later: number): Promise<number> => {
      time = later;
      assert.ok(await signOutUrl(undefined, BASE));
      return fetched.mock.callCount();
    };
    const hour = [
      await callsAt(0),
      await callsAt(3_599_999),
      await callsAt(3_600_000),
      await callsAt(7_199_999),
    ];
    assert.deepEqual(hour, [1, 1, 2, 2]);
    fetched.mock.mockImplementationOnce(() => Promise.reject(new TypeError('fetch failed')));
    await callsAt(7_200_000);
  });

  test('is asked who the person is, with all that binds its answer to the browser', async (context) => {
    const { authorizationUrl } = await open(context);
    const { code_challenge, ...asked } = parameters(await authorizationUrl(ATTEMPT));
    assert.match(code_challenge ?? '', /^[\w-]{43}$/);
    assert.deepEqual(asked, {
      hd: 'example.com',
      client_id: 'a client',
      redirect_uri: ATTEMPT.redirectUri,
      response_type: 'code',
      scope: 'openid email',
      state: ATTEMPT.state,
      nonce: ATTEMPT.nonce,
      code_challenge_method: 'S256',
    });
  });

  for (const [supported, prompt] of [
    [undefined, 'select_account'],
    [['none', 'select_account'], 'select_account'],
    [['none', 'login'], 'login'],
  ] as const)
    test(`lets people choose an identity by ${prompt} if it supports ${supported}`, async (context) => {
      const { authorizationUrl } = await open(context, { prompt_values_supported: supported });
      assert.equal(parameters(await authorizationUrl(ATTEMPT, true)).prompt, prompt);
    });

  for (const [error, failure] of [
    ['temporarily_unavailable', 'unavailable'],
    ['server_error', 'unavailable'],
    ['access_denied', 'denied'],
  ] as const)
    test(`that answers with ${error} is ${failure}`, async (context) => {
      const { redeemCode, url } = await open(context);
      const answer = new URLSearchParams({ error, state: ATTEMPT.state, iss: url });
      await assert.rejects(redeemCode(answer, ATTEMPT), { failure });
    });

  for (const [error, status, failure] of [
    ...['invalid_grant', 'interaction_required', 'login_required', 'consent_required'].map(
      (name) => [name, 400, 'refused'] as const,
    ),
    ['invalid_client', 401, 'invalid'],
    ['invalid_grant', 429, 'unavailable'],
    ['invalid_grant', 500, 'unavailable'],
  ] as const)
    test(`that refuses a refresh token with ${error} and ${status} is ${failure}`, async (context) => {
      const { refresh } = await openClient(context, { '/token': [status, { error }] });
      await assert.rejects(refresh('used', 'ada'), { failure });
    });

  test('that cannot be reached is unavailable', async (context) => {
    const { url, close } = await startServer(() => {});
    await close();
    await assert.rejects(toClient(url).authorizationUrl(ATTEMPT), { failure: 'unavailable' });
    const { signOutUrl } = await open(context, { issuer: 'http://127.0.0.1:1' });
    await assert.rejects(signOutUrl(undefined, BASE), { failure: 'invalid' });
  });

  test('that does not answer is unavailable after 5 seconds', async (context) => {
    const timer = new AbortController();
    const timeout = context.mock.method(AbortSignal, 'timeout', () => timer.signal);
    const asked = Promise.withResolvers<void>();
    const server = await startServer(() => asked.resolve());
    context.after(server.close);
    const answer = assert.rejects(toClient(server.url).authorizationUrl(ATTEMPT), { failure: 'unavailable' });
    await asked.promise;
    timer.abort(new DOMException('too late', 'TimeoutError'));
    await answer;
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [5000]);
  });
});
