import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import {
  dynamoCollectionChanges,
  dynamoCollections,
} from '../../../../functions/library/adapters/dynamo-collections.ts';
import type { Collection } from '../../../../functions/library/domain/collections.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { answeringDynamo } from '../../../support/answering-dynamo.ts';
import { anAuditEntry } from '../../../support/audit.ts';
import { strictLogger } from '../../../support/loggers.ts';

const COLLECTION: Collection = {
  id: 'collection_1',
  account: 'acme',
  name: 'Boats',
  itemIds: ['task_1', 'file_2'],
  coverId: 'file_2',
  createdAt: 1,
  updatedAt: 2,
};
const TableName = 'files';
const Key = encode({ account: 'acme', id: 'collection_1' });

describe('collections', () => {
  test('are read from all pages, without unreadable ones', async (context) => {
    const { coverId: _, ...plain } = COLLECTION;
    const { itemIds: __, ...broken } = COLLECTION;
    const { client, inputs } = answeringDynamo(
      context,
      { Items: [encode(COLLECTION), encode(broken)], LastEvaluatedKey: Key },
      { Items: [encode(plain)] },
    );
    const logged: unknown[] = [];
    const logger = { error: (event: string) => void logged.push(event) };
    assert.deepEqual(await dynamoCollections(client, TableName, logger).list('acme'), [
      COLLECTION,
      { ...plain, coverId: undefined },
    ]);
    assert.equal(logged.length, 1);
    const query = {
      TableName,
      KeyConditionExpression: 'account = :account AND begins_with(id, :prefix)',
      ExpressionAttributeValues: encode({ ':account': 'acme', ':prefix': 'collection_' }),
      ConsistentRead: true,
    };
    assert.deepEqual(inputs, [
      { ...query, ExclusiveStartKey: undefined },
      { ...query, ExclusiveStartKey: Key },
    ]);
  });

  test('are found by id, as they are now', async (context) => {
    const { client, inputs } = answeringDynamo(context, { Item: encode(COLLECTION) }, {});
    const { find } = dynamoCollections(client, TableName, strictLogger);
    assert.deepEqual(await find('acme', 'collection_1'), COLLECTION);
    assert.equal(await find('acme', 'collection_1'), undefined);
    assert.deepEqual(inputs[0], { TableName, Key, ConsistentRead: true });
  });

  test('change only if they are as they were read', async () => {
    const entry = anAuditEntry();
    const written: (readonly TransactWriteItem[])[] = [];
    const changes = (failed: readonly undefined[]) =>
      dynamoCollectionChanges(TableName, {
        record: () => assert.fail(),
        write: async (items, given) => {
          assert.equal(given, entry);
          written.push(items);
          return failed;
        },
      });
    const next = { ...COLLECTION, updatedAt: 3 };
    await changes([]).create(COLLECTION, entry);
    assert.equal(await changes([]).replace(next, COLLECTION, entry), true);
    assert.equal(await changes([]).remove(COLLECTION, entry), true);
    const isUnchanged = {
      ConditionExpression: 'updatedAt = :updated',
      ExpressionAttributeValues: encode({ ':updated': 2 }),
    };
    assert.deepEqual(written, [
      [{ Put: { TableName, Item: encode(COLLECTION), ConditionExpression: 'attribute_not_exists(id)' } }],
      [{ Put: { TableName, Item: encode(next), ...isUnchanged } }],
      [{ Delete: { TableName, Key, ...isUnchanged } }],
    ]);
    assert.equal(await changes([undefined]).replace(next, COLLECTION, entry), false);
    assert.equal(await changes([undefined]).remove(COLLECTION, entry), false);
    await assert.rejects(changes([undefined]).create(COLLECTION, entry), /taken/);
  });
});
