import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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

  test('redeems a code and a refresh token', async () => {
    const client = withSecret(CONFIDENTIAL.clientSecret);
    const parameters = await goThrough(await client.authorizationUrl(ATTEMPT));
    const { subject, claims, refreshToken = assert.fail() } = await client.redeemCode(parameters, ATTEMPT);
    assert.deepEqual([subject, claims?.email, claims?.email_verified], ['ada', 'ada@example.com', true]);
    const refreshed = await client.refresh(refreshToken, subject);
    assert.equal(refreshed.subject, 'ada');
    assert.notEqual(refreshed.refreshToken, refreshToken);
  });

  test('is refused with another secret, and with a code that was used', async () => {
    const client = withSecret(CONFIDENTIAL.clientSecret);
    const parameters = await goThrough(await client.authorizationUrl(ATTEMPT));
    await assert.rejects(withSecret('another').redeemCode(parameters, ATTEMPT), { failure: 'invalid' });
    await client.redeemCode(parameters, ATTEMPT);
    await assert.rejects(client.redeemCode(parameters, ATTEMPT), { failure: 'refused' });
  });
});

for (const [title, status, userInfo, failure] of [
  ['is down', 503, 'away', 'unavailable'],
  ['names another person', 200, JSON.stringify({ sub: 'eve' }), 'invalid'],
] as const)
  test(`the next refresh token is known if the endpoint for claims ${title}`, async (context) => {
    const server = await startServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/userinfo') return void response.writeHead(status).end(userInfo);
      const tokens = { access_token: 'a', token_type: 'bearer', refresh_token: 'next' };
      const metadata = {
        issuer: server.url,
        token_endpoint: `${server.url}/token`,
        userinfo_endpoint: `${server.url}/userinfo`,
      };
      response.end(JSON.stringify(request.url === '/token' ? tokens : metadata));
    });
    context.after(server.close);
    const settings = { issuer: server.url, clientId: 'a', scopes: ['openid'], parameters: {}, claims: [] };
    const { refresh } = openIdProvider(settings, undefined, Date.now);
    await assert.rejects(refresh('used', 'ada'), { failure, nextRefreshToken: 'next' });
  });

test('an endless response of a provider is not read', async (context) => {
  const closed = Promise.withResolvers<void>();
  const server = await startServer((_, response) => endlessly(response, 200).on('close', closed.resolve));
  context.after(server.close);
  const settings = { issuer: server.url, clientId: 'a', scopes: ['openid'], parameters: {}, claims: [] };
  const { authorizationUrl } = openIdProvider(settings, undefined, Date.now);
  await assert.rejects(authorizationUrl(ATTEMPT), (error: unknown) => {
    assert.match(inspect(error), /the response of the provider is too long/);
    return true;
  });
  await closed.promise;
});
