import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { AccountRepository } from '../../platform/domain/ports.ts';
import { monthOf } from '../domain/periods.ts';
import { accountKey, outdatedNames, readCommitted, readCreates, readLimits } from './account-item.ts';

/** Reads the limits of an account and their use. */
export const dynamoAccounts = (client: DynamoDBClient, table: string): Pick<AccountRepository, 'find'> => ({
  find: async (account, now) => {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: accountKey(account) }));
    if (Item === undefined) return undefined;
    return {
      limits: readLimits(Item),
      committed: readCommitted(Item, monthOf(now)),
      creates: readCreates(Item, now),
      outdated: outdatedNames(Item, now),
    };
  },
});
