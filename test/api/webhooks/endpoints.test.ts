import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import OpenAI from 'openai';
import { dynamoWebhookDescriptions } from '../../../functions/webhooks/adapters/dynamo-webhook-endpoints.ts';
import { call, readError, readId } from '../../support/http.ts';
import { strictLogger } from '../../support/loggers.ts';
import { longOr } from '../../support/long-tests.ts';
import { openSharedService } from '../../support/open-service.ts';
import { signIn } from '../../support/sessions.ts';

const service = await openSharedService();
const dynamo = new DynamoDBClient(service.operator);
const ENDPOINTS = '/v1/webhook_endpoints';
const NEW: OpenAI.Webhooks.WebhookCreateParams = {
  name: 'Hook',
  url: 'https://hooks.example.com/v',
  event_types: ['video.completed'],
};

const newAccount = async () => {
  const account = `hooks-${randomUUID()}`;
  const apiKey = await service.issueKey(account);
  return {
    account,
    access: { ...service, apiKey },
    client: new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey, maxRetries: 0 }),
  };
};

test('openai 7 makes, lists, gets, changes and deletes endpoints', async () => {
  const { client } = await newAccount();
  const made = await client.webhooks.create({ ...NEW, event_types: ['video.completed', 'video.failed'] });
  assert.match(made.id, /^we_[0-9a-z]{26}$/);
  assert.match(made.signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(Buffer.from(made.signing_secret.slice(6), 'base64').length, 32);
  const { signing_secret: secret, ...shown } = made;
  assert.deepEqual(shown, {
    id: made.id,
    object: 'webhook_endpoint',
    name: 'Hook',
    url: NEW.url,
    event_types: ['video.completed', 'video.failed'],
    signing_secret_hint: `whsec_…${secret.slice(-5)}`,
    created_at: made.created_at,
    updated_at: made.created_at,
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  });
  assert.ok(Math.abs(made.created_at - Date.now() / 1000) < 60);
  assert.deepEqual(await client.webhooks.retrieve(made.id), shown);

  const changed = await client.webhooks.update(made.id, { name: 'Other', event_types: ['video.failed'] });
  assert.deepEqual(
    [changed.name, changed.url, changed.event_types, changed.signing_secret_hint],
    ['Other', NEW.url, ['video.failed'], shown.signing_secret_hint],
  );
  assert.deepEqual(await client.webhooks.retrieve(made.id), changed);
  assert.deepEqual(await client.webhooks.update(made.id), changed);
  assert.deepEqual(await client.webhooks.update(made.id, null), changed);

  assert.deepEqual(await client.webhooks.delete(made.id), {
    id: made.id,
    object: 'webhook_endpoint.deleted',
    deleted: true,
  });
  for (const gone of [
    () => client.webhooks.retrieve(made.id),
    () => client.webhooks.delete(made.id),
    () => client.webhooks.rotateSecret(made.id),
  ])
    await assert.rejects(gone, { status: 404, code: 'not_found' });
  assert.deepEqual((await client.webhooks.list()).data, []);
});

test('openai 7 pages through endpoints, the newest first, past one that was deleted', async () => {
  const { client } = await newAccount();
  const ids: string[] = [];
  for (let number = 0; number < 5; number += 1)
    ids.unshift((await client.webhooks.create({ ...NEW, name: `n${number}` })).id);
  assert.deepEqual(
    (await Array.fromAsync(client.webhooks.list({ limit: 2 }))).map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    (await Array.fromAsync(client.webhooks.list({ after: null }))).map(({ id }) => id),
    ids,
  );
  const page = await client.webhooks.list({ limit: 2 });
  assert.deepEqual([page.has_more, page.data.length], [true, 2]);
  const [, second = '', ...rest] = ids;
  await client.webhooks.delete(second);
  const next = await client.webhooks.list({ after: second });
  assert.deepEqual(
    next.data.map(({ id }) => id),
    rest,
  );
});

test('openai 7 lists the types of events', async () => {
  const { client } = await newAccount();
  assert.deepEqual(await client.webhooks.eventTypes.list(), {
    object: 'list',
    data: ['video.completed', 'video.failed', 'budget.threshold_reached'],
  });
});

test('a person at the console has the endpoints of the account', async () => {
  const { account, client } = await newAccount();
  const session = await signIn(service, account);
  const { status, body } = await session.call('POST', ENDPOINTS, NEW);
  assert.equal(status, 200);
  assert.equal((await client.webhooks.retrieve(String(body.id))).name, 'Hook');
});

test('of many endpoints created at once an account gets ten, and one more for each that it deletes', async () => {
  const { access, client } = await newAccount();
  const create = () => call(access, 'POST', ENDPOINTS, { json: NEW });
  const crowd = longOr(14, 30);
  const answers = await Promise.all(Array.from({ length: crowd }, create));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, crowd - 10);
  for (const answer of refused) {
    assert.deepEqual([answer.status, readError(answer).code], [409, 'webhook_endpoint_limit']);
    assert.equal(answer.headers.get('x-should-retry'), 'false');
  }
  const { data } = await client.webhooks.list();
  assert.equal(data.length, 10);
  const [first] = data;
  // Twice at once: one of them finds nothing to delete, and only one place is free.
  const deleted = await Promise.all([1, 2].map(() => call(access, 'DELETE', `${ENDPOINTS}/${first?.id}`)));
  assert.deepEqual(deleted.map(({ status }) => status).toSorted(), [200, 404]);
  const again = await Promise.all([1, 2, 3].map(create));
  assert.deepEqual(again.map(({ status }) => status).toSorted(), [200, 409, 409]);
});

