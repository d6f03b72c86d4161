import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { ChargeRecord, ImageChargeRecord } from '../domain/billing.ts';
import { type DailyUse, dailyUseOf, entryOf } from '../domain/daily-use.ts';
import type { ChargeRepository } from '../domain/ports.ts';
import { chargedExpressions, lateChargeExpressions } from './account-expressions.ts';
import { encode } from './attributes.ts';
import { despiteConflicts } from './contention.ts';

export type ChargeTables = {
  readonly CHARGE_TABLE: string;
  readonly USAGE_TABLE: string;
  readonly ACCOUNT_TABLE: string;
};

const putOnce = (table: string, charge: ChargeRecord | ImageChargeRecord): TransactWriteItem => ({
  Put: { TableName: table, Item: encode(charge), ConditionExpression: 'attribute_not_exists(id)' },
});

const addToDay = (table: string, use: DailyUse): TransactWriteItem => {
  const { account, quantity, requests, amount, ...fields } = use;
  const names = Object.keys(fields);
  return {
    Update: {
      TableName: table,
      Key: encode({ account, entry: entryOf(use) }),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} ADD quantity :quantity, requests :requests${amount === null ? '' : ', amount :amount'}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...encode(Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value]))),
        ...encode({ ':quantity': quantity, ':requests': requests }),
        ...(amount === null ? {} : { ':amount': { N: amount } }),
      },
    },
  };
};

/** Which of the writes failed their conditions; anything else that went wrong is thrown. */
const failedConditions = async (write: () => Promise<unknown>): Promise<readonly boolean[]> => {
  try {
    await despiteConflicts(write);
    return [];
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
    if (codes.some((code) => code !== 'None' && code !== 'ConditionalCheckFailed')) throw error;
    return codes.map((code) => code === 'ConditionalCheckFailed');
  }
};

/** A charge, its day and the end of its reservation are one transaction: there are all of them or none. */
export const dynamoCharges = (
  client: DynamoDBClient,
  tables: ChargeTables,
): ChargeRepository<ChargeRecord | ImageChargeRecord> => ({
  record: async (charge, reservation) => {
    const account = { TableName: tables.ACCOUNT_TABLE, Key: encode({ account: charge.account }) };
    const write = (...ends: readonly TransactWriteItem[]) =>
      failedConditions(() =>
        client.send(
          new TransactWriteItemsCommand({
            TransactItems: [
              putOnce(tables.CHARGE_TABLE, charge),
              addToDay(tables.USAGE_TABLE, dailyUseOf(charge)),
              ...ends,
            ],
          }),
        ),
      );
    if (reservation === undefined) {
      await write();
      return;
    }
    const [isRecorded, , isNotHeld] = await write({
      Update: { ...account, ...chargedExpressions(reservation) },
    });
    // A reservation that was taken back too early: what is charged still counts.
    if (isRecorded !== true && isNotHeld === true)
      await write({ Update: { ...account, ...lateChargeExpressions(reservation) } });
  },
});
