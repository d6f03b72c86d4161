import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { jpegWithBytes, readUpload, send } from '../../support/files.ts';
import { readUploadUrl, sendCommand, startUpload } from '../../support/google-uploads.ts';
import { type Answer, call, MODEL, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { addPerson, redeem, signIn, signInPerson } from '../../support/sessions.ts';

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

  test('ends the uploads that the person has started, in both forms', async () => {
    const { account, users, admin } = await newAccount();
    const apiKey = await service.issueKey(account);
    const photo = jpegWithBytes(1000);
    const offer = { filename: 'a.jpg', bytes: photo.length, mime_type: 'image/jpeg', purpose: 'vision' };
    const member = await signInPerson(service, account, 'member');
    const [late, noticed] = [
      await member.call('POST', '/v1/files', offer),
      await member.call('POST', '/v1/files', offer),
    ];
    const key = await issueApiKey(stack, { account, name: 'own', ownerId: member.person.id });
    const native = await startUpload({ ...service, apiKey: key }, photo.length);
    assert.deepEqual(await send(readUpload(noticed.body), photo), [200, undefined]);
    const find = ({ body: { id } }: Answer) => call({ ...service, apiKey }, 'GET', `/v1/files/${id}`);
    assert.equal((await find(noticed)).body.status, 'processed');
    const change = { role: 'viewer', keys: 'revoke' };
    assert.equal((await admin.call('POST', `${users}/${member.person.id}`, change)).status, 200);

    assert.deepEqual(await send(readUpload(late.body), photo), [200, undefined]);
    assert.deepEqual(reason(await find(late)), [404, 'file_not_found', 'file_id']);
    assert.equal((await find(noticed)).body.status, 'processed');
    const json = { model: MODEL, prompt: 'a fox', input_reference: { file_id: late.body.id } };
    const used = await call({ ...service, apiKey }, 'POST', '/v1/videos', { json });
    assert.equal(used.status, 400);
    assert.match(readError(used).message, /file not found/);
    const { status, uploadStatus } = await sendCommand(readUploadUrl(native), 'upload, finalize', {
      bytes: photo,
    });
    assert.deepEqual([status, uploadStatus], [404, 'cancelled']);
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
