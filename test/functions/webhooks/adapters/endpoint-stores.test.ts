import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealedText } from '../../../../functions/platform/aws/secret.ts';
import {
  dynamoWebhookEndpoints,
  dynamoWebhookSecrets,
} from '../../../../functions/webhooks/adapters/dynamo-webhook-endpoints.ts';
import type { WebhookEndpoint } from '../../../../functions/webhooks/domain/webhooks.ts';
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
const { endpoints: table } = await createWebhookTables(clients.dynamo, 'endpoint-stores');
const { audit } = await createAuditTable(clients.dynamo, 'endpoint-stores');
const sealed = sealedText(async () => 'key');

type Open = (endpoints: readonly WebhookEndpoint[]) => Promise<Deliverer['endpoints']>;
const stores: Record<'memory' | 'dynamo', Open> = {
  memory: async (endpoints) => endpointsPort(new MemoryEndpoints(endpoints), callAtOnce),
  dynamo: async (endpoints) => {
    const { add } = dynamoWebhookSecrets(table, sealed, audit);
    for (const endpoint of endpoints) assert.equal(await add(endpoint, anAuditEntry()), true);
    return dynamoWebhookEndpoints(clients.dynamo, table, sealed, strictLogger);
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
    assert.deepEqual(
      listed.map(({ id }) => id),
      [third?.id, second?.id, first.id],
    );
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
