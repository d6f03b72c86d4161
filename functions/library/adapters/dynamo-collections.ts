import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import { type Attributes, corrupt, encode, optional, text, time } from '../../platform/aws/attributes.ts';
import { allItems, skipUnreadable } from '../../platform/aws/items.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { Collection, CollectionChanges, Collections } from '../domain/collections.ts';

/** Collections are in the table of files, where their ids sort before those of files. */

const readIds = (item: Attributes, name: string): readonly string[] => {
  const list = item[name]?.L;
  if (list === undefined) throw corrupt(name);
  return list.map((id) => text({ [name]: id }, name));
};

export const readCollection = (item: Attributes): Collection =>
  ({
    id: text(item, 'id'),
    account: text(item, 'account'),
    name: text(item, 'name'),
    itemIds: readIds(item, 'itemIds'),
    coverId: optional(item, 'coverId', text),
    createdAt: time(item, 'createdAt'),
    updatedAt: time(item, 'updatedAt'),
  }) satisfies { readonly [Property in keyof Required<Collection>]: Collection[Property] };

export const dynamoCollections = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): Collections => ({
  list: (account) =>
    Array.fromAsync(
      allItems(
        (start) =>
          client.send(
            new QueryCommand({
              TableName: table,
              KeyConditionExpression: 'account = :account AND begins_with(id, :prefix)',
              ExpressionAttributeValues: encode({ ':account': account, ':prefix': 'collection_' }),
              ConsistentRead: true,
              ExclusiveStartKey: start,
            }),
          ),
        skipUnreadable({ logger, table, key: ['account', 'id'] }, readCollection),
      ),
    ),

  find: async (account, id) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ account, id }), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : readCollection(Item);
  },
});

export const dynamoCollectionChanges = (table: string, audit: AuditTrail): CollectionChanges => {
  const isUnchanged = ({ updatedAt }: Collection) => ({
    ConditionExpression: 'updatedAt = :updated',
    ExpressionAttributeValues: encode({ ':updated': updatedAt }),
  });
  return {
    create: async (collection, entry) => {
      const Put = {
        TableName: table,
        Item: encode(collection),
        ConditionExpression: 'attribute_not_exists(id)',
      };
      const failed = await audit.write([{ Put }], entry);
      if (failed.length > 0) throw new Error('the id of a new collection is taken');
    },
    replace: async (next, before, entry) => {
      const Put = { TableName: table, Item: encode(next), ...isUnchanged(before) };
      return (await audit.write([{ Put }], entry)).length === 0;
    },
    remove: async (collection, entry) => {
      const { account, id } = collection;
      const Delete = { TableName: table, Key: encode({ account, id }), ...isUnchanged(collection) };
      return (await audit.write([{ Delete }], entry)).length === 0;
    },
  };
};
