import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { memberWrites } from '../../../functions/identity/adapters/dynamo-members.ts';
import { generateInvitation, toPersonId } from '../../../functions/identity/domain/person.ts';
import type { Role } from '../../../functions/identity/domain/roles.ts';
import { encode } from '../../../functions/platform/aws/attributes.ts';
import { readError } from '../../support/http.ts';
import type { TestPerson } from '../../support/oidc-provider.ts';
import { plainItem } from '../../support/plain-item.ts';
import { openBrowser, type TestBrowser } from '../../support/provider-sign-in.ts';
import { openSignInService } from '../../support/sign-in-service.ts';

const { provider, service, ...opened } = await openSignInService();
const client = new DynamoDBClient(service.operator);
const { MemberTableName: members = '', AuditTableName: audit = '' } = service.outputs;

/** A new person of the provider who signs in without a page. */
const newPerson = (terms: Partial<TestPerson> = {}) => {
  const person = opened.newPerson(terms);
  return { ...person, userId: toPersonId({ issuer: provider.issuer, subject: person.id }) };
};

const signedIn = async (terms: Partial<TestPerson> = { groups: ['staff'] }) => {
  const person = newPerson(terms);
  const browser = openBrowser(service.baseUrl);
  assert.equal(await browser.signIn(), '/console/');
  const { body } = await browser.call('GET', '/v1/console/session');
  return { person, browser, id: String(body.id), session: body };
};

const invite = async (account: string, role: Role, email = ''): Promise<string> => {
  const { token, stored } = generateInvitation({ account, role, email, invitedBy: undefined }, Date.now());
  const TransactItems = [memberWrites(members).addInvitation(stored)];
  await client.send(new TransactWriteItemsCommand({ TransactItems }));
  return token;
};

const auditEntries = async (account: string, resourceId: string) => {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: audit,
      KeyConditionExpression: 'account = :account',
      ExpressionAttributeValues: encode({ ':account': account }),
    }),
  );
  return Items.map(plainItem).filter((entry) => entry.resourceId === resourceId);
};
const auditTypes = async (account: string, resourceId: string) =>
  (await auditEntries(account, resourceId)).map(({ type }) => type);

/** As if the provider had been asked an hour ago. */
const makeOverdue = (id: string) =>
  client.send(
    new UpdateItemCommand({
      TableName: service.sessionsTable,
      Key: encode({ id }),
      UpdateExpression: 'SET checkUntil = :past, renewAt = :past',
      ExpressionAttributeValues: encode({ ':past': Date.now() - 1 }),
    }),
  );

const storedSession = async (id: string) => {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: service.sessionsTable, Key: encode({ id }), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : plainItem(Item);
};

const renew = (browser: TestBrowser) => browser.call('POST', '/v1/console/session/renew');
/** Nothing of this endpoint is cached. */
const isAccepted = async (browser: TestBrowser): Promise<boolean> =>
  (await browser.call('POST', '/v1/console/session/switch', { project_id: '?' })).status === 404;

describe('the sign-in page', () => {
  test('learns the provider, and that links are disabled', async () => {
    const answer = await openBrowser(service.baseUrl).call('GET', '/v1/console/sign_in');
    assert.deepEqual(
      [answer.status, answer.body],
      [
        200,
        {
          object: 'console.sign_in',
          provider: { issuer: provider.issuer, name: 'Test provider' },
          links: false,
        },
      ],
    );
  });

  test('cannot use a link or an invitation alone, and nobody can create a link', async () => {
    const browser = openBrowser(service.baseUrl);
    const refused = await browser.call('POST', '/v1/console/sessions', {
      token: `mgl_${'a'.repeat(43)}.studio`,
    });
    const lead = await signedIn({ groups: ['leads'] });
    const created = await lead.browser.call('POST', '/v1/console/links', {});
    for (const answer of [refused, created]) {
      assert.deepEqual([answer.status, readError(answer).code], [403, 'insufficient_permissions']);
      assert.match(readError(answer).message, /Sign-in links are disabled \(setting signIn\.links\)/);
    }
  });
});

