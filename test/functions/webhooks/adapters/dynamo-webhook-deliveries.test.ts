import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toDeliveryId } from '../../../../functions/platform/domain/ids.ts';
import {
  dynamoWebhookDeliveries,
  toItem,
} from '../../../../functions/webhooks/adapters/dynamo-webhook-deliveries.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aWebhookDelivery, aWebhookEvent } from '../../../support/builders/webhook.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { createWebhookTables } from '../../../support/webhook-tables.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const { deliveries: table } = await createWebhookTables(client, 'paged');
const deliveries = dynamoWebhookDeliveries(client, table, strictLogger);
const NOW = Date.now();

describe('a delivery', () => {
  test('is in the index only while it is due, and expires in seconds', () => {
    const delivery = aWebhookDelivery('we_item', aWebhookEvent(), {
      nextAt: 7,
      attempts: 3,
      expiresAt: 1001,
    });
    const { due_shard, delivery: _, ...item } = toItem(delivery);
    assert.match(due_shard?.S ?? due_shard?.N ?? '', /\d$/);
    assert.deepEqual(item, {
      endpointId: { S: 'we_item' },
      id: { S: delivery.id },
      account: { S: delivery.event.account },
      attempts: { N: '3' },
      due_at: { N: '7' },
      expires: { N: '2' },
    });
    const ended = toItem({ ...delivery, nextAt: undefined });
    assert.deepEqual([ended.due_shard, ended.due_at], [undefined, undefined]);
  });

  test('has an id that is derived from endpoint and event and sorts by time', () => {
    const [event, later] = [aWebhookEvent({ createdAt: NOW }), aWebhookEvent({ createdAt: NOW + 1 })];
    assert.equal(toDeliveryId('we_1', event), toDeliveryId('we_1', { ...event }));
    assert.notEqual(toDeliveryId('we_1', event), toDeliveryId('we_2', event));
    assert.notEqual(toDeliveryId('we_1', event), toDeliveryId('we_1', { ...event, id: 'evt_2' }));
    for (let number = 0; number < 50; number += 1)
      assert.ok(toDeliveryId(`we_${number}`, event) < toDeliveryId('we_1', later));
  });
});

test('pages are newest first, continue after a delivery, and end at expired deliveries', async () => {
  const DAY = 86_400_000;
  const ages = [31, 30, 29, 3, 2, 1];
  const all = ages.map((days) =>
    aWebhookDelivery('we_paged', aWebhookEvent({ id: `evt_${days}`, createdAt: NOW - days * DAY })),
  );
  for (const delivery of all) await deliveries.add(delivery);
  const [, , oldest, ...rest] = all.map(({ id }) => id);
  const newestFirst = [oldest, ...rest].toReversed();
  const seen: string[] = [];
  let after: string | undefined;
  for (const more of [true, true, false]) {
    const page = await deliveries.page('we_paged', 2, after);
    seen.push(...page.deliveries.map(({ id }) => id));
    after = seen.at(-1);
    assert.equal(page.hasMore, more && seen.length < newestFirst.length);
  }
  assert.deepEqual(seen, newestFirst);
  assert.equal(await deliveries.find('we_paged', all[0]?.id ?? ''), undefined);
});
