import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import OpenAI from 'openai';
import { AUDIT_TYPES, type AuditType } from '../../../functions/identity/domain/audit.ts';
import { toPersonId } from '../../../functions/identity/domain/person.ts';
import { toSessionId } from '../../../functions/identity/domain/session.ts';
import { encode } from '../../../functions/platform/aws/attributes.ts';
import {
  accountLimits,
  endSession,
  issueApiKey,
  issueSignInUrl,
} from '../../../lib/operator/administration.ts';
import { dynamoClient } from '../../../lib/operator/dynamo-client.ts';
import { stackOutput } from '../../../lib/operator/operated-stack.ts';
import { call, createVideo, HELD_BACK, readId } from '../../support/http.ts';
import { JPEG } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { FROM_PAGE, newToken, redeem, signIn } from '../../support/sessions.ts';
import { until } from '../../support/until.ts';

const service = await openSharedService();
const stack = { clientConfig: service.operator, outputs: service.outputs };
const account = `audited-${randomUUID()}`;
const PROJECT = `/v1/organization/projects/${account}`;
const apiKey = await issueApiKey(stack, { account, name: 'plain' });
const adminKey = await issueApiKey(stack, { account, name: 'admin', kind: 'admin' });
const access = { baseUrl: service.baseUrl, apiKey };
const session = await signIn(service, account);

const done = async (method: string, path: string, json?: unknown, key = apiKey) => {
  const answer = await call(access, method, path, { key, ...(json === undefined ? {} : { json }) });
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer;
};
const byAdmin = (method: string, path: string, json?: unknown) => done(method, path, json, adminKey);

/** The second deletion finds nothing and has no entry. */
const deleteTwice = async (path: string): Promise<void> => {
  await done('DELETE', path);
  assert.equal((await call(access, 'DELETE', path)).status, 404);
};

/** A person who signed in once, without a provider. */
const addMember = async (): Promise<string> => {
  const identity = { issuer: 'link', subject: randomUUID() };
  const id = toPersonId(identity);
  const Item = encode({
    ...identity,
    account,
    id,
    email: 'ada@example.com',
    name: 'Ada',
    role: 'member',
    source: 'invitation',
    addedAt: Date.now(),
  });
  const TableName = stackOutput(stack, 'MemberTableName');
  await dynamoClient(service.operator).send(new PutItemCommand({ TableName, Item }));
  return id;
};

const WEBHOOK = { name: 'One', url: 'https://hooks.example.com/token', event_types: ['video.completed'] };
const newKey = async () => readId(await byAdmin('POST', `${PROJECT}/api_keys`, { name: 'new' }));
const newWebhook = async () => readId(await done('POST', '/v1/webhook_endpoints', WEBHOOK));
const newImage = () =>
  putImage(service, account, { prompt: 'secret words', createdAt: Date.now(), bytes: JPEG });
const newVideo = () =>
  putVideo(service, account, { prompt: 'secret words', createdAt: Date.now(), bytes: JPEG });
const newCollection = async () => readId(await done('POST', '/v1/collections', { name: 'Boats' }));
const newShare = async () => readId(await done('POST', '/v1/shares', { file_id: await newImage() }));
const newInvitation = async () =>
  readId(await byAdmin('POST', '/v1/organization/invites', { email: 'eve@example.com', role: 'member' }));

/** A colleague accepts an invitation and is signed in. */
const acceptInvitation = async () => {
  const { body } = await byAdmin('POST', '/v1/organization/invites', { role: 'member' });
  const answer = await redeem(service, String(body.url).split('#')[1]);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const headers = { ...FROM_PAGE, cookie };
  const current = await call(access, 'GET', '/v1/console/session', { key: '', headers });
  return { invitation: String(body.id), person: String(Object(current.body.user).id) };
};

/** Creates an item and changes it. */
const changing = (create: () => Promise<string>, change: (id: string) => Promise<unknown>) => async () => {
  const id = await create();
  await change(id);
  return id;
};

const linkId = (url: unknown): string =>
  toSessionId(String(url).split('#')[1] ?? '') ?? assert.fail(`no link: ${url}`);

