import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { IMAGE_SIZES } from '../../catalogue/domain/image-sizes.ts';
import {
  type Attributes,
  amountOrNull,
  corrupt,
  decimal,
  encode,
  number,
  oneOf,
  optional,
  sum,
  text,
  textOrNull,
  time,
} from '../../platform/aws/attributes.ts';
import { writeTogether } from '../../platform/aws/contention.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { IS_NEW, putWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { ChargeRecord, ImageChargeRecord, ListedCharge } from '../domain/charges.ts';
import { toUtcMonth } from '../domain/periods.ts';
import type { ChargeList, ChargeRepository, ReservedMoney, UsageRepository } from '../domain/ports.ts';
import { type DailyUsage, dailyUsageEntry, toDailyUsage } from '../domain/usage.ts';
import { chargedWrites, type ReservationTables, spendingWrites } from './reservation-writes.ts';

type ChargeTables = ReservationTables & {
  readonly CHARGE_TABLE: string;
  readonly USAGE_TABLE: string;
};

const addToDay = (table: string, usage: DailyUsage): TransactWriteItem => {
  const { account, quantity, requests, amount, cost, ...fields } = usage;
  const money = Object.entries({ amount, cost }).flatMap(([name, value]) =>
    value === null ? [] : [[name, decimal(value)] as const],
  );
  return updateWrite(
    table,
    { account, entry: dailyUsageEntry(usage) },
    { set: fields, add: { quantity, requests, ...Object.fromEntries(money) } },
  );
};

type AnyCharge = ChargeRecord | ImageChargeRecord;

/**
 * One transaction writes the charge, its daily sum and the spending of account and key, and ends the reservation. Further writes
 * may be part of it; they have no conditions.
 */
export const dynamoCharges = (
  client: DynamoDBClient,
  tables: ChargeTables,
): ChargeRepository<AnyCharge> & {
  record(
    charge: AnyCharge,
    reservation?: ReservedMoney,
    further?: readonly TransactWriteItem[],
  ): Promise<void>;
} => ({
  record: async (
    charge: AnyCharge,
    reservation?: ReservedMoney,
    further: readonly TransactWriteItem[] = [],
  ) => {
    const { account, keyId, amount, time } = charge;
    const write = (ends: readonly TransactWriteItem[]) =>
      writeTogether(client, [
        putWrite(tables.CHARGE_TABLE, encode(charge), IS_NEW),
        addToDay(tables.USAGE_TABLE, toDailyUsage(charge)),
        ...ends,
        ...further,
      ]);
    if (reservation === undefined) {
      // Counted even without limits, so that a budget that is set later includes the spending of the month.
      await write(spendingWrites(tables, { account, keyId, amount, month: toUtcMonth(time) }, time));
      return;
    }
    const [recorded, , gone] = await write(chargedWrites(tables, reservation, charge));
    // The reservation was already released, so the charge is counted separately.
    if (recorded === undefined && gone !== undefined)
      await write(spendingWrites(tables, { ...reservation, amount }, time));
  },
});

/** A record that an operator entered by hand may have no price. */
export const readCharge = (item: Attributes): ListedCharge => {
  const fields = {
    id: text(item, 'id'),
    account: text(item, 'account'),
    keyId: text(item, 'keyId'),
    personId: optional(item, 'personId', text),
    upstream: optional(item, 'upstream', text) ?? null,
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
      upstreamModel: optional(item, 'upstreamModel', text),
      taskId: text(item, 'taskId'),
      seconds: number(item, 'seconds'),
      resolution: text(item, 'resolution'),
    };
  return {
    ...fields,
    kind: 'image',
    fileId: optional(item, 'fileId', text),
    size: oneOf(item, 'size', IMAGE_SIZES),
    images: number(item, 'images'),
  };
};

export const dynamoChargeList = (client: DynamoDBClient, table: string, logger: Logger): ChargeList => ({
  list: (account, { from, to, newestFirst, after, atOnce }) =>
    dynamoTable(client, table, { logger, key: ['id'] }).items(
      {
        index: 'by-account',
        where: 'account = :account AND #time BETWEEN :from AND :to',
        values: { account, from, to: to - 1 },
        newestFirst,
        limit: atOnce,
        after: after && encode({ account, ...after }),
      },
      readCharge,
    ),
});

const readDailyUsage = (item: Attributes): DailyUsage => {
  const day = text(item, 'day');
  // The entry, which is the sort key, starts with the day.
  if (!text(item, 'entry').startsWith(`day#${day}#`)) throw corrupt('day');
  return {
    account: text(item, 'account'),
    day,
    keyId: text(item, 'keyId'),
    personId: textOrNull(item, 'personId'),
    kind: oneOf(item, 'kind', ['video', 'image'] as const),
    model: text(item, 'model'),
    size: text(item, 'size'),
    quantity: number(item, 'quantity'),
    requests: number(item, 'requests'),
    amount: optional(item, 'amount', sum) ?? null,
    currency: textOrNull(item, 'currency'),
    // Unknown in sums of earlier versions.
    cost: optional(item, 'cost', sum) ?? null,
    costCurrency: optional(item, 'costCurrency', textOrNull) ?? null,
  };
};

export const dynamoUsage = (
  client: DynamoDBClient,
  table: string,
  logger: Pick<Logger, 'error'>,
): UsageRepository => ({
  days: (account, from, to) =>
    dynamoTable(client, table, { logger, key: ['account', 'entry'] }).items(
      {
        where: 'account = :account AND #entry BETWEEN :from AND :to',
        // Includes all entries of the last day.
        values: { account, from: `day#${from}`, to: `day#${to}#\uffff` },
      },
      readDailyUsage,
    ),
});
