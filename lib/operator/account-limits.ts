import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type AccountSummary,
  accountAdministration,
} from '../../functions/accounts/adapters/dynamo-accounts.ts';
import { type KeyStore, terminalLogger } from './key-store.ts';

const shown = (limit: string | number | null | undefined): string =>
  limit === undefined ? 'default' : String(limit ?? 'none');

const lineOf = ({ account, limits, month, committed, videos }: AccountSummary): string =>
  [
    account,
    `monthly budget ${shown(limits.monthlyBudget)}`,
    `videos at once ${shown(limits.videosAtOnce)}`,
    `creates a minute ${shown(limits.createsPerMinute)}`,
    `used in ${month} ${committed}`,
    `unfinished ${videos}`,
  ].join('  ');

/** The accounts of a stack, as the account command shows and sets them. */
export const accountStore = ({ clientConfig, tableName }: KeyStore) => {
  const accounts = accountAdministration(new DynamoDBClient(clientConfig), tableName, terminalLogger);
  return {
    set: accounts.set,
    show: async (account: string, now: number): Promise<string | undefined> => {
      const found = await accounts.show(account, now);
      return found && lineOf(found);
    },
    list: async (now: number): Promise<string[]> => (await accounts.list(now)).map(lineOf),
  };
};
