import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toMarker, toItem as toTaskItem } from '../../../functions/videos/adapters/task-item.ts';
import { toItem as toDeliveryItem } from '../../../functions/webhooks/adapters/dynamo-webhook-deliveries.ts';
import { aTask } from '../../support/builders/task.ts';
import { aWebhookDelivery } from '../../support/builders/webhook.ts';
import { findResources, sharedTemplate } from './synthesized-template.ts';

const template = await sharedTemplate();

type Index = {
  readonly IndexName: string;
  readonly KeySchema: readonly { readonly AttributeName: string }[];
  readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
};

const keyNames = ({ KeySchema }: Pick<Index, 'KeySchema'>): string =>
  KeySchema.map(({ AttributeName }) => AttributeName).join(' ');

const tables = new Map(
  findResources(template, 'AWS::DynamoDB::Table').map(([id, { Properties }]) => {
    const { KeySchema, TimeToLiveSpecification, GlobalSecondaryIndexes = [] } = Object(Properties);
    const indexes: readonly Index[] = GlobalSecondaryIndexes;
    return [id.replace(/Table[0-9A-F]{8}$/, ''), { KeySchema, TimeToLiveSpecification, indexes }];
  }),
);

/** A table, its key, the attribute by which DynamoDB removes items, and the keys of its indexes. */
const TABLES: readonly (readonly [
  name: string,
  key: string,
  expires: string | undefined,
  ...indexes: string[],
])[] = [
  ['Accounts', 'account', undefined],
  ['Audit', 'account id', 'expires'],
  ['Charges', 'id', undefined, 'by-account account time'],
  ['Files', 'account id', 'expires', 'due due_shard due_at'],
  ['Keys', 'hash', undefined, 'by-account account createdAt'],
  ['Members', 'account id', 'expires', 'by-person id account', 'by-email invitedEmail'],
  ['Reservations', 'taskId', undefined, 'due due_shard due_at'],
  ['Sessions', 'id', 'expires', 'by-account account createdAt'],
  ['Shares', 'id', 'expires', 'by-account account id'],
  ['Tasks', 'id', 'expires', 'by-account account position', 'due due_shard due_at'],
  ['Usage', 'account entry', undefined],
  ['WebhookDeliveries', 'endpointId id', 'expires', 'due due_shard due_at'],
  ['WebhookEndpoints', 'account id', undefined],
];

test('the stack has these tables', () => {
  assert.deepEqual(
    [...tables.keys()].toSorted(),
    TABLES.map(([name]) => name),
  );
});

for (const [name, key, expires, ...indexes] of TABLES)
  test(`${name} has the key ${key}, ${expires ?? 'no attribute'} for its time to live, and ${indexes.length} indexes`, () => {
    const table = tables.get(name) ?? assert.fail();
    assert.equal(keyNames(table), key);
    assert.deepEqual(
      table.TimeToLiveSpecification,
      expires === undefined ? undefined : { AttributeName: expires, Enabled: true },
    );
    assert.deepEqual(
      table.indexes.map((index) => `${index.IndexName} ${keyNames(index)}`),
      indexes,
    );
  });

describe('an item has every attribute that keys, indexes and expiry use', () => {
  const NOW = 1_800_000_000_000;
  const DAY = 86_400;

  for (const [name, item] of [
    ['Tasks', toTaskItem(aTask({ ticket: 1, work: { kind: 'wait', dueAt: NOW } }))],
    ['WebhookDeliveries', toDeliveryItem(aWebhookDelivery('we_1'))],
  ] as const)
    test(`of ${name}`, () => {
      const { KeySchema, indexes } = tables.get(name) ?? assert.fail();
      // Counted up by the sweeper alone.
      const projected = indexes.flatMap(({ Projection }) => Projection.NonKeyAttributes ?? []);
      const read = [{ KeySchema }, ...indexes].flatMap((index) => keyNames(index).split(' '));
      const wanted = [...read, ...projected, 'expires'].filter((attribute) => attribute !== 'sweeps');
      assert.deepEqual(
        wanted.filter((attribute) => item[attribute] === undefined),
        [],
      );
    });

  test('with its expiry in seconds: 90 days after the file or the creation of a task', () => {
    assert.deepEqual(toTaskItem(aTask({ createdAt: NOW })).expires, { N: String(NOW / 1000 + 90 * DAY) });
    const completed = aTask({ createdAt: 1, expiresAt: NOW + 999 });
    assert.deepEqual(toTaskItem(completed).expires, { N: String(NOW / 1000 + 90 * DAY) });
  });

  test('with its expiry in seconds: one day for the marker of a removed task', () => {
    assert.deepEqual(toMarker(aTask(), NOW).expires, { N: String(NOW / 1000 + DAY) });
  });

  test('with its expiry in seconds: not before the end of a delivery', () => {
    const delivery = aWebhookDelivery('we_1', undefined, { expiresAt: NOW + 1 });
    assert.deepEqual(toDeliveryItem(delivery).expires, { N: String(NOW / 1000 + 1) });
  });
});

test('an index projects whole items, or the attributes that the sweeper reads', () => {
  const projections = [...tables].flatMap(([name, { indexes }]) =>
    indexes.map(({ IndexName, Projection: { ProjectionType, NonKeyAttributes = [] } }) => [
      `${name} ${IndexName}`,
      [ProjectionType, ...NonKeyAttributes].join(' '),
    ]),
  );
  assert.deepEqual(Object.fromEntries(projections), {
    'Charges by-account': 'ALL',
    'Files due': 'ALL',
    'Keys by-account': 'ALL',
    'Members by-email': 'ALL',
    'Members by-person': 'ALL',
    'Reservations due': 'ALL',
    'Sessions by-account': 'ALL',
    'Shares by-account': 'ALL',
    'Tasks by-account': 'ALL',
    'Tasks due': 'INCLUDE step sweeps account deadline needs',
    'WebhookDeliveries due': 'INCLUDE attempts account',
  });
});
