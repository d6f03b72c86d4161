import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { type Answer, call, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { addPerson, redeem, signIn, signInAs, signInPerson } from '../../support/sessions.ts';

const service = await openSharedService();
const stack = { clientConfig: service.operator, outputs: service.outputs };
const INVITES = '/v1/organization/invites';
const INVITATION_LINK = /^http[^#]*\/console\/sign-in#mgi_[\w-]{43}\.(.*)$/;

const newAccount = async () => {
  const account = `people-${randomUUID()}`;
  const project = `/v1/organization/projects/${account}`;
  const [users, keys] = [`${project}/users`, `${project}/api_keys`];
  return { account, users, keys, admin: await signInPerson(service, account, 'admin') };
};

const reason = (answer: Answer) => {
  const { code, param } = readError(answer);
  return [answer.status, code, param];
};
const NOT_ALLOWED = [403, 'insufficient_permissions'];

test('the SDK lists, reads, changes and removes people, and invites others', async () => {
  const { account } = await newAccount();
  const [ada, bob] = [
    await addPerson(service, account, 'viewer'),
    await addPerson(service, account, 'admin'),
  ];
  const adminAPIKey = await issueApiKey(stack, { account, name: 'admin', kind: 'admin' });
  const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: '', adminAPIKey });
  const { projects, invites } = client.admin.organization;
  // One a page, so that the client pages.
  const found = await Array.fromAsync(projects.users.list(account, { limit: 1 }));
  assert.deepEqual(
    found.slice(1).map(({ id, email, role, object }) => [id, email, role, object]),
    [ada, bob].map(({ id, email, role }) => [id, email, role, 'organization.project.user']),
  );
  const read = await projects.users.retrieve(ada.id, { project_id: account });
  assert.deepEqual(read, {
    id: ada.id,
    object: 'organization.project.user',
    name: ada.name,
    email: ada.email,
    role: 'viewer',
    added_at: Math.floor(ada.addedAt / 1000),
    source: 'invitation',
    last_sign_in_at: null,
  });
  const changed = await projects.users.update(ada.id, { project_id: account, role: 'owner' });
  assert.deepEqual(changed, { ...read, role: 'admin' });
  const removed = await projects.users.delete(bob.id, { project_id: account });
  assert.deepEqual(removed, { id: bob.id, object: 'organization.project.user.deleted', deleted: true });
  await assert.rejects(projects.users.retrieve(bob.id, { project_id: account }), { status: 404 });

  const made = await invites.create({ email: 'Grace@Example.com', role: 'reader' });
  assert.deepEqual([made.email, made.role, made.status], ['grace@example.com', 'viewer', 'pending']);
  assert.equal(INVITATION_LINK.exec(String(Object(made).url))?.[1], account);
  const listed = await Array.fromAsync(invites.list({ limit: 1 }));
  const { url: _, ...shown } = Object(made);
  assert.deepEqual(listed, [shown]);
  assert.deepEqual(await invites.retrieve(made.id), shown);
  const deleted = await invites.delete(made.id);
  assert.deepEqual(deleted, { id: made.id, object: 'organization.invite.deleted', deleted: true });
  await assert.rejects(invites.delete(made.id), { status: 404 });
  await assert.rejects(invites.retrieve(made.id), { status: 404 });
});

