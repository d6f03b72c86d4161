import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  apiKeyItemKey,
  committedName,
  KEPT_BYTES,
  SEPARATOR,
} from '../../functions/billing/adapters/dynamo-accounts.ts';
import { readCharge } from '../../functions/billing/adapters/dynamo-charges.ts';
import { readDueItem, toItem } from '../../functions/billing/adapters/reservation-writes.ts';
import type { ListedCharge } from '../../functions/billing/domain/charges.ts';
import type { Reservation } from '../../functions/billing/domain/limits.ts';
import { dayAfter, monthAfter, toUtcDay, toUtcMonth } from '../../functions/billing/domain/periods.ts';
import { type DailyUsage, dailyUsageEntry, toDailyUsage } from '../../functions/billing/domain/usage.ts';
import { isRemoved, readFile } from '../../functions/files/adapters/dynamo-files.ts';
import { isFileId, type StoredFile } from '../../functions/files/domain/files.ts';
import { LAST_CHARGE } from '../../functions/identity/domain/administration.ts';
import { isSessionId } from '../../functions/identity/domain/session.ts';
import {
  type Attributes,
  amount,
  corrupt,
  encode,
  map,
  optional,
  text,
} from '../../functions/platform/aws/attributes.ts';
import { plus } from '../../functions/platform/domain/money.ts';
import { isKept } from '../../functions/platform/domain/retention.ts';
import { fromItem } from '../../functions/videos/adapters/task-item.ts';
import type { Task } from '../../functions/videos/domain/task.ts';
import { type Change, scanPages, type Wanted } from './table-copies.ts';

/**
 * DynamoDB restores each table by itself, so that a transaction over several tables can be half visible at the moment,
 * and charges are kept beyond it. Therefore everything that is derived from tasks, files and charges is counted anew.
 */
export type Recount = {
  /** Reservations of tasks that are not settled, by task id. */
  readonly reservations: ReadonlyMap<string, Reservation>;
  /** Counters of accounts and API keys, by the key of their item. */
  readonly counters: ReadonlyMap<string, Counters>;
  /** Sums of the days from `firstDay` on, by account and entry. */
  readonly usage: ReadonlyMap<string, DailyUsage>;
  readonly firstDay: string;
  readonly firstMonth: string;
};

type Counters = {
  readonly key: Attributes;
  readonly committed: Map<string, string>;
  videos: number;
  lastCharge: number;
  keptBytes: number;
};

const noCounters = (key: Attributes): Counters => ({
  key,
  committed: new Map(),
  videos: 0,
  lastCharge: 0,
  keptBytes: 0,
});

type Given = {
  readonly tasks: string;
  readonly files: string;
  readonly charges: string;
  /** The earliest charge that the moment does not have, or the moment. */
  readonly since: number;
  readonly now: number;
  readonly onUnreadable: (table: string, item: Attributes, error: unknown) => void;
};

const toReservation = (task: Task): Reservation | undefined =>
  task.reservation && {
    id: task.reservation.id,
    kind: 'videos',
    account: task.account,
    keyId: task.keyId,
    countsForKey: task.reservation.countsForKey,
    month: task.reservation.month,
    amount: task.reservation.charge.amount,
    taskId: task.id,
    at: task.createdAt,
  };

/** DynamoDB holds sums of 38 digits, which is enough for ten million such amounts. */
const SUMMABLE = /^-?\d{1,19}(?:\.\d{1,12})?$/;
const requireSummable = (amount: string | null | undefined, name: string): void => {
  if (typeof amount === 'string' && !SUMMABLE.test(amount)) throw corrupt(name);
};

/** DynamoDB refuses items with longer keys, and one of them would stop the whole batch. */
const MAX_KEY_BYTES = 1024;
const requireKey = (key: string, name: string): void => {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw corrupt(name);
};

type CountedCharge = { readonly charge: ListedCharge; readonly day: DailyUsage };

/** Throws for a charge that no sum can contain. */
export const readCountedCharge = (item: Attributes): CountedCharge => {
  const charge = readCharge(item);
  const cost = optional(item, 'upstreamCost', map);
  const upstreamCost = cost && { amount: amount(cost, 'amount'), currency: text(cost, 'currency') };
  requireSummable(charge.amount, 'amount');
  requireSummable(upstreamCost?.amount, 'upstreamCost');
  const day = toDailyUsage({ ...charge, upstreamCost });
  requireKey(usageName(charge.account, dailyUsageEntry(day)), 'model');
  requireKey(apiKeyItemKey(charge).account, 'keyId');
  return { charge, day };
};