test('changes that come at the same time are all made', async () => {
  const { client } = await newAccount();
  const { id } = await client.webhooks.create(NEW);
  const names = ['a', 'b', 'c'];
  await Promise.all([
    ...names.map((name) => client.webhooks.update(id, { name })),
    client.webhooks.update(id, { event_types: ['video.failed'] }),
    client.webhooks.update(id, { url: 'https://hooks.example.com/other' }),
    client.webhooks.rotateSecret(id),
  ]);
  const after = await client.webhooks.retrieve(id);
  assert.ok(names.includes(after.name));
  assert.deepEqual([after.event_types, after.url], [['video.failed'], 'https://hooks.example.com/other']);
});

test('updated_at tells of changes alone', async () => {
  const { account, client } = await newAccount();
  const { id } = await client.webhooks.create(NEW);
  const stored = dynamoWebhookDescriptions(dynamo, service.webhookTables.endpoints, strictLogger);
  const times: (number | undefined)[] = [];
  const note = async () => times.push((await stored.describe(account, id))?.updatedAt);
  await note();
  for (const same of [{}, { name: NEW.name }, { url: NEW.url, event_types: NEW.event_types }])
    await client.webhooks.update(id, same);
  await note();
  await client.webhooks.update(id, { name: 'Another' });
  await note();
  await client.webhooks.rotateSecret(id);
  await note();
  const [made, unchanged, renamed = 0, rotated = 0] = times;
  assert.equal(unchanged, made);
  assert.ok(renamed > (made ?? 0) && rotated > renamed);
});

test('an update enables a disabled endpoint again', async () => {
  const { account, client, access } = await newAccount();
  const { id } = await client.webhooks.create(NEW);
  const stored = dynamoWebhookDescriptions(dynamo, service.webhookTables.endpoints, strictLogger);
  const read = await stored.describe(account, id);
  assert.ok(read !== undefined);
  const failingSince = Date.UTC(2026, 0, 1);
  await stored.saveHealth({ ...read, failingSince, disabled: { at: failingSince, reason: 'failing' } });
  const disabled = await call(access, 'GET', `${ENDPOINTS}/${id}`);
  assert.deepEqual(
    [disabled.body.status, disabled.body.disabled_reason, disabled.body.failing_since],
    ['disabled', 'failing', failingSince / 1000],
  );
  await client.webhooks.rotateSecret(id);
  assert.equal((await call(access, 'GET', `${ENDPOINTS}/${id}`)).body.status, 'disabled');
  const enabled = await call(access, 'POST', `${ENDPOINTS}/${id}`, { json: { name: NEW.name } });
  assert.deepEqual(
    [enabled.body.status, enabled.body.disabled_reason, enabled.body.failing_since],
    ['enabled', null, null],
  );
  assert.deepEqual((await call(access, 'GET', `${ENDPOINTS}/${id}`)).body, enabled.body);
});

