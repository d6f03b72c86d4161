import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DailyUse } from '../domain/daily-use.ts';
import type { UsageRepository } from '../domain/ports.ts';
import { allItems } from './all-items.ts';
import { type Attributes, number, oneOf, text, textOrNull } from './attributes.ts';

const readDay = (item: Attributes): DailyUse => ({
  account: text(item, 'account'),
  day: text(item, 'day'),
  keyId: text(item, 'keyId'),
  kind: oneOf(item, 'kind', ['video', 'image'] as const),
  model: text(item, 'model'),
  size: text(item, 'size'),
  quantity: number(item, 'quantity'),
  requests: number(item, 'requests'),
  amount: item.amount?.N ?? null,
  currency: textOrNull(item, 'currency'),
});

export const dynamoUsage = (client: DynamoDBClient, table: string): UsageRepository => ({
  days: async function* (account, from, to) {
    const items = allItems((start) =>
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
    );
    for await (const item of items) yield readDay(item);
  },
});