const addUsage = (one: DailyUsage, other: DailyUsage): DailyUsage => ({
  ...other,
  quantity: one.quantity + other.quantity,
  requests: one.requests + other.requests,
  amount: one.amount === null || other.amount === null ? null : plus(one.amount, other.amount),
  cost: one.cost === null || other.cost === null ? null : plus(one.cost, other.cost),
});

const usageName = (account: string, entry: string): string => `${account}\n${entry}`;

async function* readable<T>(
  client: DynamoDBClient,
  table: string,
  read: (item: Attributes) => T | undefined,
  onUnreadable: Given['onUnreadable'],
): AsyncGenerator<T> {
  for await (const page of scanPages(client, table))
    for (const item of page)
      try {
        const value = read(item);
        if (value !== undefined) yield value;
      } catch (error) {
        onUnreadable(table, item, error);
      }
}

const readTask = (item: Attributes): Task | undefined => {
  if (item.task === undefined) return undefined;
  const task = fromItem(item);
  requireSummable(task.reservation?.charge.amount, 'task.reservation');
  requireKey(apiKeyItemKey(task).account, 'task.keyId');
  return task;
};

/** Other items of the table are collections, requests and totals. */
const readPresentFile = (item: Attributes): StoredFile | undefined =>
  isFileId(text(item, 'id')) && !isRemoved(item) ? readFile(item) : undefined;

/** Counts from the tasks, files and charges as they are now. */
export const recount = async (client: DynamoDBClient, given: Given): Promise<Recount> => {
  const { since, now, onUnreadable } = given;
  const firstDay = dayAfter(toUtcDay(since), -1);
  const firstMonth = monthAfter(toUtcMonth(now), -1);
  const reservations = new Map<string, Reservation>();
  /** A reservation counts for the month in which it was made. */
  const months = new Map<string, string>();
  const counters = new Map<string, Counters>();
  const usage = new Map<string, DailyUsage>();

  const countersFor = (key: { readonly account: string }): Counters => {
    const found = counters.get(key.account) ?? noCounters(encode(key));
    counters.set(key.account, found);
    return found;
  };
  const commit = ({ committed }: Counters, month: string, amount: string | null): void => {
    if (amount !== null && month >= firstMonth)
      committed.set(month, plus(committed.get(month) ?? '0', amount));
  };

  for await (const task of readable(client, given.tasks, readTask, onUnreadable)) {
    if (isKept(task)) countersFor({ account: task.account }).keptBytes += task.file?.bytes ?? 0;
    const reservation = toReservation(task);
    if (reservation === undefined) continue;
    if (task.work !== undefined) reservations.set(task.id, reservation);
    if (reservation.month !== toUtcMonth(task.completedAt ?? task.createdAt))
      months.set(task.id, reservation.month);
  }

  for await (const file of readable(client, given.files, readPresentFile, onUnreadable))
    if (isKept(file)) countersFor({ account: file.account }).keptBytes += file.bytes;

  const countCharge = ({ charge, day }: CountedCharge): void => {
    const { account, keyId, amount, time } = charge;
    const taskId = charge.kind === 'video' ? charge.taskId : '';
    // A recorded charge has ended its reservation.
    reservations.delete(taskId);
    const month = months.get(taskId) ?? toUtcMonth(time);
    commit(countersFor({ account }), month, amount);
    if (!isSessionId(keyId)) {
      const forKey = countersFor(apiKeyItemKey({ account, keyId }));
      commit(forKey, month, amount);
      forKey.lastCharge = Math.max(forKey.lastCharge, time);
    }
    if (day.day < firstDay) return;
    const name = usageName(account, dailyUsageEntry(day));
    const sum = usage.get(name);
    usage.set(name, sum === undefined ? day : addUsage(sum, day));
  };
  for await (const charge of readable(client, given.charges, readCountedCharge, onUnreadable))
    countCharge(charge);

  for (const reservation of reservations.values()) {
    const { account, keyId, month, amount, countsForKey } = reservation;
    const forAccount = countersFor({ account });
    forAccount.videos += 1;
    commit(forAccount, month, amount);
    if (countsForKey) commit(countersFor(apiKeyItemKey({ account, keyId })), month, amount);
  }
  return { reservations, counters, usage, firstDay, firstMonth };
};

