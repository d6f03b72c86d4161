import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toItem as toTaskItem } from '../../../functions/videos/adapters/task-item.ts';
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

/** An index of whole items needs no further words. */
const describeIndex = ({ IndexName, KeySchema, Projection }: Index): string => {
  const { ProjectionType, NonKeyAttributes = [] } = Projection;
  const projected = ProjectionType === 'ALL' ? [] : ['of', ...NonKeyAttributes];
  return [IndexName, keyNames({ KeySchema }), ...projected].join(' ');
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
  [
    'Tasks',
    'id',
    'expires',
    'by-account account position',
    'due due_shard due_at of step sweeps account deadline needs',
  ],
  ['Usage', 'account entry', undefined],
  ['WebhookDeliveries', 'endpointId id', 'expires', 'due due_shard due_at of attempts account'],
  ['WebhookEndpoints', 'account id', undefined],
];

test('the stack has these tables', () => {
  const names = TABLES.map(([name]) => name);
  assert.deepEqual([...tables.keys()].toSorted(), names);
});

for (const [name, key, expires, ...indexes] of TABLES)
  test(`${name} has the key ${key}, ${expires ?? 'no attribute'} for its time to live, and ${indexes.length} indexes`, () => {
    const table = tables.get(name) ?? assert.fail();
    assert.equal(keyNames(table), key);
    assert.deepEqual(
      table.TimeToLiveSpecification,
      expires === undefined ? undefined : { AttributeName: expires, Enabled: true },
    );
    assert.deepEqual(table.indexes.map(describeIndex), indexes);
  });

describe('an item has every attribute that keys, indexes and expiry use', () => {
  for (const [name, item] of [
    ['Tasks', toTaskItem(aTask({ ticket: 1, work: { kind: 'wait', dueAt: 1_800_000_000_000 } }))],
    ['WebhookDeliveries', toDeliveryItem(aWebhookDelivery('we_1'))],
  ] as const)
    test(`of ${name}`, () => {
      const { KeySchema, indexes } = tables.get(name) ?? assert.fail();
      // Counted up by the sweeper alone.
      const projected = indexes.flatMap(({ Projection }) => Projection.NonKeyAttributes ?? []);
      const read = [{ KeySchema }, ...indexes].flatMap((index) => keyNames(index).split(' '));
      const wanted = [...read, ...projected, 'expires'].filter((attribute) => attribute !== 'sweeps');
      const missing = wanted.filter((attribute) => item[attribute] === undefined);
      assert.deepEqual(missing, []);
    });
});
