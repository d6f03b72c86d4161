import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { sealedText } from '../../../../functions/platform/aws/secret.ts';
import {
  dynamoWebhookChanges,
  dynamoWebhookEndpoints,
  dynamoWebhookSecrets,
} from '../../../../functions/webhooks/adapters/dynamo-webhook-endpoints.ts';
import { newSigningSecret, toSecretHint } from '../../../../functions/webhooks/domain/webhook-signature.ts';
import type { WebhookDescription, WebhookEndpoint } from '../../../../functions/webhooks/domain/webhooks.ts';
import type { Deliverer } from '../../../../functions/webhooks/usecases/deliver-webhooks.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAuditEntry, createAuditTable } from '../../../support/audit.ts';
import { aWebhookEndpoint } from '../../../support/builders/webhook.ts';
import { describeStores } from '../../../support/contract.ts';
import { callAtOnce } from '../../../support/in-memory/call.ts';
import { endpointsPort, MemoryEndpoints } from '../../../support/in-memory/webhooks.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { createWebhookTables } from '../../../support/webhook-tables.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const { endpoints: table } = await createWebhookTables(client, 'adapter');
const { audit } = await createAuditTable(client, 'adapter');
const sealed = sealedText(async () => 'key');
const endpoints = {
  ...dynamoWebhookEndpoints(client, table, sealed, strictLogger),
  ...dynamoWebhookChanges(table, audit),
  ...dynamoWebhookSecrets(table, sealed, audit),
};

const described = ({ secret, oldSecret: _, ...rest }: WebhookEndpoint): WebhookDescription => ({
  ...rest,
  secretHint: toSecretHint(secret),
});
const added = async (change: Partial<WebhookEndpoint>): Promise<WebhookEndpoint> => {
  const endpoint = aWebhookEndpoint(change);
  assert.equal(await endpoints.add(endpoint, anAuditEntry()), true);
  return endpoint;
};

const storedItem = async (account: string, id: string) =>
  (await client.send(new GetItemCommand({ TableName: table, Key: encode({ account, id }) }))).Item ?? {};

describe('the endpoints of an account', () => {
  test('are at most ten, even with concurrent additions and removals', async () => {
    const all = Array.from({ length: 25 }, () => aWebhookEndpoint({ account: 'greedy' }));
    const outcomes = await Promise.all(all.map((endpoint) => endpoints.add(endpoint, anAuditEntry())));
    assert.equal(outcomes.filter((isAdded) => isAdded).length, 10);
    const listed = await endpoints.list('greedy');
    assert.equal(listed.length, 10);
    const removed = await Promise.all(
      [...listed.slice(0, 4), ...listed.slice(0, 4)].map(({ id }) =>
        endpoints.remove('greedy', id, anAuditEntry()),
      ),
    );
    assert.equal(removed.filter((isRemoved) => isRemoved).length, 4);
    const again = await Promise.all(
      Array.from({ length: 6 }, () => endpoints.add(aWebhookEndpoint({ account: 'greedy' }), anAuditEntry())),
    );
    assert.equal(again.filter((isAdded) => isAdded).length, 4);
    assert.equal((await endpoints.list('greedy')).length, 10);
  });

  test('are neither found nor removed by another account, and neither is the counter', async () => {
    const endpoint = await added({ account: 'remover' });
    const { id } = endpoint;
    assert.deepEqual(await endpoints.describe('remover', id), described(endpoint));
    for (const [account, missing] of [
      ['remover', 'we_missing'],
      ['other', id],
      ['remover', 'count'],
    ] as const)
      assert.deepEqual(
        [
          await endpoints.remove(account, missing, anAuditEntry()),
          await endpoints.describe(account, missing),
        ],
        [false, undefined],
      );
    assert.equal((await endpoints.list('remover')).length, 1);
  });
});

describe('a change of an endpoint', () => {
  test('is made by only one of two requests that read the same state', async () => {
    const read = described(await added({ account: 'racer' }));
    const updatedAt = read.updatedAt + 1;
    const outcomes = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        endpoints.change({ ...read, name, updatedAt }, read, anAuditEntry()),
      ),
    );
    assert.equal(outcomes.filter((isWritten) => isWritten).length, 1);
  });

  test('keeps its health, unless that is reset, and its secret', async () => {
    const endpoint = await added({ account: 'patient' });
    const read = described(endpoint);
    const disabled = { at: 20, reason: 'failing' } as const;
    const health = { failingSince: 10, respondsQuickly: true, disabled };
    await endpoints.saveHealth({ ...read, ...health });
    const change = { name: 'other', eventTypes: ['video.failed'], updatedAt: read.updatedAt + 1 } as const;
    const renamed = { ...read, ...change };
    assert.equal(await endpoints.change(renamed, read, anAuditEntry()), true);
    assert.deepEqual(await endpoints.find('patient', read.id), { ...endpoint, ...change, ...health });
    const ill = await endpoints.describe('patient', read.id);
    assert.ok(ill !== undefined);
    const healthy = { failingSince: undefined, respondsQuickly: undefined, disabled: undefined };
    const freed = { ...ill, ...healthy, updatedAt: ill.updatedAt + 1 };
    assert.equal(await endpoints.change(freed, ill, anAuditEntry()), true);
    assert.deepEqual(await endpoints.describe('patient', read.id), freed);
    assert.ok(!('failingSince' in (await storedItem('patient', read.id))));
  });

  test('makes later health updates of the previous version void', async () => {
    const read = described(await added({ account: 'late' }));
    const next = { ...read, url: 'https://example.com/new', updatedAt: read.updatedAt + 1 };
    await endpoints.change(next, read, anAuditEntry());
    await endpoints.saveHealth({ ...read, failingSince: 10 });
    assert.deepEqual(await endpoints.describe('late', read.id), next);
    await endpoints.remove('late', read.id, anAuditEntry());
    await endpoints.saveHealth({ ...next, failingSince: 10 });
    assert.deepEqual(await endpoints.list('late'), []);
    assert.equal(await endpoints.change({ ...next, updatedAt: 9 }, next, anAuditEntry()), false);
  });
});

