import type { ChargeRecord, ListedCharge } from './billing.ts';
import type { AccountUse, Ceilings, Limits, Reservation } from './limits.ts';
import type { DailyUse } from './usage.ts';

export type ChargeRepository<Kind extends { readonly id: string } = ChargeRecord> = {
  /** Writes the record, and adds it to its day, unless it is there already; its reservation ends with it. */
  record(charge: Kind, reservation?: ReservedMoney): Promise<void>;
};

/** A place in the list of an account's charges. */
export type ChargePosition = { readonly id: string; readonly time: number };
export type ChargeQuery = {
  /** Milliseconds, the first included, the last not. */
  readonly from: number;
  readonly to: number;
  readonly newestFirst: boolean;
  readonly after: ChargePosition | undefined;
  /** How many one read brings. */
  readonly atOnce: number;
};
export type ChargeList = {
  /** The account's charges in the order of their times. */
  list(account: string, query: ChargeQuery): AsyncIterable<ListedCharge>;
};

export type UsageRepository = {
  /** What an account used on the UTC days from the first to the last, both included, such as `2026-11-15`. */
  days(account: string, from: string, to: string): AsyncIterable<DailyUse>;
};

/** What is needed to end a reservation. */
export type ReservedMoney = Pick<
  Reservation,
  'id' | 'kind' | 'account' | 'keyId' | 'countsForKey' | 'month' | 'amount' | 'taskId'
>;

export type StoredAccount = {
  /** Null where a default does not hold for this account. */
  readonly limits: { readonly [Name in keyof Limits]: Limits[Name] | null };
  /** Charged and reserved in the present UTC month. */
  readonly committed: string;
  /** Creates in the present minute. */
  readonly creates: number;
  /** Counters of periods that are over; the next reservation removes them. */
  readonly outdated: readonly string[];
};

export type ReserveOptions = {
  readonly outdated: readonly string[];
  /** Whether it is known to take its account past most of its budget, and marks the account. */
  readonly marksBudget: boolean;
};

export type ReserveOutcome =
  | { readonly outcome: 'reserved' }
  /** The task has a reservation already. */
  | { readonly outcome: 'taken'; readonly held: Reservation }
  /** A limit is in the way, or else the mark that the operator hears by; a count that is not in the way may be 0. */
  | { readonly outcome: 'refused'; readonly use: AccountUse };

export type AccountRepository = {
  find(account: string, now: number): Promise<StoredAccount | undefined>;
  /** Holds price and place in one transaction with what the account and its key have used. */
  reserve(reservation: Reservation, ceilings: Ceilings, options: ReserveOptions): Promise<ReserveOutcome>;
  /** Makes a reservation anew without changing what it holds; false means that it is gone, or was made anew since. */
  renew(held: Reservation, at: number): Promise<boolean>;
  /** Takes a reservation back, unless it was made anew since the given time; false means that it is gone already. */
  release(reservation: ReservedMoney, madeAt?: number): Promise<boolean>;
};

/** Lists reservations for the sweeper: one is due when the request that made it must have ended. */
export type DueReservations = {
  /** Those of all accounts that are due by the given time. */
  due(until: number): AsyncIterable<Reservation>;
  /** Puts off the next look at a reservation that belongs to a task; false means that it is gone. */
  postpone(reservation: Reservation, dueAt: number): Promise<boolean>;
};
