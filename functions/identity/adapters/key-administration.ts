import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { KeyAdministration, OwnedKey } from '../domain/administration.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { MAKER_ROLES } from '../domain/roles.ts';
import { auditTrail } from './audit-trail.ts';
import { dynamoKeyList, dynamoKeys } from './dynamo-keys.ts';
import { requireRight } from './dynamo-members.ts';

export type KeyTables = {
  readonly KEY_TABLE: string;
  readonly MEMBER_TABLE: string;
  readonly AUDIT_TABLE: string;
};

/**
 * Each person with keys has an item with their hashes, in the table of members. Unlike the index of keys it is always up
 * to date, so that a person cannot be removed while a new key stays behind.
 */
export const ownedKeysId = (ownerId: string): string => `keys_${ownerId}`;

/** Used by the key endpoints and by operator commands. */
export const keyAdministration = (
  client: DynamoDBClient,
  { KEY_TABLE, MEMBER_TABLE, AUDIT_TABLE }: KeyTables,
  logger: Logger,
): KeyAdministration & ReturnType<typeof dynamoKeyList> => {
  const trail = auditTrail(client, AUDIT_TABLE, logger);
  const { findByHash } = dynamoKeys(client, KEY_TABLE, true);

  const changeOwned = (
    change: 'ADD' | 'DELETE',
    { account, ownerId, hash }: OwnedKey,
  ): TransactWriteItem[] =>
    ownerId === undefined
      ? []
      : [
          {
            Update: {
              TableName: MEMBER_TABLE,
              Key: encode({ account, id: ownedKeysId(ownerId) }),
              UpdateExpression: `${change} hashes :hash`,
              ExpressionAttributeValues: { ':hash': { SS: [hash] } },
            },
          },
        ];

  /** A person's key requires the role for keys, a key of the account that its maker is an admin. */
  const requireMaker = (
    { account, ownerId, createdAt }: ApiKey,
    maker: string | undefined,
  ): TransactWriteItem[] => {
    const id = ownerId ?? maker;
    const right = ownerId === undefined ? 'admin' : MAKER_ROLES.key;
    return id === undefined ? [] : [requireRight(MEMBER_TABLE, { account, id, right, madeAt: createdAt })];
  };

  return {
    ...dynamoKeyList(client, KEY_TABLE, logger),

    add: async (key, entry, maker) => {
      const put = {
        TableName: KEY_TABLE,
        Item: encode(key),
        ConditionExpression: 'attribute_not_exists(#hash)',
        ExpressionAttributeNames: { '#hash': 'hash' },
      };
      const changes = [{ Put: put }, ...requireMaker(key, maker), ...changeOwned('ADD', key)];
      const [taken, refused] = await trail.write(changes, entry);
      if (taken !== undefined) throw new Error(`there is a key ${key.id} already`);
      return refused === undefined;
    },

    listOwned: async (account, ownerId) => {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: MEMBER_TABLE,
          Key: encode({ account, id: ownedKeysId(ownerId) }),
          ConsistentRead: true,
        }),
      );
      const keys = await Promise.all((Item?.hashes?.SS ?? []).map(findByHash));
      return keys.filter((key) => key !== undefined);
    },

    revoke: async (key, now, entry) => {
      const Update = {
        TableName: KEY_TABLE,
        Key: encode({ hash: key.hash }),
        UpdateExpression: 'SET revokedAt = :now',
        ConditionExpression: 'attribute_exists(#hash) AND attribute_not_exists(revokedAt)',
        ExpressionAttributeNames: { '#hash': 'hash' },
        ExpressionAttributeValues: encode({ ':now': now }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const;
      const [found] = await trail.write([{ Update }, ...changeOwned('DELETE', key)], entry);
      return found === undefined || found.revokedAt !== undefined;
    },

    change: async (hash, change, entry) => {
      const names = Object.keys(change);
      const values = encode(
        Object.fromEntries(Object.entries(change).map(([name, value]) => [`:${name}`, value])),
      );
      const kept = names.filter((name) => values[`:${name}`] !== undefined);
      const removed = names.filter((name) => !kept.includes(name));
      const sections = [
        ...(kept.length === 0 ? [] : [`SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`]),
        ...(removed.length === 0 ? [] : [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`]),
      ];
      const Update = {
        TableName: KEY_TABLE,
        Key: encode({ hash }),
        UpdateExpression: sections.join(' '),
        ConditionExpression: 'attribute_exists(#hash) AND attribute_not_exists(revokedAt)',
        ExpressionAttributeNames: {
          '#hash': 'hash',
          ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
        },
        ...(kept.length === 0 ? {} : { ExpressionAttributeValues: values }),
      };
      return (await trail.write([{ Update }], entry)).length === 0;
    },

    transfer: async (key, role, entry) => {
      const Update = {
        TableName: KEY_TABLE,
        Key: encode({ hash: key.hash }),
        UpdateExpression: 'SET #role = :role REMOVE ownerId',
        ConditionExpression: 'ownerId = :owner AND attribute_not_exists(revokedAt)',
        ExpressionAttributeNames: { '#role': 'role' },
        ExpressionAttributeValues: encode({ ':owner': key.ownerId, ':role': role }),
      };
      return (await trail.write([{ Update }, ...changeOwned('DELETE', key)], entry)).length === 0;
    },
  };
};
