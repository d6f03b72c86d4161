import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CONSOLE_ENDPOINTS } from '../../../../functions/console/api/endpoints.ts';
import { auditTrail } from '../../../../functions/identity/adapters/audit-trail.ts';
import { dynamoKeys } from '../../../../functions/identity/adapters/dynamo-keys.ts';
import { memberDirectory, memberWrites } from '../../../../functions/identity/adapters/dynamo-members.ts';
import { dynamoInvitations, dynamoPeople } from '../../../../functions/identity/adapters/dynamo-people.ts';
import { dynamoSessionWrites } from '../../../../functions/identity/adapters/dynamo-session-writes.ts';
import {
  dynamoSessions,
  sessionAdministration,
} from '../../../../functions/identity/adapters/dynamo-sessions.ts';
import { keyAdministration } from '../../../../functions/identity/adapters/key-administration.ts';
import type { Endpoint } from '../../../../functions/identity/api/declare-endpoint.ts';
import {
  KEY_ENDPOINTS,
  PEOPLE_ENDPOINTS,
  SESSION_ENDPOINTS,
} from '../../../../functions/identity/api/endpoints.ts';
import { authenticator, keyOrSession } from '../../../../functions/identity/authentication/authenticate.ts';
import { type Caller, generateApiKey } from '../../../../functions/identity/domain/api-key.ts';
import { generateInvitation, toPersonId } from '../../../../functions/identity/domain/person.ts';
import { type OpenIdProvider, ProviderError } from '../../../../functions/identity/domain/provider.ts';
import { isAtLeast, MAKER_ROLES, ROLES, type Role } from '../../../../functions/identity/domain/roles.ts';
import { DEFAULT_TIMES, readCookieValue } from '../../../../functions/identity/domain/session.ts';
import { startAttempt } from '../../../../functions/identity/domain/sign-in-attempt.ts';
import { invite } from '../../../../functions/identity/usecases/manage-invitations.ts';
import { createKey, listKeys } from '../../../../functions/identity/usecases/manage-keys.ts';
import { changeRole, removePerson } from '../../../../functions/identity/usecases/manage-people.ts';
import { createLink, signInWithToken } from '../../../../functions/identity/usecases/manage-sessions.ts';
import { renewSession } from '../../../../functions/identity/usecases/renew-session.ts';
import { signInWithProvider } from '../../../../functions/identity/usecases/sign-in-with-provider.ts';
import { openAiDialect } from '../../../../functions/platform/api/dialects.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { dynamoNewShares, dynamoShares } from '../../../../functions/shares/adapters/dynamo-shares.ts';
import { SHARE_ENDPOINTS } from '../../../../functions/shares/api/endpoints.ts';
import { createShare } from '../../../../functions/shares/usecases/manage-shares.ts';
import { openShare } from '../../../../functions/shares/usecases/open-share.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aCallerAction, anAuditEntry, ORIGIN } from '../../../support/audit.ts';
import { aTask } from '../../../support/builders/task.ts';
import { createTable } from '../../../support/create-table.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { createAccountTable } from '../authentication/account-table.ts';

/**
 * Makes every credential, removes or demotes its maker in every way, and uses the credential. The rules are those of the
 * table in docs/account.md.
 */

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const T = {
  KEY_TABLE: 'credential-keys',
  MEMBER_TABLE: 'credential-members',
  SESSION_TABLE: 'credential-sessions',
  SHARE_TABLE: 'credential-shares',
  AUDIT_TABLE: 'credential-audit',
};
await createAccountTable(client, T.KEY_TABLE, 'hash');
await createAccountTable(client, T.SESSION_TABLE, 'id');
await createTable(client, T.MEMBER_TABLE, ['account', 'id'], {
  indexes: { 'by-person': { keys: ['id', 'account'] }, 'by-email': { keys: ['invitedEmail'] } },
});
await createTable(client, T.SHARE_TABLE, ['id'], { indexes: { 'by-account': { keys: ['account', 'id'] } } });
await createTable(client, T.AUDIT_TABLE, ['account', 'id']);

const ISSUER = 'https://login.example.com';
const GROUPS: Readonly<Record<Role, string>> = { admin: 'leads', member: 'staff', viewer: 'guests' };
const VIDEO = aTask({
  status: 'completed',
  work: undefined,
  file: { key: 'videos/1.mp4', bytes: 5 },
  completedAt: 1,
  expiresAt: Date.now() + 86_400_000,
});
const PRICES = { currency: 'USD', videoSecond: {}, image: {} };
const now = Date.now;

