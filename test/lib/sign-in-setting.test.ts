import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../lib/config.ts';

const PROVIDER = { issuer: 'https://login.example.com', clientId: 'media' };
const read = (signIn: unknown, more = {}) => readConfig({ signIn, ...more }).signIn;

describe('the setting signIn', () => {
  test('is absent by default', () => {
    assert.equal(readConfig({}).signIn, null);
  });

  test('has a default for everything but the provider', () => {
    assert.deepEqual(read(JSON.stringify(PROVIDER)), {
      ...PROVIDER,
      name: 'single sign-on',
      scopes: ['openid', 'email', 'profile'],
      parameters: {},
      accounts: [],
      emailDomains: [],
      idleHours: 12,
      maxDays: 30,
      links: true,
    });
  });

  test('can set the times of links alone', () => {
    assert.equal(read({ idleHours: 1 })?.idleHours, 1);
  });

  test('accepts a provider on this machine without TLS', () => {
    for (const issuer of ['http://localhost:8080/realms/x', 'http://127.0.0.1:1', 'http://[::1]:80'])
      assert.equal(read({ ...PROVIDER, issuer })?.issuer, issuer);
  });

  const row = { account: 'acme', role: 'viewer' };
  for (const [field, given, words] of [
    ['signIn', '{', 'must be JSON'],
    ['signIn.issuer', { ...PROVIDER, issuer: 'http://login.example.com' }, 'https address'],
    ['signIn.issuer', { ...PROVIDER, issuer: 'http://localhost.example.com' }, 'https address'],
    ['signIn.issuer', { ...PROVIDER, issuer: 'https://login.example.com?x' }, 'no query'],
    ['signIn.clientId', { issuer: PROVIDER.issuer }, 'is required with issuer'],
    ['signIn.clientId', { clientId: 'x' }, 'requires issuer'],
    ['signIn.clientSecretArn', { ...PROVIDER, clientSecretArn: 'x' }, 'ARN of a secret'],
    [
      'signIn.clientSecretKeyArn',
      { ...PROVIDER, clientSecretKeyArn: 'arn:aws:kms:x' },
      'requires clientSecretArn',
    ],
    ['signIn.scopes', { ...PROVIDER, scopes: ['email'] }, 'must include openid'],
    ['signIn.scopes.1', { ...PROVIDER, scopes: ['openid', 'a b'] }, 'without spaces'],
    ['signIn.parameters.state', { ...PROVIDER, parameters: { state: 'x' } }, 'Invalid key'],
    [
      'signIn.accounts.0.role',
      { ...PROVIDER, accounts: [{ ...row, role: 'owner' }] },
      'one of viewer, member, admin',
    ],
    [
      'signIn.accounts.0.account',
      { ...PROVIDER, accounts: [{ ...row, account: 'a b' }] },
      'must be an account',
    ],
    ['signIn.emailDomains.0', { ...PROVIDER, emailDomains: ['@example.com'] }, 'without @'],
    [
      'signIn.emailDomains',
      { ...PROVIDER, scopes: ['openid'], emailDomains: ['example.com'] },
      'requires the scope email',
    ],
    [
      'signIn.emailDomains',
      { ...PROVIDER, issuer: 'https://accounts.google.com', accounts: [row] },
      'everyone in the world',
    ],
    ['signIn.idleHours', { ...PROVIDER, idleHours: 0 }, 'at least 1'],
    ['signIn.idleHours', { ...PROVIDER, idleHours: 25, maxDays: 1 }, 'at most maxDays'],
    ['signIn.maxDays', { ...PROVIDER, maxDays: 366 }, 'at most 365'],
    ['signIn.links', { links: false }, 'nobody could sign in'],
    ['signIn.cognito', { ...PROVIDER, cognito: { domainPrefix: 'x' } }, 'must not be combined'],
    ['signIn.cognito.domainPrefix', { cognito: { domainPrefix: 'aws-x' } }, 'must not contain aws'],
    ['signIn.cognito.domainPrefix', { cognito: { domainPrefix: 'laws' } }, 'must not contain aws'],
    ['signIn.cognito.domainPrefix', { cognito: { domainPrefix: 'my-cognito-1' } }, 'must not contain aws'],
    ['signIn', { cognito: { domainPrefix: 'acme' } }, 'requires domainName or publicBaseUrl'],
  ] as const)
    test(`names ${field}: ${words}`, () => {
      assert.throws(
        () => read(given),
        (error: Error) =>
          error.message.startsWith(`Configuration ${field}: `) && error.message.includes(words),
      );
    });

  test('creates a user pool only for a known address', () => {
    const cognito = { domainPrefix: 'acme' };
    assert.deepEqual(read({ cognito }, { publicBaseUrl: 'https://media.example.com' })?.cognito, cognito);
  });
});
