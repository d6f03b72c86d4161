import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoAccounts } from '../../functions/billing/adapters/dynamo-accounts.ts';
import { dynamoCharges, dynamoUsage } from '../../functions/billing/adapters/dynamo-charges.ts';
import {
  dynamoDueReservations,
  dynamoReservations,
} from '../../functions/billing/adapters/dynamo-reservations.ts';
import type { ChargeRecord, ImageChargeRecord } from '../../functions/billing/domain/charges.ts';
import type {
  AccountRepository,
  ChargeRepository,
  DueReservations,
} from '../../functions/billing/domain/ports.ts';
import type { DailyUsage } from '../../functions/billing/domain/usage.ts';
import { MONTH } from './builders/limiter.ts';
import { accountsPort, keyOwner, MemoryAccounts } from './in-memory/accounts.ts';
import { callAtOnce } from './in-memory/call.ts';
import { chargesPort, MemoryCharges } from './in-memory/charges.ts';
import { strictLogger } from './loggers.ts';
import { createMoneyTables } from './money-tables.ts';
import { readPlainItem } from './plain-item.ts';

/** The open videos, and the money of the month: of the account and of its key. */
export type Sums = readonly [videos: number, committed: number, committedByKey: number];

export type MoneyStores = {
  readonly accounts: AccountRepository & DueReservations;
  readonly charges: ChargeRepository<ChargeRecord | ImageChargeRecord>;
  readonly days: (account: string) => Promise<DailyUsage[]>;
  readonly sums: (account: string, keyId?: string) => Promise<Sums>;
};

const memoryStores = (): MoneyStores => {
  const accounts = new MemoryAccounts();
  const charges = new MemoryCharges<ChargeRecord | ImageChargeRecord>(accounts);
  return {
    accounts: accountsPort(accounts),
    charges: chargesPort(charges, callAtOnce),
    days: async (account) => charges.days().filter((day) => day.account === account),
    sums: async (account, keyId = 'key_1') => [
      accounts.videos(account),
      Number(accounts.sum(account, MONTH)),
      Number(accounts.sum(keyOwner(account, keyId), MONTH)),
    ],
  };
};

const dynamoStores = (
  client: DynamoDBClient,
  tables: Awaited<ReturnType<typeof createMoneyTables>>,
): MoneyStores => {
  const usage = dynamoUsage(client, tables.USAGE_TABLE, strictLogger);
  const committed = `committed#${MONTH}`;
  const item = (account: string) => readPlainItem(client, tables.ACCOUNT_TABLE, { account });
  return {
    accounts: {
      ...dynamoAccounts(client, tables.ACCOUNT_TABLE),
      ...dynamoReservations(client, tables),
      ...dynamoDueReservations(client, tables.RESERVATION_TABLE, strictLogger),
    },
    charges: dynamoCharges(client, tables),
    days: (account) => Array.fromAsync(usage.days(account, '0000-00-00', '9999-99-99')),
    sums: async (account, keyId = 'key_1') => {
      const [own, ofKey] = [await item(account), await item(`${account}#${keyId}`)];
      return [Number(own.videos ?? 0), Number(own[committed] ?? 0), Number(ofKey[committed] ?? 0)];
    },
  };
};

export const openMoneyStores = async (client: DynamoDBClient, prefix: string) => ({
  memory: memoryStores(),
  dynamo: dynamoStores(client, await createMoneyTables(client, prefix)),
});