/** Budget notices stay, since they wait to be sent; image requests have ended. */
export async function* wantedReservations(
  client: DynamoDBClient,
  table: string,
  { reservations }: Recount,
): AsyncGenerator<Wanted> {
  const missing = new Map(reservations);
  for await (const page of scanPages(client, table))
    for (const live of page) {
      const taskId = text(live, 'taskId');
      if (live.kind?.S === 'budget') continue;
      const reservation = missing.get(taskId);
      missing.delete(taskId);
      const isKept = reservation !== undefined && live.id?.S === reservation.id && isReadable(live);
      yield {
        key: encode({ taskId }),
        live,
        item: isKept ? live : reservation && toItem(reservation),
      };
    }
  for (const [taskId, reservation] of missing)
    yield { key: encode({ taskId }), live: undefined, item: toItem(reservation) };
}

const isReadable = (item: Attributes): boolean => {
  try {
    readDueItem(item);
    return true;
  } catch {
    return false;
  }
};

const isCounter = (name: string, firstMonth: string): boolean => {
  const [counter, period = ''] = name.split(SEPARATOR);
  return (
    ['creates', 'videos', KEPT_BYTES].includes(counter ?? '') ||
    (counter === 'committed' && period >= firstMonth)
  );
};

/** Limits and marks are those of the moment. */
const withCounters = (
  item: Attributes | undefined,
  { key, committed, videos, lastCharge, keptBytes }: Counters,
  firstMonth: string,
): Attributes => ({
  ...Object.fromEntries(Object.entries(item ?? key).filter(([name]) => !isCounter(name, firstMonth))),
  ...(videos > 0 && encode({ videos })),
  ...(keptBytes > 0 && encode({ [KEPT_BYTES]: keptBytes })),
  ...(lastCharge > 0 && encode({ [LAST_CHARGE]: lastCharge })),
  ...Object.fromEntries(Array.from(committed, ([month, sum]) => [committedName(month), { N: sum }])),
});

/** Visits every item of the table, because items that have not changed may count what is no longer there. */
export async function* wantedAccounts(
  client: DynamoDBClient,
  table: string,
  changes: AsyncIterable<Change>,
  { counters, firstMonth }: Recount,
): AsyncGenerator<Wanted> {
  const changed = new Map<string, Change>();
  for await (const change of changes) changed.set(text(change.key, 'account'), change);
  const wanted = (name: string, live: Attributes | undefined, earlier: Attributes | undefined): Wanted => {
    const key = encode({ account: name });
    const found = counters.get(name);
    const item =
      earlier === undefined && found === undefined
        ? undefined
        : withCounters(earlier, found ?? noCounters(key), firstMonth);
    return { key, live, item };
  };
  const seen = new Set<string>();
  for await (const page of scanPages(client, table))
    for (const live of page) {
      const name = text(live, 'account');
      seen.add(name);
      const change = changed.get(name);
      yield wanted(name, live, change === undefined ? live : change.earlier);
    }
  for (const name of new Set([...changed.keys(), ...counters.keys()]))
    if (!seen.has(name)) yield wanted(name, undefined, changed.get(name)?.earlier);
}

const toUsageItem = (usage: DailyUsage): Attributes => {
  const { amount, cost, ...fields } = usage;
  return {
    ...encode({ ...fields, entry: dailyUsageEntry(usage) }),
    ...(amount !== null && { amount: { N: amount } }),
    ...(cost !== null && { cost: { N: cost } }),
  };
};

/** Earlier days are those of the moment; operators may have deleted their charges. */
export async function* wantedUsage(
  client: DynamoDBClient,
  table: string,
  changes: AsyncIterable<Change>,
  { usage, firstDay }: Recount,
): AsyncGenerator<Wanted> {
  const isCounted = (key: Attributes): boolean => text(key, 'entry') >= `day#${firstDay}`;
  for await (const { key, live, earlier } of changes) if (!isCounted(key)) yield { key, live, item: earlier };
  const missing = new Map(usage);
  for await (const page of scanPages(client, table))
    for (const live of page) {
      if (!isCounted(live)) continue;
      const [account, entry] = [text(live, 'account'), text(live, 'entry')];
      const sum = missing.get(usageName(account, entry));
      missing.delete(usageName(account, entry));
      yield { key: encode({ account, entry }), live, item: sum && toUsageItem(sum) };
    }
  for (const sum of missing.values()) {
    const item = toUsageItem(sum);
    yield { key: encode({ account: sum.account, entry: dailyUsageEntry(sum) }), live: undefined, item };
  }
}
