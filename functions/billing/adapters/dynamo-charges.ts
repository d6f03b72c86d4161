import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { IMAGE_SIZES } from '../../catalogue/domain/image-sizes.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { writeTogether } from '../../platform/aws/contention.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { IS_NEW, putWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { ChargeRecord, ImageChargeRecord, ListedCharge } from '../domain/charges.ts';
import { toUtcMonth } from '../domain/periods.ts';
import type { ChargePosition, ReservedMoney } from '../domain/ports.ts';
import { type DailyUsage, dailyUsageEntry, toDailyUsage, type UsageRepository } from '../domain/usage.ts';
import { chargedWrites, type ReservationTables, spendingWrites } from './reservation-writes.ts';

type ChargeTables = ReservationTables & {
  readonly CHARGE_TABLE: string;
  readonly USAGE_TABLE: string;
};

const addToDay = (table: string, usage: DailyUsage): TransactWriteItem => {
  const { account, quantity, requests, amount, cost, ...fields } = usage;
  const money = Object.entries({ amount, cost }).flatMap(([name, value]) =>
    value === null ? [] : [[name, stored.decimal(value)] as const],
  );
  return updateWrite(
    table,
    { account, entry: dailyUsageEntry(usage) },
    { set: fields, add: { quantity, requests, ...Object.fromEntries(money) } },
  );
};

/**
 * One transaction writes the charge, its daily sum and the spending of account and key, and ends the reservation. Further writes
 * may be part of it; they have no conditions.
 */
export const dynamoCharges = (client: DynamoDBClient, tables: ChargeTables) => ({
  record: async (
    charge: ChargeRecord | ImageChargeRecord,
    reservation?: ReservedMoney,
    further: readonly TransactWriteItem[] = [],
  ): Promise<void> => {
    const { account, keyId, amount, time } = charge;
    const write = (ends: readonly TransactWriteItem[]) =>
      writeTogether(client, [
        putWrite(tables.CHARGE_TABLE, stored.encode(charge), IS_NEW),
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
export const readCharge = (item: stored.Attributes): ListedCharge => {
  const fields = {
    ...stored.all(item, stored.text, 'id', 'account', 'keyId', 'model'),
    personId: stored.optional(item, 'personId', stored.text),
    upstream: stored.optional(item, 'upstream', stored.text) ?? null,
    unitPrice: stored.optional(item, 'unitPrice', stored.amountOrNull) ?? null,
    amount: stored.optional(item, 'amount', stored.amountOrNull) ?? null,
    currency: stored.optional(item, 'currency', stored.textOrNull) ?? null,
    time: stored.time(item, 'time'),
  };
  if (stored.oneOf(item, 'kind', ['video', 'image'] as const) === 'video')
    return {
      ...fields,
      kind: 'video',
      upstreamModel: stored.optional(item, 'upstreamModel', stored.text),
      ...stored.all(item, stored.text, 'taskId', 'resolution'),
      seconds: stored.number(item, 'seconds'),
    };
  return {
    ...fields,
    kind: 'image',
    fileId: stored.optional(item, 'fileId', stored.text),
    size: stored.oneOf(item, 'size', IMAGE_SIZES),
    images: stored.number(item, 'images'),
  };
};

/** `from` is inclusive and `to` exclusive; `after` is the charge before the first one. */
type ChargeQuery = {
  readonly from: number;
  readonly to: number;
  readonly newestFirst: boolean;
  readonly after: ChargePosition | undefined;
  /** Records per read. */
  readonly atOnce: number;
};

/** The charges of an account, ordered by time. */
export const dynamoChargeList = (client: DynamoDBClient, table: string, logger: Logger) => ({
  list: (account: string, { from, to, newestFirst, after, atOnce }: ChargeQuery) =>
    dynamoTable(client, table, { logger, key: ['id'] }).items(
      {
        index: 'by-account',
        where: 'account = :account AND #time BETWEEN :from AND :to',
        values: { account, from, to: to - 1 },
        newestFirst,
        limit: atOnce,
        after: after && stored.encode({ account, ...after }),
      },
      readCharge,
    ),
});

const readDailyUsage = (item: stored.Attributes): DailyUsage => {
  const day = stored.text(item, 'day');
  // The entry, which is the sort key, starts with the day.
  if (!stored.text(item, 'entry').startsWith(`day#${day}#`)) throw stored.corrupt('day');
  return {
    day,
    ...stored.all(item, stored.text, 'account', 'keyId', 'model', 'size'),
    ...stored.all(item, stored.textOrNull, 'personId', 'currency', 'costCurrency'),
    ...stored.all(item, stored.number, 'quantity', 'requests'),
    kind: stored.oneOf(item, 'kind', ['video', 'image'] as const),
    amount: stored.optional(item, 'amount', stored.sum) ?? null,
    cost: stored.optional(item, 'cost', stored.sum) ?? null,
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
