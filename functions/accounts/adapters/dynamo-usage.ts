import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { allItems, skipUnreadable } from '../../platform/aws/all-items.ts';
import {
  type Attributes,
  corrupt,
  number,
  oneOf,
  optional,
  sum,
  text,
  textOrNull,
} from '../../platform/aws/attributes.ts';
import type { Logger, UsageRepository } from '../../platform/domain/ports.ts';
import type { DailyUse } from '../domain/daily-use.ts';

/** The day of an entry is part of its key. */
const readDayName = (item: Attributes): string => {
  const day = text(item, 'day');
  if (!text(item, 'entry').startsWith(`day#${day}#`)) throw corrupt('day');
  return day;
};

const readDay = (item: Attributes): DailyUse => ({
  account: text(item, 'account'),
  day: readDayName(item),
  keyId: text(item, 'keyId'),
  kind: oneOf(item, 'kind', ['video', 'image'] as const),
  model: text(item, 'model'),
  size: text(item, 'size'),
  quantity: number(item, 'quantity'),
  requests: number(item, 'requests'),
  amount: optional(item, 'amount', sum) ?? null,
  currency: textOrNull(item, 'currency'),
});

export const dynamoUsage = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): UsageRepository => ({
  days: (account, from, to) =>
    allItems(
      (start) =>
        client.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'account = :account AND #entry BETWEEN :from AND :to',
            ExpressionAttributeNames: { '#entry': 'entry' },
            ExpressionAttributeValues: {
              ':account': { S: account },
              ':from': { S: `day#${from}` },
              // The last day's entries all go on after its name.
              ':to': { S: `day#${to}#\uffff` },
            },
            ExclusiveStartKey: start,
          }),
        ),
      skipUnreadable({ logger, table, key: ['account', 'entry'] }, readDay),
    ),
});