/** Each action makes one entry of its type, for the item whose id it returns. */
const ACTIONS: Readonly<Record<AuditType, readonly (() => Promise<string>)[]>> = {
  'api_key.created': [
    newKey,
    async () => readId(await session.call('POST', `${PROJECT}/api_keys`, { name: 'mine' })),
  ],
  'api_key.updated': [
    changing(newKey, (id) => byAdmin('POST', `${PROJECT}/api_keys/${id}`, { name: 'renamed' })),
  ],
  'api_key.deleted': [changing(newKey, (id) => byAdmin('DELETE', `${PROJECT}/api_keys/${id}`))],
  'invite.sent': [newInvitation],
  'invite.accepted': [async () => (await acceptInvitation()).invitation],
  'user.added': [async () => (await acceptInvitation()).person],
  'login.succeeded': [async () => (await signIn(service, account)).id],
  'login.failed': [
    async () => {
      const token = await newToken(service, account);
      assert.equal((await redeem(service, token)).status, 200);
      assert.equal((await redeem(service, token)).status, 400);
      return toSessionId(token) ?? assert.fail('the token is malformed');
    },
  ],
  'logout.succeeded': [
    async () => {
      const own = await signIn(service, account);
      assert.equal((await own.call('DELETE', '/v1/console/sessions/current')).status, 200);
      return own.id;
    },
  ],
  'session.ended': [
    async () => {
      const { id } = await signIn(service, account);
      assert.equal((await session.call('DELETE', `/v1/console/sessions/${id}`)).status, 200);
      return id;
    },
    async () => {
      const { id } = await signIn(service, account);
      assert.equal(await endSession(stack, account, id), true);
      return id;
    },
  ],
  'link.created': [
    async () => linkId((await session.call('POST', '/v1/console/links')).body.url),
    async () => linkId(await issueSignInUrl(stack, service.baseUrl, account)),
  ],
  'invite.deleted': [changing(newInvitation, (id) => byAdmin('DELETE', `/v1/organization/invites/${id}`))],
  'user.updated': [
    changing(addMember, (id) => byAdmin('POST', `${PROJECT}/users/${id}`, { role: 'viewer' })),
  ],
  'user.deleted': [changing(addMember, (id) => byAdmin('DELETE', `${PROJECT}/users/${id}`))],
  'rate_limit.updated': [
    async () => {
      await accountLimits(stack).set(account, { videosAtOnce: 50, createsPerMinute: null });
      // The same limits again are no change.
      await accountLimits(stack).set(account, { videosAtOnce: 50, createsPerMinute: null });
      return account;
    },
  ],
  'webhook_endpoint.created': [newWebhook],
  'webhook_endpoint.updated': [
    async () => {
      const id = await newWebhook();
      await done('POST', `/v1/webhook_endpoints/${id}`, { url: 'https://other.example.com/token' });
      // Neither of these is a change.
      await done('POST', `/v1/webhook_endpoints/${id}`, { url: 'https://other.example.com/token' });
      await done('GET', `/v1/webhook_endpoints/${id}`);
      return id;
    },
  ],
  'webhook_endpoint.deleted': [changing(newWebhook, (id) => deleteTwice(`/v1/webhook_endpoints/${id}`))],
  'webhook_endpoint.secret_rotated': [
    changing(newWebhook, (id) => done('POST', `/v1/webhook_endpoints/${id}/rotate_secret`)),
  ],
  'share.created': [newShare],
  'share.deleted': [changing(newShare, (id) => deleteTwice(`/v1/shares/${id}`))],
  'collection.created': [newCollection],
  'collection.updated': [
    changing(newCollection, (id) => done('POST', `/v1/collections/${id}`, { name: 'Ships' })),
  ],
  'collection.deleted': [changing(newCollection, (id) => done('DELETE', `/v1/collections/${id}`))],
  'video.updated': [changing(newVideo, (id) => done('POST', `/v1/library/${id}`, { name: 'renamed' }))],
  'file.updated': [changing(newImage, (id) => done('POST', `/v1/library/${id}`, { kept: true }))],
  'video.deleted': [
    changing(newVideo, (id) => deleteTwice(`/v1/videos/${id}`)),
    async () => {
      // Waits for the upstream, so that the deletion cancels it first.
      const id = await createVideo(access, `secret words ${HELD_BACK}`);
      // Refused while the worker tries to submit it.
      await until(async () => (await call(access, 'DELETE', `/v1/videos/${id}`)).status === 200);
      return id;
    },
  ],
  'file.deleted': [
    changing(newImage, (id) => deleteTwice(`/v1/files/${id}`)),
    changing(newImage, (id) => done('DELETE', `/v1beta/files/${id.replace('file_', '')}`)),
  ],
};

type Entry = { readonly id: string; readonly type: string };
const readAll = async (): Promise<readonly Entry[]> => {
  const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, adminAPIKey: adminKey, maxRetries: 0 });
  return Array.fromAsync(client.admin.organization.auditLogs.list({ limit: 100 }));
};
const changeId = (entry: Entry): unknown => Object(Reflect.get(entry, entry.type)).id;

describe('every audited action', () => {
  const made: { readonly type: AuditType; readonly id: string }[] = [];
  let entries: readonly Entry[] = [];
  before(async () => {
    for (const type of AUDIT_TYPES) for (const act of ACTIONS[type]) made.push({ type, id: await act() });
    entries = await readAll();
  });
  after(() => made.splice(0));

  for (const type of AUDIT_TYPES)
    test(`is recorded exactly once: ${type}`, () => {
      const wanted = made.filter((one) => one.type === type);
      assert.ok(wanted.length > 0);
      for (const { id } of wanted)
        assert.equal(entries.filter((entry) => entry.type === type && changeId(entry) === id).length, 1, id);
    });

  test('names who did it and from where', () => {
    for (const entry of entries) {
      const { actor, project } = Object(entry);
      assert.equal(project.id, account);
      const { type, api_key: key, session: signedIn } = actor;
      if (type === 'operator') continue;
      assert.equal((key ?? signedIn).ip_address, '127.0.0.1');
      assert.match((key ?? signedIn).id, /^(?:key_[0-9a-f]{16}|sess_[0-9a-f]{32})$/);
    }
  });

  test('leaves no secret, prompt or URL in the log', () => {
    const text = JSON.stringify(entries);
    for (const secret of [
      apiKey,
      adminKey,
      'secret words',
      '/token',
      'whsec_',
      'mgk_',
      'mga_',
      'mgl_',
      'mgi_',
      '/s/',
    ])
      assert.ok(!text.includes(secret), secret);
  });
});

test('the address comes from the connection: headers of a client cannot forge it', async () => {
  const id = await newImage();
  const forged = {
    'x-forwarded-for': '203.0.113.1',
    forwarded: 'for=203.0.113.1',
    'x-real-ip': '203.0.113.1',
    'user-agent': `${'A'.repeat(5000)}`,
  };
  assert.equal((await call(access, 'DELETE', `/v1/files/${id}`, { headers: forged })).status, 200);
  const entry = (await readAll()).find((each) => changeId(each) === id);
  const { api_key: key } = Object(Object(entry).actor);
  assert.deepEqual([key.ip_address, key.user_agent], ['127.0.0.1', 'A'.repeat(300)]);
});