describe('the secret of an endpoint', () => {
  test('is another one after each rotation, and the hint tells which', async () => {
    const { client } = await newAccount();
    const made = await client.webhooks.create(NEW);
    const rotated = await client.webhooks.rotateSecret(made.id);
    const kept = await client.webhooks.rotateSecret(made.id, { keep_old_secret_active_for_24_hours: true });
    const secrets = [made, rotated, kept].map(({ signing_secret }) => signing_secret);
    assert.equal(new Set(secrets).size, 3);
    const shown = await client.webhooks.retrieve(made.id);
    assert.equal(shown.signing_secret_hint, `whsec_…${kept.signing_secret.slice(-5)}`);
  });

  test('is told when it is made and at no other time, and is not in the table', async () => {
    const { account, client, access } = await newAccount();
    const made = await client.webhooks.create(NEW);
    const { signing_secret: second } = await client.webhooks.rotateSecret(made.id, {
      keep_old_secret_active_for_24_hours: true,
    });
    const answers = [
      await call(access, 'GET', ENDPOINTS),
      await call(access, 'GET', `${ENDPOINTS}/${made.id}`),
      await call(access, 'POST', `${ENDPOINTS}/${made.id}`, { json: { name: 'x' } }),
      await call(access, 'GET', `${ENDPOINTS}/${made.id}/deliveries`),
    ].map(({ body }) => JSON.stringify(body));
    const { Items = [] } = await dynamo.send(
      new QueryCommand({
        TableName: service.webhookTables.endpoints,
        KeyConditionExpression: 'account = :account',
        ExpressionAttributeValues: { ':account': { S: account } },
      }),
    );
    assert.deepEqual(Items.map(({ id }) => id?.S).toSorted(), ['count', made.id]);
    const raw = JSON.stringify(Items);
    assert.ok(raw.includes('oldSecret'));
    for (const secret of [made.signing_secret, second])
      for (const text of [...answers, raw]) assert.ok(!text.includes(secret.slice(6, 40)));
  });
});

test('another account’s endpoint is as unknown as one that never was', async () => {
  const [owner, other] = [await newAccount(), await newAccount()];
  const { id } = await owner.client.webhooks.create(NEW);
  const delivery = `wd_${'0'.repeat(26)}`;
  const ROUTES: readonly (readonly [method: string, rest: string, json?: unknown])[] = [
    ['GET', ''],
    ['POST', '', { name: 'mine' }],
    ['DELETE', ''],
    ['POST', '/rotate_secret', {}],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/${delivery}/resend`],
  ];
  for (const [method, rest, json] of ROUTES)
    for (const wrong of [id, `we_${'0'.repeat(26)}`, 'count', 'we_', '%F0%9F%98%80', 'x'.repeat(2000)]) {
      const answer = await call(
        other.access,
        method,
        `${ENDPOINTS}/${wrong}${rest}`,
        json === undefined ? {} : { json },
      );
      const { code, param, message } = readError(answer);
      assert.deepEqual([answer.status, code, param], [404, 'not_found', 'webhook_endpoint_id'], wrong);
      assert.ok(message.length < 120);
    }
  assert.equal((await owner.client.webhooks.retrieve(id)).name, 'Hook');
  assert.equal(readId(await call(owner.access, 'GET', `${ENDPOINTS}/${id}`)), id);
});