describe('a first sign-in', () => {
  test('gives the roles of the claims, and leads to the page that was asked for', async () => {
    const person = newPerson({ groups: ['staff', 'leads', 'sales', 'other'] });
    const browser = openBrowser(service.baseUrl);
    const returnTo = encodeURIComponent('/console/library?status=failed');
    assert.equal(await browser.signIn(`?return_to=${returnTo}`), '/console/library?status=failed');
    const { body } = await browser.call('GET', '/v1/console/session');
    assert.deepEqual(body.user, { id: person.userId, name: person.name, email: person.email });
    assert.deepEqual([body.project_id, body.role], ['shop', 'viewer']);
    assert.deepEqual(body.accounts, [
      { project_id: 'shop', role: 'viewer' },
      { project_id: 'studio', role: 'admin' },
    ]);
    assert.deepEqual(body.provider, { name: 'Test provider' });
    assert.equal(Number(body.expires_at) - Number(body.created_at), 12 * 3600);
    assert.equal(Number(body.ends_at) - Number(body.created_at), 30 * 86_400);
    assert.deepEqual(await auditTypes('studio', person.userId), ['user.added']);
    assert.deepEqual(await auditTypes('shop', String(body.id)), ['login.succeeded']);
  });

  test('sets a cookie that scripts cannot read, and removes that of the sign-in', async () => {
    newPerson({ groups: ['staff'] });
    const browser = openBrowser(service.baseUrl);
    const callback = await browser.goThroughProvider();
    const { port } = new URL(service.baseUrl);
    assert.ok(browser.cookies().has(`mg-sign-in-${port}`));
    const response = await browser.visit(callback);
    const [removed, session] = response.headers.getSetCookie();
    assert.equal(removed, `mg-sign-in-${port}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`);
    assert.match(
      session ?? '',
      /^mg-session-\d+=sess_[0-9a-f]{32}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    );
  });

  test('leaves no token of the provider readable in the table', async () => {
    const { id } = await signedIn();
    const stored = (await storedSession(id)) ?? assert.fail();
    assert.equal(typeof stored.sealedRefreshToken, 'string');
    // A dot follows the header of a token; Base64, whose letters may be any, has none.
    assert.doesNotMatch(JSON.stringify(stored), /eyJ[\w-]+\./);
  });
});

describe('refused sign-ins', () => {
  test('nobody invited: not_invited, which is recorded', async () => {
    const { email, userId } = newPerson({ groups: ['other'] });
    const browser = openBrowser(service.baseUrl);
    const page = await browser.signIn();
    assert.equal(page, `/console/sign-in?error=not_invited#as=${encodeURIComponent(email)}`);
    assert.equal((await browser.call('GET', '/v1/console/session')).status, 401);
    const [entry, ...others] = await auditEntries('-', userId);
    assert.deepEqual([entry?.type, entry?.details, others], ['login.failed', { reason: 'not_invited' }, []]);
  });

  test('a person who cancels at the provider', async () => {
    provider.signInAs('');
    assert.equal(await openBrowser(service.baseUrl).signIn(), '/console/sign-in?error=access_denied');
  });

  for (const [title, alter] of [
    ['without a signature', { alg: 'none' }, {}],
    ['for another client', {}, { aud: 'another-client' }],
    ['of another issuer', {}, { iss: 'https://login.example.org' }],
    ['with another nonce', {}, { nonce: 'x' }],
    ['that expired two minutes ago', {}, { iat: Date.now() / 1000 - 600, exp: Date.now() / 1000 - 120 }],
    [
      'for another access token',
      {},
      { at_hash: createHash('sha256').update('x').digest('base64url').slice(0, 22) },
    ],
    ['signed with an unknown key', { kid: 'unknown' }, {}],
  ].map(([title, header, claims]) => [title, { header, claims }] as const))
    test(`an ID token ${title}`, async () => {
      newPerson({ groups: ['staff'] });
      provider.alterIdToken((token) => ({
        header: { ...token.header, ...Object(alter.header) },
        claims: { ...token.claims, ...Object(alter.claims) },
      }));
      const page = await openBrowser(service.baseUrl).signIn();
      provider.alterIdToken(undefined);
      assert.equal(page, '/console/sign-in?error=sign_in_failed');
    });
});

describe('a sign-in continues', () => {
  test('with a new signing key', async () => {
    await signedIn();
    provider.rotateKeys();
    await signedIn();
  });

  test('with claims that only the user info has', async () => {
    provider.alterIdToken(({ header, claims: { email, email_verified, groups, ...claims } }) => ({
      header,
      claims,
    }));
    const { session } = await signedIn();
    provider.alterIdToken(undefined);
    assert.equal(session.role, 'member');
  });
});

describe('a sign-in of another browser, or for the second time', () => {
  test('is refused without the cookie of the browser that started it', async () => {
    newPerson({ groups: ['staff'] });
    const callback = await openBrowser(service.baseUrl).goThroughProvider();
    const victim = openBrowser(service.baseUrl);
    const response = await victim.visit(callback);
    assert.equal(response.headers.get('location'), '/prod/console/sign-in?error=sign_in_expired');
    assert.deepEqual(response.headers.getSetCookie(), []);
  });

  test('is refused if the callback is repeated, even with its cookie', async () => {
    newPerson({ groups: ['staff'] });
    const browser = openBrowser(service.baseUrl);
    const callback = await browser.goThroughProvider();
    const cookie = [...browser.cookies()].map((pair) => pair.join('=')).join('; ');
    await browser.visit(callback);
    const repeated = await browser.visit(callback);
    assert.equal(repeated.headers.get('location'), '/prod/console/sign-in?error=sign_in_expired');
    assert.equal((await browser.call('GET', '/v1/console/session')).status, 200);
    const replayed = await fetch(callback, { redirect: 'manual', headers: { cookie } });
    assert.equal(replayed.headers.get('location'), '/prod/console/sign-in?error=sign_in_failed');
    assert.ok(replayed.headers.getSetCookie().every((each) => each.includes('Max-Age=0')));
  });

  test('is not started by another site', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const response = await fetch(`${service.baseUrl}/v1/console/sign_in/start`, {
        redirect: 'manual',
        headers: { 'sec-fetch-site': site },
      });
      assert.equal(response.headers.get('location'), '/prod/console/sign-in');
      assert.equal(response.headers.get('set-cookie'), null);
    }
  });
});

