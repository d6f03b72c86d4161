import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { putWrite, removeWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { Collection, Collections } from '../domain/collections.ts';

/** Collections are in the table of files, where their ids sort before those of files. */

export const readCollection = (item: stored.Attributes): Collection =>
  ({
    ...stored.all(item, stored.text, 'id', 'account', 'name'),
    itemIds: stored.list(item, 'itemIds', stored.text),
    coverId: stored.optional(item, 'coverId', stored.text),
    ...stored.all(item, stored.time, 'createdAt', 'updatedAt'),
  }) satisfies stored.Complete<Collection>;

export const dynamoCollections = (
  client: DynamoDBClient,
  tableName: string,
  logger: Pick<Logger, 'error'>,
): Pick<Collections, 'list' | 'find'> => {
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

export const dynamoCollectionChanges = (
  table: string,
  audit: AuditTrail,
): Pick<Collections, 'create' | 'replace' | 'remove'> => {
  const isUnchanged = ({ updatedAt }: Collection) => ({
    when: 'updatedAt = :updated',
    values: { updated: updatedAt },
  });
  return {
    create: async (collection, entry) => {
      const write = putWrite(table, stored.encode(collection), { when: 'attribute_not_exists(id)' });
      const failed = await audit.write([write], entry);
      if (failed.length > 0) throw new Error('the id of a new collection is taken');
    },
    replace: async (next, before, entry) => {
      const write = putWrite(table, stored.encode(next), isUnchanged(before));
      return (await audit.write([write], entry)).length === 0;
    },
    remove: async (collection, entry) => {
      const { account, id } = collection;
      const write = removeWrite(table, { account, id }, isUnchanged(collection));
      return (await audit.write([write], entry)).length === 0;
    },
  };
};
