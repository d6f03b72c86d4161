import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { call, MODEL, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { signIn } from '../../support/sessions.ts';

const service = await openSharedService();
const account = `acme-${randomUUID()}`;
const session = await signIn(service, account);
const adminAPIKey = await issueApiKey(
  { clientConfig: service.operator, outputs: service.outputs },
  { account, name: 'admin', kind: 'admin' },
);
const path = `/v1/organization/projects/${account}/api_keys`;

test('a key made at the console works at once, is named by its hash, and is refused once revoked', async () => {
  const { status, body } = await session.call('POST', path, {
    name: 'Render farm',
    expires_in_seconds: 3600,
    monthly_budget: '20.50',
  });
  const value = String(body.value);
  const hash = createHash('sha256').update(value).digest('hex');
  assert.deepEqual([status, body.id], [200, `key_${hash.slice(0, 16)}`]);
  assert.deepEqual(
    [body.object, body.name, body.redacted_value, body.budget, body.revoked_at, body.last_used_at],
    ['organization.project.api_key', 'Render farm', `mgk_…${value.slice(-4)}`, '20.50', null, null],
  );
  assert.equal(Number(body.expires_at) - Number(body.created_at), 3600);

  const listed = await session.call('GET', path);
  const { value: _, ...shown } = body;
  assert.deepEqual(Object(listed.body.data)[0], shown);
  assert.ok(!JSON.stringify(listed.body).includes(value.slice(4, 40)));

  const deleted = await session.call('DELETE', `${path}/${body.id}`);
  assert.deepEqual(deleted.body, {
    id: body.id,
    object: 'organization.project.api_key.deleted',
    deleted: true,
  });
  assert.equal((await call(service, 'GET', '/v1/models', { key: value })).status, 401);
  const [after] = Object((await session.call('GET', path)).body.data);
  assert.deepEqual([after.owner_project_access, typeof after.revoked_at], ['inactive', 'number']);
});

for (const [title, Client] of [
  ['openai 7', OpenAI],
  ['openai 6', OpenAI6],
] as const)
  test(`${title} makes, lists and deletes keys with an admin key`, async () => {
    const client = new Client({ baseURL: `${service.baseUrl}/v1`, apiKey: '', adminAPIKey });
    const { apiKeys, serviceAccounts } = client.admin.organization.projects;
    const made = await serviceAccounts.apiKeys.create(account, { project_id: account, name: title });
    assert.equal(made.object, 'organization.project.service_account.api_key');
    const videos = await new Client({ baseURL: `${service.baseUrl}/v1`, apiKey: made.value }).videos.list();
    assert.deepEqual(videos.data, []);
    // One a page, so that the client pages.
    const found = await Array.fromAsync(apiKeys.list(account, { limit: 1 }));
    assert.ok(found.length >= 2);
    assert.ok(found.some(({ id, name }) => id === made.id && name === title));
    const { deleted } = await apiKeys.delete(made.id, { project_id: account });
    assert.equal(deleted, true);
    const active = await Array.fromAsync(apiKeys.list(account, { owner_project_access: 'active' }));
    assert.ok(active.length >= 1 && active.every(({ id }) => id !== made.id));
    await assert.rejects(apiKeys.list('another'), { status: 404 });
  });

test('a plain key manages nothing', async () => {
  for (const [method, at, json] of [
    ['GET', path],
    ['POST', path, { name: 'more' }],
    ['DELETE', `${path}/key_0123456789abcdef`],
  ] as const) {
    const answer = await call(service, method, at, json === undefined ? {} : { json });
    assert.deepEqual([answer.status, readError(answer).code], [403, 'insufficient_permissions']);
  }
});

test('another project, its keys and its service account are not found', async () => {
  const other = await signIn(service, `other-${randomUUID()}`);
  const { body } = await session.call('POST', path, { name: 'mine' });
  for (const [method, at, json, param] of [
    ['GET', path, undefined, 'project_id'],
    ['POST', path, { name: 'theirs' }, 'project_id'],
    ['DELETE', `${path}/${body.id}`, undefined, 'project_id'],
  ] as const) {
    const answer = await other.call(method, at, json);
    assert.deepEqual(
      [answer.status, readError(answer).code, readError(answer).param],
      [404, 'not_found', param],
    );
  }
  const unknown = await session.call('DELETE', `${path}/key_0123456789abcdef`);
  assert.deepEqual([unknown.status, readError(unknown).param], [404, 'key_id']);
  const elsewhere = await session.call('POST', path.replace('api_keys', 'service_accounts/x/api_keys'), {});
  assert.deepEqual([elsewhere.status, readError(elsewhere).param], [404, 'service_account_id']);
});

test('the name, expiry and budget of a key can be changed, and removed', async () => {
  const { body } = await session.call('POST', path, { name: 'CI', monthly_budget: '5' });
  const at = `${path}/${body.id}`;
  const change = { name: 'Render farm', expires_in_seconds: 60, monthly_budget: '7.50' };
  const changed = await session.call('POST', at, change);
  assert.deepEqual(
    [changed.status, changed.body.name, changed.body.budget, typeof changed.body.expires_at],
    [200, 'Render farm', '7.50', 'number'],
  );
  const { value: _, ...before } = body;
  const cleared = await session.call('POST', at, {
    name: 'CI',
    expires_in_seconds: null,
    monthly_budget: null,
  });
  assert.deepEqual(cleared.body, { ...before, budget: null });
  for (const [json, param] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ expires_in_seconds: 0 }, 'expires_in_seconds'],
    [{ monthly_budget: 'much' }, 'monthly_budget'],
  ] as const) {
    const refused = await session.call('POST', at, json);
    assert.deepEqual([refused.status, readError(refused).param], [400, param]);
  }
  const unknown = await session.call('POST', `${path}/key_0123456789abcdef`, { name: 'x' });
  assert.deepEqual([unknown.status, readError(unknown).param], [404, 'key_id']);
  await session.call('DELETE', at);
  const revoked = await session.call('POST', at, { name: 'x' });
  assert.deepEqual([revoked.status, readError(revoked).param], [400, 'key_id']);
});