describe('invitations', () => {
  test('are accepted once by their link, and open their account', async () => {
    const token = await invite('partners', 'viewer');
    const { person, browser } = await signedIn();
    assert.equal(await browser.signIn(`?invitation=${token}`), '/console/');
    const { body } = await browser.call('GET', '/v1/console/session');
    assert.deepEqual([body.project_id, body.role], ['partners', 'viewer']);
    assert.deepEqual(await auditTypes('partners', person.userId), ['user.added']);
    const { email } = newPerson();
    const other = openBrowser(service.baseUrl);
    assert.equal(
      await other.signIn(`?invitation=${token}`),
      `/console/sign-in?error=not_invited#as=${encodeURIComponent(email)}`,
    );
  });
});

describe('a second account', () => {
  test('is opened in place of the first, with a new cookie', async () => {
    const { browser, id } = await signedIn({ groups: ['staff', 'sales'] });
    const before = [...browser.cookies().values()].join();
    const answer = await browser.call('POST', '/v1/console/session/switch', { project_id: 'studio' });
    assert.deepEqual([answer.status, answer.body.project_id], [200, 'studio']);
    assert.notEqual([...browser.cookies().values()].join(), before);
    assert.equal(await storedSession(id), undefined);
    const { body } = await browser.call('GET', '/v1/console/session');
    assert.deepEqual([body.project_id, body.role, body.id], ['studio', 'member', answer.body.id]);
    assert.deepEqual(await auditTypes('shop', id), ['login.succeeded', 'session.ended']);
    assert.deepEqual(await auditTypes('studio', String(body.id)), ['login.succeeded']);
    // The refresh token moved along.
    await makeOverdue(String(body.id));
    assert.equal((await renew(browser)).status, 200);
  });
});

describe('a renewal', () => {
  test('is required after an hour, and asks the provider for the current groups', async () => {
    const { browser, person, id } = await signedIn({ groups: ['staff'] });
    await makeOverdue(id);
    const refused = await browser.call('POST', '/v1/console/session/switch', { project_id: '?' });
    assert.deepEqual([refused.status, readError(refused).code], [401, 'session_renewal_required']);
    provider.setPerson({ ...person, groups: ['leads'] });
    const { status, body } = await renew(browser);
    assert.deepEqual([status, body.id], [200, id]);
    assert.ok(Number(body.renew_at) > Date.now() / 1000 + 3000);
    assert.ok(await isAccepted(browser));
    assert.deepEqual(await auditTypes('studio', person.userId), ['user.added', 'user.updated']);
    // Each renewal uses the refresh token of the one before.
    await makeOverdue(id);
    assert.equal((await renew(browser)).status, 200);
  });

  test('ends the session of a person who was removed at the provider', async () => {
    const { browser, person, id } = await signedIn();
    await makeOverdue(id);
    provider.removePerson(person.id);
    const answer = await renew(browser);
    assert.deepEqual([answer.status, readError(answer).code], [401, 'invalid_api_key']);
    assert.equal(await storedSession(id), undefined);
    assert.equal((await renew(browser)).status, 401);
    const [, ended] = await auditEntries('studio', id);
    assert.deepEqual([ended?.type, ended?.details], ['session.ended', { reason: 'refused_by_provider' }]);
  });

  test('keeps people signed in while the provider is down', async () => {
    const { browser, id, session } = await signedIn();
    await makeOverdue(id);
    provider.setDown(true);
    const { status, body } = await renew(browser);
    const another = await openBrowser(service.baseUrl).visit(`${service.baseUrl}/v1/console/sign_in/start`);
    provider.setDown(false);
    assert.deepEqual([status, body.expires_at], [200, session.expires_at]);
    assert.ok(Number(body.renew_at) < Date.now() / 1000 + 400);
    assert.ok(await isAccepted(browser));
    // Its address is known; only the page of the provider would not open.
    assert.equal(another.status, 302);
    await makeOverdue(id);
    assert.equal((await renew(browser)).status, 200);
  });
});

test('a member who is removed loses the session', async () => {
  const { browser, person } = await signedIn();
  await client.send(
    new DeleteItemCommand({ TableName: members, Key: encode({ account: 'studio', id: person.userId }) }),
  );
  assert.equal((await renew(browser)).status, 401);
});

test('signing out ends the session, and leads to the provider, also when a renewal is due', async () => {
  const { browser, id } = await signedIn();
  await makeOverdue(id);
  const { status, body } = await browser.call('DELETE', '/v1/console/sessions/current');
  const url = new URL(String(body.sign_out_url));
  assert.deepEqual([status, body.id, url.origin], [200, id, provider.issuer]);
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${service.baseUrl}/console/sign-in`);
  assert.match(url.searchParams.get('id_token_hint') ?? '', /^eyJ/);
  assert.equal(await storedSession(id), undefined);
  assert.deepEqual(await auditTypes('studio', id), ['login.succeeded', 'logout.succeeded']);
});
