import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { encode, optional, text, time } from '../../platform/aws/attributes.ts';
import { readItems, skipUnreadable } from '../../platform/aws/items.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { type KeyUses, keyItemName, LAST_CHARGE } from '../domain/administration.ts';

/** DynamoDB may leave out items while it is busy. */
const MAX_READS = 5;

/** For up to 100 keys, which is as many as a page of keys has. */
export const dynamoKeyUses = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): KeyUses => ({
  lastCharges: async (account, keyIds) => {
    const read = skipUnreadable({ logger, table, key: ['account'] }, (item) => ({
      keyId: text(item, 'account').slice(keyItemName(account, '').length),
      at: optional(item, LAST_CHARGE, time),
    }));
    const found = new Map<string, number>();
    let wanted = keyIds.map((keyId) => encode({ account: keyItemName(account, keyId) }));
    for (let reads = 0; wanted.length > 0; reads += 1) {
      if (reads === MAX_READS) throw new Error('the last charges of the keys could not be read');
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys: wanted } } }),
      );
      for (const { keyId, at } of readItems({ Items: Responses?.[table] ?? [] }, read))
        if (at !== undefined) found.set(keyId, at);
      wanted = UnprocessedKeys?.[table]?.Keys ?? [];
    }
    return found;
  },
});