describe('the secret of an endpoint', () => {
  test('is encrypted in the table, like the old one', async () => {
    const endpoint = await added({ account: 'secretive' });
    const secret = newSigningSecret();
    await endpoints.rotate(described(endpoint), { secret, updatedAt: 9 }, 10, anAuditEntry());
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
    assert.ok(Items.length > 0);
    const raw = JSON.stringify(Items);
    for (const value of [endpoint.secret, secret])
      for (const form of [value, value.slice('whsec_'.length), Buffer.from(value).toString('base64')])
        assert.ok(!raw.includes(form));
  });

  test('is kept next to the new one for the given time', async () => {
    const endpoint = await added({ account: 'rotator' });
    const at = endpoint.updatedAt;
    const rotate = (read: WebhookEndpoint, secret: string, updatedAt: number, until?: number) =>
      endpoints.rotate(described(read), { secret, updatedAt }, until, anAuditEntry());
    const found = () => endpoints.find('rotator', endpoint.id);
    assert.equal(await rotate(endpoint, 'whsec_two', at + 1, at + 500), true);
    const oldSecret = { value: endpoint.secret, until: at + 500 };
    const rotated = { ...endpoint, secret: 'whsec_two', oldSecret, updatedAt: at + 1 };
    assert.deepEqual(await found(), rotated);
    assert.equal(await rotate(endpoint, 'whsec_three', at + 2), false);
    assert.equal(await rotate(rotated, 'whsec_three', at + 2), true);
    const last = { ...rotated, secret: 'whsec_three', oldSecret: undefined, updatedAt: at + 2 };
    assert.deepEqual(await found(), last);
    const item = await storedItem('rotator', endpoint.id);
    assert.ok(!('oldSecret' in item) && !('oldSecretUntil' in item));
  });
});

type Open = (endpoints: readonly WebhookEndpoint[]) => Promise<Deliverer['endpoints']>;
const stores: Record<'memory' | 'dynamo', Open> = {
  memory: async (endpoints) => endpointsPort(new MemoryEndpoints(endpoints), callAtOnce),
  dynamo: async (given) => {
    for (const endpoint of given) await added(endpoint);
    return endpoints;
  },
};

describeStores('the endpoints of deliveries', stores, (open) => {
  test('are found by their account only, and listed newest first without their secrets', async () => {
    const all = [1000, 3000, 2000].map((createdAt) => aWebhookEndpoint({ account: 'lister', createdAt }));
    const endpoints = await open([...all, aWebhookEndpoint({ account: 'another' })]);
    const [first = assert.fail(), third, second] = all;
    assert.deepEqual(await endpoints.find('lister', first.id), first);
    assert.equal(await endpoints.find('other', first.id), undefined);
    const listed = await endpoints.list('lister');
    const ids = listed.map(({ id }) => id);
    assert.deepEqual(ids, [third?.id, second?.id, first.id]);
    const { secret, oldSecret: _, ...rest } = first;
    assert.deepEqual(listed.at(-1), { ...rest, secretHint: `whsec_…${secret.slice(-5)}` });
  });

  test('have a health that is written for the version that was read', async () => {
    const endpoint = aWebhookEndpoint({ account: 'healed' });
    const endpoints = await open([endpoint]);
    const disabled = { at: 20, reason: 'failing' } as const;
    const ill = { ...endpoint, failingSince: 10, respondsQuickly: true, disabled };
    await endpoints.saveHealth({ ...ill, updatedAt: endpoint.updatedAt - 1 });
    assert.deepEqual(await endpoints.find('healed', endpoint.id), endpoint);
    await endpoints.saveHealth(ill);
    assert.deepEqual(await endpoints.find('healed', endpoint.id), ill);
    await endpoints.saveHealth(endpoint);
    assert.deepEqual(await endpoints.find('healed', endpoint.id), endpoint);
    await endpoints.saveHealth({ ...ill, id: 'we_none' });
    assert.equal(await endpoints.find('healed', 'we_none'), undefined);
  });
});
