import {
  type DynamoDBClient,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import { failedConditions } from '../../platform/aws/contention.ts';
import type { ChargeRepository } from '../../platform/domain/ports.ts';
import type { ChargeRecord, ImageChargeRecord } from '../domain/billing.ts';
import { type DailyUse, dailyUseOf, entryOf } from '../domain/daily-use.ts';
import { monthOf } from '../domain/periods.ts';
import { chargedWrites, type ReservationTables, spendingWrites } from './reservation-writes.ts';

export type ChargeTables = ReservationTables & {
  readonly CHARGE_TABLE: string;
  readonly USAGE_TABLE: string;
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

/** A charge, its day, what its account has spent and the end of its reservation are one transaction. */
export const dynamoCharges = (
  client: DynamoDBClient,
  tables: ChargeTables,
): ChargeRepository<ChargeRecord | ImageChargeRecord> => ({
  record: async (charge, reservation) => {
    const { account, keyId, amount, time } = charge;
    const write = (ends: readonly TransactWriteItem[]) =>
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
      // Counted without a limit, too, so that a budget that is set later finds what the month has cost.
      await write(
        spendingWrites(tables, { account, keyId, amount, month: monthOf(time), countsForKey: false }),
      );
      return;
    }
    const [recorded, , gone] = await write(chargedWrites(tables, reservation));
    // A reservation that was taken back too early: what is charged still counts.
    if (recorded === undefined && gone !== undefined) await write(spendingWrites(tables, reservation));
  },
});