const audit = auditTrail(client, T.AUDIT_TABLE, strictLogger);
const members = memberDirectory(client, T.MEMBER_TABLE, strictLogger);
const keys = keyAdministration(client, T, strictLogger);
const people = dynamoPeople(client, T, strictLogger);
const invitations = dynamoInvitations(client, T, strictLogger);
const sessions = sessionAdministration(client, T.SESSION_TABLE, strictLogger, audit);
const writes = dynamoSessionWrites(client, { sessions: T.SESSION_TABLE, members: T.MEMBER_TABLE }, audit);
const storedSessions = dynamoSessions(client, T.SESSION_TABLE);

const authenticate = keyOrSession(
  authenticator({ keys: dynamoKeys(client, T.KEY_TABLE, true), members }, now, 'plain', 0),
  { sessions: storedSessions, members },
  now,
  { keepMilliseconds: 0 },
);
const askWith = (headers: Readonly<Record<string, string>>): Promise<Caller> =>
  authenticate(openAiDialect, { header: (name) => headers[name], query: () => undefined });
const bySession = (cookie: string): Promise<Caller> =>
  askWith({ 'sec-fetch-site': 'same-origin', cookie: `__Host-mg-session=${cookie}` });
const byKey = (key: string): Promise<Caller> => askWith({ authorization: `Bearer ${key}` });

const linkPorts = { sessions, record: audit.record, directory: members, writes, times: DEFAULT_TIMES, now };
const openLink = (token: string) =>
  signInWithToken(linkPorts, token, { ip: undefined, userAgent: undefined });

/** An account whose roles come from the groups of its people at the provider. */
const openAccount = () => {
  const account = `acme-${randomUUID()}`;
  const [ADA, BOB] = [`ada-${account}`, `bob-${account}`];
  const accounts = ROLES.map((role) => ({ claim: 'groups', value: GROUPS[role], account, role }));
  const rules = { accounts, emailDomains: [] };
  const ports = { directory: members, writes, issuer: ISSUER, rules, times: DEFAULT_TIMES, now };
  const claims = (subject: string, role: Role | undefined) => ({
    email: `${subject}@example.com`,
    email_verified: true,
    groups: role === undefined ? [] : [GROUPS[role]],
  });
  const signIn = (subject: string, role: Role | undefined, invitation?: string) =>
    signInWithProvider(ports, {
      attempt: startAttempt({ returnTo: '/console/', invitation }, now()).attempt,
      tokens: { subject, claims: claims(subject, role), refreshToken: 'refresh', idToken: undefined },
      signOutUrl: undefined,
      from: { ip: undefined, userAgent: undefined },
    });
  const renew = async (
    cookie: string,
    subject: string,
    role: Role | undefined,
    provider?: Pick<OpenIdProvider, 'refresh'>,
  ) => {
    const { id = '', secret = '' } = readCookieValue(cookie) ?? {};
    const session = (await storedSessions.find(id)) ?? assert.fail('the session is gone');
    const refreshed = { subject, claims: claims(subject, role), refreshToken: 'next', idToken: undefined };
    return renewSession(
      {
        ...ports,
        provider: provider ?? { refresh: async () => refreshed },
        logger: provider === undefined ? strictLogger : { error: () => {} },
        now: () => now() + 3_600_000,
      },
      { session, secret, origin: ORIGIN },
    );
  };
  return { account, signIn, renew, ADA, BOB };
};

type Account = ReturnType<typeof openAccount>;
const personId = (subject: string): string => toPersonId({ issuer: ISSUER, subject });
const readCookie = (result: Awaited<ReturnType<Account['signIn']>>): string =>
  'cookie' in result ? result.cookie : assert.fail(result.error);

