import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import OpenAI from 'openai';
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

test(`the SDK makes, lists and deletes keys with an admin key`, async () => {
  const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: '', adminAPIKey });
  const { apiKeys, serviceAccounts } = client.admin.organization.projects;
  const made = await serviceAccounts.apiKeys.create(account, { project_id: account, name: 'by the SDK' });
  assert.equal(made.object, 'organization.project.service_account.api_key');
  const videos = await new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: made.value }).videos.list();
  assert.deepEqual(videos.data, []);
  // One a page, so that the client pages.
  const found = await Array.fromAsync(apiKeys.list(account, { limit: 1 }));
  assert.ok(found.length >= 2);
  assert.ok(found.some(({ id, name }) => id === made.id && name === 'by the SDK'));
  const { deleted } = await apiKeys.delete(made.id, { project_id: account });
  assert.equal(deleted, true);
  const active = await Array.fromAsync(apiKeys.list(account, { owner_project_access: 'active' }));
  assert.ok(active.length >= 1 && active.every(({ id }) => id !== made.id));
  await assert.rejects(apiKeys.list('another'), { status: 404 });
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
