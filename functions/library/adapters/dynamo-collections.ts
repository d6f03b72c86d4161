import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import { type Attributes, corrupt, encode, optional, text, time } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { putWrite, removeWrite } from '../../platform/aws/table-writes.ts';
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
  tableName: string,
  logger: Pick<Logger, 'error'>,
): Collections => {
  const table = dynamoTable(client, tableName, { logger, key: ['account', 'id'] });
  return {
    list: (account) =>
      table.list(
        {
          where: 'account = :account AND begins_with(id, :prefix)',
          values: { account, prefix: 'collection_' },
          consistent: true,
        },
        readCollection,
      ),
    find: (account, id) => table.get({ account, id }, readCollection),
  };
};

export const dynamoCollectionChanges = (table: string, audit: AuditTrail): CollectionChanges => {
  const isUnchanged = ({ updatedAt }: Collection) => ({
    when: 'updatedAt = :updated',
    values: { updated: updatedAt },
  });
  return {
    create: async (collection, entry) => {
      const write = putWrite(table, encode(collection), { when: 'attribute_not_exists(id)' });
      const failed = await audit.write([write], entry);
      if (failed.length > 0) throw new Error('the id of a new collection is taken');
    },
    replace: async (next, before, entry) => {
      const write = putWrite(table, encode(next), isUnchanged(before));
      return (await audit.write([write], entry)).length === 0;
    },
    remove: async (collection, entry) => {
      const { account, id } = collection;
      const write = removeWrite(table, { account, id }, isUnchanged(collection));
      return (await audit.write([write], entry)).length === 0;
    },
  };
};
