import {
  type DynamoDBClient,
  GetItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { allItems, skipUnreadable } from '../../platform/aws/all-items.ts';
import { type Attributes, encode, text } from '../../platform/aws/attributes.ts';
import { retryOnConflict } from '../../platform/aws/contention.ts';
import type { Logger } from '../../platform/domain/ports.ts';
import { monthOf } from '../domain/periods.ts';
import {
  accountKey,
  IS_ACCOUNT,
  readCommitted,
  readLimits,
  readVideos,
  type StoredLimits,
} from './account-item.ts';

export type AccountSummary = {
  readonly account: string;
  readonly limits: StoredLimits;
  readonly month: string;
  /** Charged and reserved in this month. */
  readonly committed: string;
  readonly videos: number;
};

const summaryOf = (item: Attributes, now: number): AccountSummary => ({
  account: text(item, 'account'),
  limits: readLimits(item),
  month: monthOf(now),
  committed: readCommitted(item, monthOf(now)),
  videos: readVideos(item),
});

/** What the account command does; no function may set a limit. */
export const accountAdministration = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
) => ({
  /** A limit that is undefined is removed: the stack's default holds again. */
  set: async (account: string, changes: { readonly [Name in keyof StoredLimits]?: StoredLimits[Name] }) => {
    const names = Object.keys(changes);
    const values = encode(
      Object.fromEntries(Object.entries(changes).map(([name, value]) => [`:${name}`, value])),
    );
    const removed = names.filter((name) => values[`:${name}`] === undefined);
    const kept = names.filter((name) => !removed.includes(name));
    const sections = [
      ...(kept.length === 0 ? [] : [`SET ${kept.map((name) => `${name} = :${name}`).join(', ')}`]),
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.join(', ')}`]),
    ];
    await retryOnConflict(() =>
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: accountKey(account),
          UpdateExpression: sections.join(' '),
          ...(kept.length === 0 ? {} : { ExpressionAttributeValues: values }),
        }),
      ),
    );
  },

  show: async (account: string, now: number): Promise<AccountSummary | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: accountKey(account), ConsistentRead: true }),
    );
    return Item && summaryOf(Item, now);
  },

  list: async (now: number): Promise<AccountSummary[]> => {
    const items = allItems(
      (start) => client.send(new ScanCommand({ TableName: table, ...IS_ACCOUNT, ExclusiveStartKey: start })),
      skipUnreadable({ logger, table, key: ['account'] }, (item) => summaryOf(item, now)),
    );
    const found = await Array.fromAsync(items);
    return found.toSorted((one, other) => (one.account < other.account ? -1 : 1));
  },
});