describe('a role change', () => {
  test('takes effect at once for what creates credentials', async () => {
    const { account, users, keys, admin } = await newAccount();
    const member = await signInPerson(service, account, 'member');
    assert.equal((await member.call('POST', keys, { name: 'mine' })).status, 200);
    const at = `${users}/${member.person.id}`;
    const unsaid = await admin.call('POST', at, { role: 'viewer' });
    assert.deepEqual(reason(unsaid), [400, 'invalid_request', 'keys']);
    assert.match(readError(unsaid).message, /has 1 active API key: revoke, or transfer/);
    const { status, body } = await admin.call('POST', at, { role: 'viewer', keys: 'revoke' });
    assert.deepEqual([status, body.role], [200, 'viewer']);
    assert.deepEqual(reason(await member.call('POST', keys, { name: 'mine' })).slice(0, 2), NOT_ALLOWED);
    const [key] = Object((await admin.call('GET', keys)).body.data);
    assert.deepEqual([key.owner.user.role, key.owner_project_access], ['viewer', 'inactive']);
    // To the same role again: nothing happens.
    assert.equal((await admin.call('POST', at, { role: 'viewer' })).status, 200);
  });

  test('of a person by themselves is refused, as is their removal', async () => {
    const { users, admin } = await newAccount();
    const at = `${users}/${admin.person.id}`;
    assert.deepEqual(reason(await admin.call('POST', at, { role: 'member' })), [
      400,
      'invalid_request',
      'user_id',
    ]);
    assert.deepEqual(reason(await admin.call('DELETE', at)), [400, 'invalid_request', 'user_id']);
    assert.equal((await admin.call('GET', at)).body.role, 'admin');
  });

  test('of the only admin is refused, as is their removal, even with an admin key', async () => {
    const { account, users, admin } = await newAccount();
    await addPerson(service, account, 'member');
    const key = await issueApiKey(stack, { account, name: 'admin', kind: 'admin' });
    const at = `${users}/${admin.person.id}`;
    const [changed, removed] = [
      await call(service, 'POST', at, { key, json: { role: 'member' } }),
      await call(service, 'DELETE', at, { key }),
    ];
    for (const refused of [changed, removed])
      assert.deepEqual(reason(refused), [400, 'invalid_request', 'user_id']);
    assert.match(readError(changed).message, /only admin of the account/);
    await addPerson(service, account, 'admin');
    assert.equal((await call(service, 'DELETE', at, { key })).status, 200);
  });

  test('changes what the keys of the person can do', async () => {
    const { account, users, keys, admin } = await newAccount();
    const { person, ...member } = await signInPerson(service, account, 'member');
    const key = String((await member.call('POST', keys, { name: 'mine' })).body.value);
    const endpoint = { url: 'https://example.com/hook', enabled_events: ['video.completed'] };
    const refused = await call(service, 'POST', '/v1/webhook_endpoints', { key, json: endpoint });
    assert.deepEqual(reason(refused).slice(0, 2), NOT_ALLOWED);
    assert.match(readError(refused).message, /requires the role admin; the API key has the role member/);
    assert.equal((await call(service, 'GET', '/v1/webhook_endpoints', { key })).status, 200);
    // Transferred to the account, it can do no more than before.
    assert.equal((await admin.call('DELETE', `${users}/${person.id}?keys=transfer`)).status, 200);
    const again = await call(service, 'POST', '/v1/webhook_endpoints', { key, json: endpoint });
    assert.deepEqual(reason(again).slice(0, 2), NOT_ALLOWED);
  });

  test('of a person whose role comes from the provider is refused', async () => {
    const { account, users, admin } = await newAccount();
    const { id } = await addPerson(service, account, 'member', { source: 'provider' });
    const refused = await admin.call('POST', `${users}/${id}`, { role: 'admin' });
    assert.deepEqual(reason(refused), [400, 'invalid_request', 'role']);
  });

  test('is refused with wrong values', async () => {
    const { account, users, admin } = await newAccount();
    const { id } = await addPerson(service, account, 'member');
    for (const [json, param] of [
      [{}, 'role'],
      [{ role: 'root' }, 'role'],
      [{ role: ['admin'] }, 'role'],
      [{ role: 'viewer', keys: 'keep' }, 'keys'],
    ] as const)
      assert.deepEqual(reason(await admin.call('POST', `${users}/${id}`, json)), [
        400,
        'invalid_request',
        param,
      ]);
    assert.deepEqual(reason(await admin.call('DELETE', `${users}/${id}?keys=keep`)), [
      400,
      'invalid_request',
      'keys',
    ]);
    for (const unknown of [`user_${'0'.repeat(32)}`, 'me', admin.id])
      for (const [method, json] of [['GET'], ['POST', { role: 'viewer' }], ['DELETE']] as const)
        assert.deepEqual(reason(await admin.call(method, `${users}/${unknown}`, json)), [
          404,
          'not_found',
          'user_id',
        ]);
  });

  test('by two admins of each other leaves one of them', async () => {
    const { account, users, admin } = await newAccount();
    const other = await signInPerson(service, account, 'admin');
    const answers = await Promise.all([
      admin.call('POST', `${users}/${other.person.id}`, { role: 'member' }),
      other.call('POST', `${users}/${admin.person.id}`, { role: 'member' }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403]);
    const { body } = await (await signIn(service, account)).call('GET', users);
    assert.deepEqual(
      Object(body.data)
        .map(({ role }: { role: string }) => role)
        .toSorted(),
      ['admin', 'member'],
    );
  });
});

describe('the removal of a person', () => {
  for (const [choice, works] of [
    ['revoke', 401],
    ['transfer', 200],
  ] as const)
    test(`can ${choice} the keys, and ends the sessions`, async () => {
      const { account, users, keys, admin } = await newAccount();
      const member = await signInPerson(service, account, 'member');
      const made = await Promise.all(['one', 'two'].map((name) => member.call('POST', keys, { name })));
      const at = `${users}/${member.person.id}`;
      assert.deepEqual(reason(await admin.call('DELETE', at)), [400, 'invalid_request', 'keys']);
      assert.equal((await admin.call('GET', at)).status, 200);
      const { status, body } = await admin.call('DELETE', `${at}?keys=${choice}`);
      assert.deepEqual([status, body.deleted], [200, true]);
      for (const { body: key } of made)
        assert.equal((await call(service, 'GET', '/v1/models', { key: String(key.value) })).status, works);
      assert.equal((await member.call('POST', keys, { name: 'three' })).status, 401);
      assert.deepEqual(reason(await admin.call('DELETE', `${at}?keys=${choice}`)), [
        404,
        'not_found',
        'user_id',
      ]);
      const listed = Object((await admin.call('GET', keys)).body.data);
      assert.deepEqual(
        listed.map(({ owner }: { owner: { type: string } }) => owner.type),
        choice === 'revoke' ? ['user', 'user'] : ['service_account', 'service_account'],
      );
      if (choice === 'revoke') assert.equal(listed[0].owner.user.role, 'removed');
    });

  test('withdraws their invitations, which would be a way back', async () => {
    const { account, users, admin } = await newAccount();
    const leaver = await signInPerson(service, account, 'admin');
    assert.equal((await leaver.call('POST', INVITES, { role: 'admin' })).status, 200);
    assert.equal((await admin.call('POST', INVITES, { role: 'member' })).status, 200);
    assert.equal((await admin.call('DELETE', `${users}/${leaver.person.id}`)).status, 200);
    const { body } = await admin.call('GET', INVITES);
    assert.deepEqual(
      Object(body.data).map(({ role }: { role: string }) => role),
      ['member'],
    );
  });

  test('in one account leaves the others', async () => {
    const [here, there] = [await newAccount(), await newAccount()];
    const { account: _, ...person } = await addPerson(service, here.account, 'member');
    const elsewhere = await addPerson(service, there.account, 'member', person);
    const session = await signInAs(service, elsewhere);
    assert.equal((await here.admin.call('DELETE', `${here.users}/${elsewhere.id}`)).status, 200);
    assert.equal((await session.call('POST', there.keys, { name: 'mine' })).status, 200);
  });
});

describe('people of other roles and accounts', () => {
  test('cannot manage people', async () => {
    const { account, users, admin } = await newAccount();
    const at = `${users}/${admin.person.id}`;
    for (const role of ['viewer', 'member'] as const) {
      const session = await signInPerson(service, account, role);
      const own = `${users}/${session.person.id}`;
      for (const [method, path, json] of [
        ['POST', own, { role: 'admin' }],
        ['DELETE', own],
        ['POST', at, { role: 'viewer' }],
        ['DELETE', at],
        ['POST', INVITES, { role }],
        ['GET', INVITES],
        ['POST', INVITES, { role: 'admin' }],
      ] as const)
        assert.deepEqual(reason(await session.call(method, path, json)).slice(0, 2), NOT_ALLOWED, path);
      const { status, body } = await session.call('GET', users);
      assert.deepEqual([status, Object(body.data).length >= 2], [200, true]);
    }
  });

  test('find nothing of another account', async () => {
    const [here, there] = [await newAccount(), await newAccount()];
    const invited = await there.admin.call('POST', INVITES, { role: 'member' });
    const at = there.admin.person.id;
    for (const [method, path, json, param] of [
      ['GET', there.users, undefined, 'project_id'],
      ['GET', `${there.users}/${at}`, undefined, 'project_id'],
      ['POST', `${there.users}/${at}`, { role: 'viewer' }, 'project_id'],
      ['DELETE', `${there.users}/${at}`, undefined, 'project_id'],
      ['GET', `${here.users}/${at}`, undefined, 'user_id'],
      ['POST', `${here.users}/${at}`, { role: 'viewer' }, 'user_id'],
      ['DELETE', `${here.users}/${at}`, undefined, 'user_id'],
      ['GET', `${INVITES}/${invited.body.id}`, undefined, 'invite_id'],
      ['DELETE', `${INVITES}/${invited.body.id}`, undefined, 'invite_id'],
      ['DELETE', `${here.users}/${invited.body.id}`, undefined, 'user_id'],
    ] as const)
      assert.deepEqual(reason(await here.admin.call(method, path, json)), [404, 'not_found', param], path);
    assert.equal((await there.admin.call('GET', `${INVITES}/${invited.body.id}`)).status, 200);
  });
});

describe('an invitation', () => {
  test('of an address replaces an earlier one, and is for people who are not in the account', async () => {
    const { account, admin } = await newAccount();
    const invite = (json: object) => admin.call('POST', INVITES, json);
    const first = await invite({ email: 'ada@example.com', role: 'admin' });
    const second = await invite({ email: ' ADA@example.com'.trim(), role: 'viewer' });
    assert.notEqual(first.body.id, second.body.id);
    const { body } = await admin.call('GET', INVITES);
    assert.deepEqual(
      Object(body.data).map(({ id }: { id: string }) => id),
      [second.body.id],
    );
    const { email } = await addPerson(service, account, 'viewer');
    assert.deepEqual(reason(await invite({ email: email.toUpperCase(), role: 'admin' })), [
      400,
      'invalid_request',
      'email',
    ]);
  });

  test('is refused with wrong values', async () => {
    const { admin } = await newAccount();
    for (const [json, param] of [
      [{}, 'role'],
      [{ role: 'root' }, 'role'],
      [{ role: 'member', email: 'ada' }, 'email'],
      [{ role: 'member', email: '' }, 'email'],
      [{ role: 'member', email: 'a@b, c@d' }, 'email'],
      [{ role: 'member', email: `${'x'.repeat(300)}@example.com` }, 'email'],
      [{ role: 'member', email: 7 }, 'email'],
      [{ role: 'member', projects: [{ id: 'other', role: 'owner' }] }, 'projects'],
    ] as const)
      assert.deepEqual(reason(await admin.call('POST', INVITES, json)), [400, 'invalid_request', param]);
    for (const path of [INVITES, `/v1/organization/projects/${admin.person.account}/users`])
      for (const [name, value] of [
        ['limit', '0'],
        ['after', 'x'],
      ] as const)
        assert.deepEqual(reason(await admin.call('GET', `${path}?${name}=${value}`)), [
          400,
          'invalid_request',
          name,
        ]);
  });
});

describe('the link of an invitation', () => {
  const token = ({ body }: Answer): string => String(body.url).split('#')[1] ?? '';
  const accept = (given: string) => redeem(service, given);

  test('signs a person in once, with the role of the invitation', async () => {
    const { users, admin } = await newAccount();
    const link = token(await admin.call('POST', INVITES, { role: 'viewer' }));
    // Whoever opens it first wins, even at the same moment.
    const answers = await Promise.all([accept(link), accept(link)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
    assert.deepEqual(reason(await accept(link)), [400, 'invalid_request', 'token']);
    const { body } = await admin.call('GET', users);
    const roles = Object(body.data).map(({ role }: { role: string }) => role);
    assert.deepEqual(roles, ['admin', 'viewer']);
    assert.deepEqual(Object((await admin.call('GET', INVITES)).body.data), []);
  });

  test('does not work for another account, with a changed token, or once it is deleted or replaced', async () => {
    const { account, users, admin } = await newAccount();
    const made = await admin.call('POST', INVITES, { role: 'admin', email: 'ada@example.com' });
    const link = token(made);
    const again = await admin.call('POST', INVITES, { role: 'viewer', email: 'ada@example.com' });
    const deleted = await admin.call('POST', INVITES, { role: 'admin' });
    assert.equal((await admin.call('DELETE', `${INVITES}/${deleted.body.id}`)).status, 200);
    const last = token(again);
    for (const wrong of [
      link,
      token(deleted),
      last.replace(account, 'other'),
      last.replace(/mgi_./, (start) => (start.endsWith('A') ? 'mgi_B' : 'mgi_A')),
      last.replace('mgi_', 'mgl_'),
      String(again.body.id),
    ])
      assert.deepEqual(reason(await accept(wrong)), [400, 'invalid_request', 'token'], wrong);
    assert.equal(Object((await admin.call('GET', users)).body.data).length, 1);
  });
});
