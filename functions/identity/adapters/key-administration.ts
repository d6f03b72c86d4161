import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { encode, textSet } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { putWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { KeyAdministration, OwnedKey } from '../domain/administration.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { MAKER_ROLES } from '../domain/roles.ts';
import { auditTrail } from './audit-trail.ts';
import { dynamoKeyList, dynamoKeys } from './dynamo-keys.ts';
import { requirePeople, requireRight } from './dynamo-members.ts';

export type KeyTables = {
  readonly KEY_TABLE: string;
  /** Undefined without the feature people, in which keys that people once had can still be revoked. */
  readonly MEMBER_TABLE?: string | undefined;
  readonly AUDIT_TABLE: string;
};

/**
 * Each person with keys has an item with their hashes, in the table of members. Unlike the index of keys it is always up
 * to date, so that a person cannot be removed while a new key stays behind.
 */
export const ownedKeysId = (ownerId: string): string => `keys_${ownerId}`;

const IS_IN_USE = { when: 'attribute_exists(#hash) AND attribute_not_exists(revokedAt)' };

/** Used by the key endpoints and by operator commands. */
export const keyAdministration = (
  client: DynamoDBClient,
  { KEY_TABLE, MEMBER_TABLE, AUDIT_TABLE }: KeyTables,
  logger: Logger,
): KeyAdministration & ReturnType<typeof dynamoKeyList> => {
  const trail = auditTrail(client, AUDIT_TABLE, logger);
  const { findByHash } = dynamoKeys(client, KEY_TABLE, true);

  const changeOwned = (verb: 'ADD' | 'DELETE', { account, ownerId, hash }: OwnedKey): TransactWriteItem[] => {
    if (ownerId === undefined || MEMBER_TABLE === undefined) return [];
    const change = { expression: `${verb} hashes :hash`, values: { hash: textSet(hash) } };
    return [updateWrite(MEMBER_TABLE, { account, id: ownedKeysId(ownerId) }, change)];
  };

  /** A person's key requires the role for keys, a key of the account that its maker is an admin. */
  const requireMaker = (
    { account, ownerId, createdAt }: Pick<ApiKey, 'account' | 'ownerId' | 'createdAt'>,
    maker: string | undefined,
  ): TransactWriteItem[] => {
    const id = ownerId ?? maker;
    const right = ownerId === undefined ? 'admin' : MAKER_ROLES.key;
    if (id === undefined) return [];
    return [requireRight(requirePeople(MEMBER_TABLE), { account, id, right, madeAt: createdAt })];
  };

  return {
    ...dynamoKeyList(client, KEY_TABLE, logger),

    add: async (key, entry, maker) => {
      const put = putWrite(KEY_TABLE, encode(key), { when: 'attribute_not_exists(#hash)' });
      const changes = [put, ...requireMaker(key, maker), ...changeOwned('ADD', key)];
      const [taken, refused] = await trail.write(changes, entry);
      if (taken !== undefined) throw new Error(`there is a key ${key.id} already`);
      return refused === undefined;
    },

    listOwned: async (account, ownerId) => {
      const owned = { account, id: ownedKeysId(ownerId) };
      const hashes = await dynamoTable(client, requirePeople(MEMBER_TABLE)).get(
        owned,
        (item) => item.hashes?.SS,
      );
      const keys = await Promise.all((hashes ?? []).map(findByHash));
      return keys.filter((key) => key !== undefined);
    },

    revoke: async (key, now, entry) => {
      const update = updateWrite(
        KEY_TABLE,
        { hash: key.hash },
        { set: { revokedAt: now }, ...IS_IN_USE, returnsItem: true },
      );
      const [found] = await trail.write([update, ...changeOwned('DELETE', key)], entry);
      return found === undefined || found.revokedAt !== undefined;
    },

    change: async (hash, change, entry) => {
      const update = updateWrite(KEY_TABLE, { hash }, { set: change, ...IS_IN_USE });
      return (await trail.write([update], entry)).length === 0;
    },

    transfer: async (key, role, entry, acting) => {
      const update = updateWrite(
        KEY_TABLE,
        { hash: key.hash },
        {
          set: { role },
          remove: ['ownerId'],
          when: 'ownerId = :owner AND attribute_not_exists(revokedAt)',
          values: { owner: key.ownerId },
        },
      );
      const accountKey = { account: key.account, createdAt: entry.at };
      const changes = [update, ...changeOwned('DELETE', key), ...requireMaker(accountKey, acting)];
      return (await trail.write(changes, entry)).length === 0;
    },
  };
};
