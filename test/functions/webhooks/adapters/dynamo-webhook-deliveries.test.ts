import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  dynamoWebhookDeliveries,
  toItem,
} from '../../../../functions/webhooks/adapters/dynamo-webhook-deliveries.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aBudgetEvent, aWebhookDelivery, aWebhookEvent } from '../../../support/builders/webhook.ts';
import { describeStores } from '../../../support/contract.ts';
import { callAtOnce } from '../../../support/in-memory/call.ts';
import { deliveriesPort, MemoryDeliveries } from '../../../support/in-memory/webhooks.ts';
import { recordingLogger, strictLogger } from '../../../support/loggers.ts';
import { createWebhookTables } from '../../../support/webhook-tables.ts';

const { clients } = await sharedEmulators();
const tables = await createWebhookTables(clients.dynamo, 'deliveries');
const stores = {
  memory: deliveriesPort(new MemoryDeliveries(), callAtOnce),
  dynamo: dynamoWebhookDeliveries(clients.dynamo, tables.deliveries, strictLogger),
};
const NOW = Date.now();

describeStores('a delivery', stores, (deliveries: typeof stores.memory) => {
  test('is added once, and can be read', async () => {
    const delivery = aWebhookDelivery('we_once', aWebhookEvent());
    const tried = {
      ...delivery,
      attempts: 1,
      lastAttempt: { at: NOW, durationMs: 12, statusCode: 500, answer: 'no', error: undefined },
    };
    await deliveries.add(delivery);
    assert.equal(await deliveries.save(tried, 0), true);
    await deliveries.add(delivery);
    assert.deepEqual(await deliveries.find('we_once', delivery.id), tried);
    assert.equal(await deliveries.find('we_other', delivery.id), undefined);
  });

  test('of an event of a budget can be read', async () => {
    const delivery = aWebhookDelivery('we_budget', aBudgetEvent());
    await deliveries.add(delivery);
    assert.deepEqual(await deliveries.find('we_budget', delivery.id), delivery);
  });

  test('is saved by only one of two workers that read the same state', async () => {
    const delivery = aWebhookDelivery('we_raced', aWebhookEvent());
    await deliveries.add(delivery);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => deliveries.save({ ...delivery, attempts: 1 }, 0)),
    );
    assert.equal(outcomes.filter((isWritten) => isWritten).length, 1);
    assert.equal(await deliveries.save(aWebhookDelivery('we_gone'), 0), false);
  });

  test('is postponed if no attempt has begun, and does not change otherwise', async () => {
    const delivery = aWebhookDelivery('we_late', aWebhookEvent(), { nextAt: 10 });
    const { id, endpointId } = delivery;
    const due = { id, endpointId, attempts: 0, account: 'acme' };
    await deliveries.add(delivery);
    assert.equal(await deliveries.postpone({ ...due, endpointId: 'we_none' }, 20), false);
    assert.equal(await deliveries.postpone(due, 5), true);
    assert.deepEqual(await deliveries.find('we_late', id), { ...delivery, nextAt: 5 });
    assert.deepEqual(await Array.fromAsync(deliveries.due(6)), [due]);
    assert.equal(await deliveries.save({ ...delivery, attempts: 1 }, 0), true);
    assert.equal(await deliveries.postpone(due, 20), false);
    const ended = { ...delivery, status: 'delivered', nextAt: undefined, attempts: 1 } as const;
    assert.equal(await deliveries.save(ended, 1), true);
    assert.equal(await deliveries.postpone({ ...due, attempts: 1 }, 20), false);
    assert.deepEqual(await deliveries.find('we_late', id), ended);
  });

  test('is due when its next attempt is', async () => {
    const due = Array.from({ length: 9 }, (_, number) =>
      aWebhookDelivery('we_due', aWebhookEvent({ id: `evt_${number}` }), {
        nextAt: 1000 + number,
        attempts: number,
      }),
    );
    const ended = aWebhookDelivery('we_due', aWebhookEvent({ id: 'ended' }), {
      status: 'delivered',
      nextAt: undefined,
    });
    for (const delivery of [...due, ended]) await deliveries.add(delivery);
    const found = await Array.fromAsync(deliveries.due(1004));
    assert.deepEqual(
      found.toSorted((one, other) => one.attempts - other.attempts),
      due.slice(0, 5).map(({ id, attempts }) => ({ id, endpointId: 'we_due', attempts, account: 'acme' })),
    );
  });
});

test('a delivery in DynamoDB is in the index only while it is due, and expires in seconds', () => {
  const delivery = aWebhookDelivery('we_item', aWebhookEvent(), { nextAt: 7, attempts: 3, expiresAt: 1001 });
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

test('a delivery whose item has another id is corrupt, and is left out of pages', async () => {
  const Item = { ...toItem(aWebhookDelivery('we_corrupt')), id: { S: 'wd_other' } };
  await clients.dynamo.send(new PutItemCommand({ TableName: tables.deliveries, Item }));
  const { logger, errors } = recordingLogger();
  const { find, page } = dynamoWebhookDeliveries(clients.dynamo, tables.deliveries, logger);
  await assert.rejects(find('we_corrupt', 'wd_other'), /corrupt: delivery\.id$/);
  assert.deepEqual(await page('we_corrupt', 5, undefined), { items: [], hasMore: false });
  assert.deepEqual(errors[0]?.fields, { table: tables.deliveries, key: 'we_corrupt/wd_other' });
});

test('pages are newest first, continue after a delivery, and end at expired deliveries', async () => {
  const DAY = 86_400_000;
  const ages = [31, 30, 29, 3, 2, 1];
  const all = ages.map((days) =>
    aWebhookDelivery('we_paged', aWebhookEvent({ id: `evt_${days}`, createdAt: NOW - days * DAY })),
  );
  for (const delivery of all) await stores.dynamo.add(delivery);
  const [, , oldest, ...rest] = all.map(({ id }) => id);
  const newestFirst = [oldest, ...rest].toReversed();
  const seen: string[] = [];
  let after: string | undefined;
  for (const more of [true, true, false]) {
    const page = await stores.dynamo.page('we_paged', 2, after);
    seen.push(...page.items.map(({ id }) => id));
    after = seen.at(-1);
    assert.equal(page.hasMore, more && seen.length < newestFirst.length);
  }
  assert.deepEqual(seen, newestFirst);
  assert.equal(await stores.dynamo.find('we_paged', all[0]?.id ?? ''), undefined);
});
