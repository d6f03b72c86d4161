import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { optional, text, time } from '../../platform/aws/attributes.ts';
import { getMany, skipUnreadable } from '../../platform/aws/table.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { type KeyUses, keyItemName, LAST_CHARGE } from '../domain/administration.ts';

/** For up to 100 keys, which is as many as a page of keys has. */
export const dynamoKeyUses = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): KeyUses => ({
  lastCharges: async (account, keyIds) => {
    const read = skipUnreadable(table, { logger, key: ['account'] }, (item) => ({
      keyId: text(item, 'account').slice(keyItemName(account, '').length),
      at: optional(item, LAST_CHARGE, time),
    }));
    const keys = keyIds.map((keyId) => ({ account: keyItemName(account, keyId) }));
    const found = new Map<string, number>();
    for (const item of await getMany(client, table, keys)) {
      const { keyId, at } = read(item) ?? {};
      if (keyId !== undefined && at !== undefined) found.set(keyId, at);
    }
    return found;
  },
});