/** Ada is an admin and makes one of each; Bob stays an admin. */
const openWorld = async (source: 'provider' | 'invitation') => {
  const opened = openAccount();
  const { account, signIn, ADA, BOB } = opened;
  const boss = await bySession(readCookie(await signIn(BOB, 'admin')));
  const ada = async (role: Role | undefined) => {
    if (source === 'provider') return signIn(ADA, role);
    const { token } = await invite({ people, invitations }, aCallerAction(boss, now()), {
      email: '',
      role: role ?? 'viewer',
    });
    return signIn(ADA, undefined, token);
  };
  const session = readCookie(await ada('admin'));
  const caller = await bySession(session);
  const terms = { name: 'mine', expiresInSeconds: undefined, monthlyBudget: undefined };
  const newKey = async (forAccount: boolean) =>
    (await createKey({ keys, prices: PRICES }, aCallerAction(caller, now()), { ...terms, forAccount })).key;
  const newLink = async (by: Caller) =>
    (await createLink({ sessions, members }, aCallerAction(by, now()), undefined)).token;
  const newInvitation = async (by: Caller) =>
    (await invite({ people, invitations }, aCallerAction(by, now()), { email: '', role: 'admin' })).token;
  const items = {
    tasks: { find: async () => ({ ...VIDEO, account }) },
    files: { find: async () => undefined },
    collections: { find: async () => undefined },
    now,
  };
  const { token: share } = await createShare(
    { ...items, shares: dynamoNewShares(client, T.SHARE_TABLE, strictLogger, { audit, members }) },
    aCallerAction(caller, now()),
    { item: { kind: 'video', id: VIDEO.id }, lifetimeSeconds: 3600, showsPrompt: false },
  );
  const linkSession = (await openLink(await newLink(caller))).cookie;
  const linked = await bySession(linkSession);
  const admin = generateApiKey(account, 'admin', now(), { kind: 'admin' }).stored;
  await keys.add(admin, anAuditEntry({ account }));
  const made = {
    key: await newKey(false),
    accountKey: await newKey(true),
    link: await newLink(caller),
    linkOfLink: await newLink(linked),
    invitation: await newInvitation(caller),
    invitationOfLink: await newInvitation(linked),
    invitationByProvider: await newInvitation(caller),
  };

  const works = async (use: () => Promise<unknown>): Promise<boolean> => {
    try {
      return (await use()) !== undefined;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  };
  const uses: Readonly<Record<string, readonly [Role | undefined, () => Promise<unknown>]>> = {
    'a session': [MAKER_ROLES.session, () => bySession(session)],
    'a key': [MAKER_ROLES.key, () => byKey(made.key)],
    'a key of the account': [undefined, () => byKey(made.accountKey)],
    'an admin key': [
      undefined,
      async () =>
        (await keys.listAccount(account)).find(({ id, revokedAt }) => id === admin.id && !revokedAt),
    ],
    'a share': [
      MAKER_ROLES.share,
      () => openShare({ ...items, members, shares: dynamoShares(client, T.SHARE_TABLE) }, share),
    ],
    'a session from a link': [MAKER_ROLES.link, () => bySession(linkSession)],
    'a link': [MAKER_ROLES.link, () => openLink(made.link)],
    'a link made in a session from a link': [MAKER_ROLES.link, () => openLink(made.linkOfLink)],
    'an invitation': [MAKER_ROLES.invitation, () => openLink(made.invitation)],
    'an invitation made in a session from a link': [
      MAKER_ROLES.invitation,
      () => openLink(made.invitationOfLink),
    ],
    'an invitation, for a person of the provider': [
      MAKER_ROLES.invitation,
      async () => {
        const result = await signIn(`eve-${randomUUID()}`, undefined, made.invitationByProvider);
        return 'cookie' in result ? result : undefined;
      },
    ],
  };
  return {
    ...opened,
    session,
    uses,
    again: ada,
    works: async () => {
      const found: string[] = [];
      for (const [name, [, use]] of Object.entries(uses)) if (await works(use)) found.push(name);
      return found;
    },
    boss,
  };
};
type World = Awaited<ReturnType<typeof openWorld>>;

/** What still works once the maker has another role, or none. */
const expected = ({ uses }: World, role: Role | undefined): string[] =>
  Object.entries(uses).flatMap(([name, [needed]]) =>
    needed === undefined || (role !== undefined && isAtLeast(role, needed)) ? [name] : [],
  );

type Way = {
  readonly source: 'provider' | 'invitation';
  act(world: World, role: Role | undefined): Promise<unknown>;
};
const WAYS: Readonly<Record<string, Way>> = {
  'by another admin': {
    source: 'invitation',
    act: ({ boss, ADA }, role) => {
      const [ports, action] = [{ people, keys }, aCallerAction(boss, now())];
      return role === undefined
        ? removePerson(ports, action, personId(ADA), 'revoke')
        : changeRole(ports, action, personId(ADA), { role, keyChoice: 'revoke' });
    },
  },
  'by the provider, at a sign-in': { source: 'provider', act: ({ signIn, ADA }, role) => signIn(ADA, role) },
  'by the provider, at a renewal': {
    source: 'provider',
    act: ({ renew, session, ADA }, role) => renew(session, ADA, role).catch(() => undefined),
  },
};

describe('a credential of an admin', () => {
  for (const [way, { source, act }] of Object.entries(WAYS))
    for (const role of [undefined, 'viewer', 'member'] as const)
      test(`who ${role === undefined ? 'is removed' : `becomes a ${role}`} ${way}`, async () => {
        const world = await openWorld(source);
        await act(world, role);
        assert.equal((await members.find(world.account, personId(world.ADA)))?.role, role);
        const before = await world.works();
        assert.deepEqual(before, expected(world, role));
        // Ada gets the role back: whatever has ended stays ended.
        await world.again('admin');
        assert.equal((await members.find(world.account, personId(world.ADA)))?.role, 'admin');
        assert.deepEqual(await world.works(), before);
      });

  test('works while the admin stays one', async () => {
    const world = await openWorld('provider');
    assert.deepEqual(await world.works(), Object.keys(world.uses));
  });
});

test('the maker of a credential needs the role of its route', () => {
  assert.deepEqual(MAKER_ROLES, {
    key: KEY_ENDPOINTS.createKey.role,
    session: CONSOLE_ENDPOINTS.getSession.role,
    link: SESSION_ENDPOINTS.createLink.role,
    invitation: PEOPLE_ENDPOINTS.createInvitation.role,
    share: SHARE_ENDPOINTS.createShare.role,
  });
});

test('a route that makes credentials, or changes them or people, looks up its caller each time', () => {
  const own = { ...KEY_ENDPOINTS, ...PEOPLE_ENDPOINTS, ...SESSION_ENDPOINTS };
  const all: Readonly<Record<string, Endpoint>> = { ...own, ...SHARE_ENDPOINTS };
  const names = (access: Endpoint['access']) =>
    Object.keys(all).filter((each) => all[each]?.access === access);
  const keys = ['createKey', 'updateKey', 'createServiceAccountKey'];
  const people = ['changeRole', 'removePerson', 'createInvitation', 'deleteInvitation'];
  assert.deepEqual(names('uncached'), [...keys, ...people, 'switchSession', 'createLink', 'createShare']);
  assert.deepEqual(names('overdue'), ['renewSession']);
});

test('nobody returns through an invitation of their own', async () => {
  const { account, signIn, ADA } = openAccount();
  const caller = await bySession(readCookie(await signIn(ADA, 'admin')));
  const { token } = await invite({ people, invitations }, aCallerAction(caller, now()), {
    email: '',
    role: 'admin',
  });
  await signIn(ADA, 'member', token);
  assert.equal((await members.find(account, personId(ADA)))?.role, 'member');
  const refused = await signIn(ADA, undefined, token);
  assert.deepEqual('error' in refused && [refused.error, refused.personId], ['not_invited', personId(ADA)]);
});

test('a refresh token that an unavailable provider has issued replaces the earlier one', async () => {
  const { signIn, renew, ADA } = openAccount();
  const cookie = readCookie(await signIn(ADA, 'admin'));
  const down = { refresh: async () => assert.fail(new ProviderError('unavailable', undefined, 'next')) };
  await renew(cookie, ADA, undefined, down);
  const { id = '', secret = '' } = readCookieValue(cookie) ?? {};
  const session = (await storedSessions.find(id)) ?? assert.fail('the session is gone');
  assert.equal((await writes.tokens(session, secret)).refreshToken, 'next');
});

test('invitations and links wait while the provider refuses to confirm their maker', async () => {
  const world = await openWorld('provider');
  const refused = { refresh: async () => assert.fail(new ProviderError('refused', undefined)) };
  await assert.rejects(world.renew(world.session, world.ADA, undefined, refused), {
    code: 'invalid_api_key',
  });
  const waiting = ['a key', 'a key of the account', 'an admin key', 'a share'];
  assert.deepEqual(await world.works(), waiting);
  await world.again('admin');
  assert.deepEqual(await world.works(), Object.keys(world.uses).slice(1));
});

test('more credentials than a transaction can hold end with their maker', async () => {
  const { account, signIn, ADA } = openAccount();
  await signIn(ADA, 'admin');
  const ada = personId(ADA);
  const at = now();
  const made = Array.from({ length: 120 }, () => ({
    invitation: generateInvitation({ account, email: '', role: 'admin', invitedBy: ada }, at),
    key: generateApiKey(account, 'mine', at, { ownerId: ada }),
  }));
  const put = memberWrites(T.MEMBER_TABLE);
  await Promise.all(
    made.flatMap(({ invitation, key }) => [
      audit.write([put.addInvitation(invitation.stored)], []),
      client.send(new PutItemCommand({ TableName: T.KEY_TABLE, Item: encode(key.stored) })),
    ]),
  );
  const query = { limit: 1000, after: undefined, access: 'active', owner: undefined } as const;
  const uses = { lastCharges: async () => new Map<string, number>() };
  const listed = async () => [
    (await invitations.list(account)).length,
    (await listKeys({ keys, uses, people }, account, query, now())).items.length,
  ];
  assert.deepEqual(await listed(), [120, 120]);
  await signIn(ADA, undefined);
  assert.deepEqual(await listed(), [0, 0]);
  await assert.rejects(openLink(made[119]?.invitation.token ?? ''), { param: 'token' });
  await assert.rejects(byKey(made[119]?.key.key ?? ''), { code: 'invalid_api_key' });
});
