import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { IMAGE_SIZES } from '../../images/domain/image-request.ts';
import { allItems, skipUnreadable } from '../../platform/aws/all-items.ts';
import {
  type Attributes,
  amountOrNull,
  encode,
  number,
  oneOf,
  optional,
  text,
  textOrNull,
  time,
} from '../../platform/aws/attributes.ts';
import type { ChargeList, Logger } from '../../platform/domain/ports.ts';
import type { ListedCharge } from '../domain/billing.ts';

/** A record that an operator entered by hand can lack its price. */
const readCharge = (item: Attributes): ListedCharge => {
  const fields = {
    id: text(item, 'id'),
    account: text(item, 'account'),
    keyId: text(item, 'keyId'),
    model: text(item, 'model'),
    unitPrice: optional(item, 'unitPrice', amountOrNull) ?? null,
    amount: optional(item, 'amount', amountOrNull) ?? null,
    currency: optional(item, 'currency', textOrNull) ?? null,
    time: time(item, 'time'),
  };
  if (oneOf(item, 'kind', ['video', 'image'] as const) === 'video')
    return {
      ...fields,
      kind: 'video',
      taskId: text(item, 'taskId'),
      seconds: number(item, 'seconds'),
      resolution: text(item, 'resolution'),
    };
  return { ...fields, kind: 'image', size: oneOf(item, 'size', IMAGE_SIZES), images: number(item, 'images') };
};

export const dynamoChargeList = (client: DynamoDBClient, table: string, logger: Logger): ChargeList => ({
  list: async function* (account, { from, to, newestFirst, after, atOnce }) {
    const read = (start: Attributes | undefined) =>
      client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'by-account',
          KeyConditionExpression: 'account = :account AND #time BETWEEN :from AND :to',
          ExpressionAttributeNames: { '#time': 'time' },
          ExpressionAttributeValues: encode({ ':account': account, ':from': from, ':to': to - 1 }),
          ScanIndexForward: !newestFirst,
          Limit: atOnce,
          ExclusiveStartKey: start,
        }),
      );
    yield* allItems(
      read,
      skipUnreadable({ logger, table, key: ['id'] }, readCharge),
      after && encode({ account, ...after }),
    );
  },
});
