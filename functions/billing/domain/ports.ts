import type { BudgetMarks, BudgetNotice } from './budget.ts';
import type { ChargeRecord } from './charges.ts';
import type { AccountUsage, Ceilings, OwnLimits, Reservation } from './limits.ts';

export type ChargeRepository<Kind extends { readonly id: string } = ChargeRecord> = {
  /** Writes the record, adds it to its day and ends its reservation. Does nothing if the record exists. */
  record(charge: Kind, reservation?: ReservedMoney): Promise<void>;
};

/** A position in the list of an account's charges. */
export type ChargePosition = { readonly id: string; readonly time: number };

/** The part of a reservation that is needed to end it. */
export type ReservedMoney = Omit<Reservation, 'at'>;

export type StoredAccount = {
  readonly limits: OwnLimits;
  /** Charged and reserved in the current UTC month. */
  readonly committed: string;
  readonly marks: BudgetMarks;
  /** Creates in the current minute. */
  readonly creates: number;
  /** Names of counters of past periods; the next reservation removes them. */
  readonly outdated: readonly string[];
};

export type ReserveOptions = {
  /** The account's own limits, which must still be as they were read; undefined if they are not compared. */
  readonly read?: OwnLimits;
  readonly outdated: readonly string[];
  /** Of the thresholds that the reservation reaches, and that it therefore marks. */
  readonly notices?: readonly BudgetNotice[];
  /** Tasks of further reservations with the same terms, which are made with it or not at all. */
  readonly moreTaskIds?: readonly string[];
};

export type ReserveOutcome =
  | { readonly outcome: 'reserved' }
  /** The task already has a reservation. */
  | { readonly outcome: 'taken'; readonly held: Reservation }
  /** A limit is exceeded or has changed, or a threshold has to be marked. Counters that are not exceeded may be 0. */
  | {
      readonly outcome: 'refused';
      readonly usage: AccountUsage;
      readonly marks: BudgetMarks;
      /** The account's own limits as they are now; undefined if only those of the key are exceeded. */
      readonly limits?: OwnLimits | undefined;
    };

export type AccountRepository = {
  find(account: string, now: number): Promise<StoredAccount | undefined>;
  /** Reserves money and a video slot, and checks the limits of account and key, in one transaction. */
  reserve(reservation: Reservation, ceilings: Ceilings, options: ReserveOptions): Promise<ReserveOutcome>;
  /**
   * Marks the thresholds of a refused request and adds their notices. False means that another request did, or that the
   * account has used less since.
   */
  markRefusal(notices: readonly BudgetNotice[]): Promise<boolean>;
  /** Updates only the time of a reservation; false means that it is gone or was renewed by another request. */
  renew(held: Reservation, at: number): Promise<boolean>;
  /** Returns the money and the slot, unless it was renewed since `madeAt`; false means that it is gone. */
  release(reservation: ReservedMoney, madeAt?: number): Promise<boolean>;
};

/** For the sweeper: a reservation is due when the request that made it must have ended, a notice at once. */
export type DueReservations = {
  /** Reservations and notices of all accounts that are due by the given time. */
  due(until: number): AsyncIterable<Reservation | BudgetNotice>;
  /** Postpones the next check of a reservation that belongs to a task; false means that it is gone. */
  postpone(reservation: Reservation, dueAt: number): Promise<boolean>;
  removeNotice(notice: BudgetNotice): Promise<void>;
};