test('a key shows when it was last charged, and a budget that it gets later includes that charge', async () => {
  const { body: made } = await session.call('POST', path, { name: 'Later' });
  const key = String(made.value);
  const before = Math.floor(Date.now() / 1000);
  const image = await call(service, 'POST', '/v1/images/generations', {
    key,
    json: { model: IMAGE_MODEL, prompt: 'A kite', size: '1024x1024' },
  });
  assert.equal(image.status, 200);
  const shown = Object((await session.call('GET', path)).body.data).find(
    ({ id }: { id: string }) => id === made.id,
  );
  assert.ok(shown.last_used_at >= before && shown.last_used_at <= Date.now() / 1000, `${shown.last_used_at}`);
  // Enough for a video of 4 seconds, which costs 1.60, but not for the image as well.
  const changed = await session.call('POST', `${path}/${made.id}`, { monthly_budget: '1.61' });
  assert.deepEqual([changed.status, changed.body.last_used_at], [200, shown.last_used_at]);
  const refused = await call(service, 'POST', '/v1/videos', {
    key,
    json: { model: MODEL, prompt: 'A kite', seconds: 4 },
  });
  assert.deepEqual([refused.status, readError(refused).code], [429, 'insufficient_quota']);
  assert.match(
    readError(refused).message,
    /^The API key’s monthly budget has \$1\.\d+ left \(of \$1\.61\), and this request costs \$1\.60\./,
  );
});

test('the budget of a new key is kept in plain form', async () => {
  const budgets = ['007', '00.50', '0.50', 7];
  const answers = budgets.map((monthly_budget) => session.call('POST', path, { name: 'n', monthly_budget }));
  const kept = (await Promise.all(answers)).map(({ body }) => body.budget);
  assert.deepEqual(kept, ['7', '0.50', '0.50', '7']);
});

describe('a new key is refused with', () => {
  const name = 'n';
  const REFUSED: readonly (readonly [param: string, json: unknown])[] = [
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 7 }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\r\nSet-Cookie: b' }],
    ['name', { name: 'a\u0000' }],
    ['expires_in_seconds', { name, expires_in_seconds: 0 }],
    ['expires_in_seconds', { name, expires_in_seconds: 1.5 }],
    ['expires_in_seconds', { name, expires_in_seconds: 1e12 }],
    ['monthly_budget', { name, monthly_budget: '-1' }],
    ['monthly_budget', { name, monthly_budget: 1e30 }],
    ['monthly_budget', { name, monthly_budget: '1,5' }],
    ['scopes', { name, scopes: ['model.read'] }],
  ];
  for (const [param, json] of REFUSED)
    test(`a wrong ${param}: ${JSON.stringify(json).slice(0, 60)}`, async () => {
      const answer = await session.call('POST', path, json);
      assert.deepEqual([answer.status, readError(answer).param], [400, param]);
    });
});

test('a list is refused with a wrong parameter', async () => {
  for (const [param, value] of [
    ['limit', '0'],
    ['after', 'key_0'],
    ['owner_project_access', 'all'],
  ] as const) {
    const answer = await session.call('GET', `${path}?${param}=${value}`);
    assert.deepEqual([answer.status, readError(answer).param], [400, param]);
  }
});
