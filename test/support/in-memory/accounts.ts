import {
  type BudgetMarks,
  type BudgetNotice,
  budgetMark,
  noticesOfReservation,
} from '../../../functions/billing/domain/budget.ts';
import {
  type AccountUsage,
  allTogether,
  amountBefore,
  type Ceilings,
  ORPHAN_AGE,
  type Reservation,
} from '../../../functions/billing/domain/limits.ts';
import { toMinute, toUtcMonth } from '../../../functions/billing/domain/periods.ts';
import type {
  AccountRepository,
  DueReservations,
  ReservedMoney,
  ReserveOptions,
  ReserveOutcome,
} from '../../../functions/billing/domain/ports.ts';
import { isSessionId } from '../../../functions/identity/domain/session.ts';
import { isNegative, minus, negative, plus } from '../../../functions/platform/domain/money.ts';
import { type Call, callAtOnce } from './call.ts';

type Spending = Pick<ReservedMoney, 'account' | 'keyId' | 'month' | 'amount'>;
type Stored = { readonly reservation: Reservation; readonly dueAt: number };

/** The tables of accounts and reservations with their conditions; each method is one transaction. */
export class MemoryAccounts {
  /** By task. */
  readonly #reservations = new Map<string, Stored>();
  readonly #sums = new Map<string, string>();
  readonly #creates = new Map<string, number>();
  readonly #videos = new Map<string, number>();
  readonly #marks = new Map<string, BudgetMarks>();
  /** Those that wait for the sweeper, by the id of their event. */
  readonly #notices = new Map<string, BudgetNotice>();
  /** All that were ever written. */
  readonly reached: BudgetNotice[] = [];
  /** How often reservations, sums and charges have changed; a charge always ends a reservation or adds to a sum. */
  changes = 0;
  /** How often each reservation was taken back. */
  readonly releases = new Map<string, number>();

  readonly reserve = (
    first: Reservation,
    ceilings: Ceilings,
    { notices = [], moreTaskIds = [] }: ReserveOptions,
  ): ReserveOutcome => {
    const { account, taskId, month, keyId, at } = first;
    const taskIds = [taskId, ...moreTaskIds];
    const reservation = allTogether(first, taskIds.length);
    if (moreTaskIds.some((each) => this.#reservations.has(each)))
      throw new Error(`a reservation of ${taskId} exists already`);
    const held = this.#reservations.get(taskId);
    if (held !== undefined) return { outcome: 'taken', held: held.reservation };
    const usage = {
      committed: this.sum(account, month),
      committedByKey: this.sum(keyOwner(account, keyId), month),
      videos: this.videos(account),
      creates: this.creates(account, at),
    };
    const marks = this.marks(account);
    const reached = noticesOfReservation({ reservation, ceilings, usage, marks, currency: '' });
    const isMarkedNow = toThresholds(reached) === toThresholds(notices);
    if (!fits(reservation, ceilings, usage, taskIds.length) || !isMarkedNow)
      return { outcome: 'refused', usage, marks };
    this.#mark(notices);
    for (const each of taskIds) this.#put({ ...first, taskId: each });
    this.#creates.set(`${account} ${toMinute(at)}`, usage.creates + taskIds.length);
    this.#countVideo(reservation, taskIds.length);
    this.#add(reservation, reservation.amount, reservation.countsForKey);
    return { outcome: 'reserved' };
  };

  readonly markRefusal = (notices: readonly BudgetNotice[]): boolean => {
    const isOutdated = ({ account, month, used, ...notice }: BudgetNotice): boolean =>
      this.marks(account)[budgetMark({ ...notice, month })] !== undefined ||
      isNegative(minus(this.sum(account, month), used));
    if (notices.length === 0 || notices.some(isOutdated)) return false;
    this.#mark(notices);
    return true;
  };

  readonly removeNotice = ({ id }: BudgetNotice): void => void this.#notices.delete(id);

  readonly notices = (): BudgetNotice[] => [...this.#notices.values()];

  readonly marks = (account: string): BudgetMarks => this.#marks.get(account) ?? {};

  #mark(notices: readonly BudgetNotice[]): void {
    for (const notice of notices) {
      const marks = { ...this.marks(notice.account), [budgetMark(notice)]: notice.used };
      this.#marks.set(notice.account, marks);
      this.#notices.set(notice.id, notice);
      this.reached.push(notice);
    }
  }

  readonly renew = (held: Reservation, at: number): boolean => {
    if (!this.#isHeld(held, held.at)) return false;
    this.#put({ ...held, at });
    return true;
  };

  readonly release = (released: ReservedMoney, madeAt?: number): boolean => {
    if (!this.#isHeld(released, madeAt)) return false;
    this.#reservations.delete(released.taskId);
    const reservation = `${released.id} of ${released.taskId}`;
    this.releases.set(reservation, (this.releases.get(reservation) ?? 0) + 1);
    this.#countVideo(released, -1);
    this.#add(released, released.amount && negative(released.amount), released.countsForKey);
    return true;
  };

  /** The money stays: it is charged now, except what the charge does not need. */
  readonly charge = (reserved: ReservedMoney, amount: string | null): void => {
    if (!this.#isHeld(reserved)) {
      this.spend({ ...reserved, amount });
      return;
    }
    this.#reservations.delete(reserved.taskId);
    this.#countVideo(reserved, -1);
    const change = minus(amount ?? '0', reserved.amount ?? '0');
    this.#add(reserved, change, false);
    this.#addForKey(reserved, reserved.countsForKey ? change : amount);
  };

  /** Charges count for keys without a budget too, so that one that is set later includes them. */
  readonly spend = (spending: Spending): void => this.#add(spending, spending.amount, true);

  readonly due = (before: number): (Reservation | BudgetNotice)[] => [
    ...[...this.#reservations.values()]
      .filter(({ dueAt }) => dueAt <= before)
      .map(({ reservation }) => reservation),
    ...this.notices().filter(({ at }) => at <= before),
  ];

  readonly postpone = (reservation: Reservation, dueAt: number): boolean => {
    if (!this.#isHeld(reservation, reservation.at)) return false;
    this.#reservations.set(reservation.taskId, { reservation, dueAt });
    return true;
  };

  readonly reservations = (): Reservation[] =>
    [...this.#reservations.values()].map(({ reservation }) => reservation);

  readonly videos = (account: string): number => this.#videos.get(account) ?? 0;
  readonly creates = (account: string, at: number): number =>
    this.#creates.get(`${account} ${toMinute(at)}`) ?? 0;
  readonly sum = (owner: string, month: string): string => this.#sums.get(`${owner} ${month}`) ?? '0';

  /** All that is committed in any month. */
  readonly committed = (account: string): string =>
    [...this.#sums]
      .filter(([name]) => name.startsWith(`${account} `))
      .reduce((sum, [, amount]) => plus(sum, amount), '0');

  #put(reservation: Reservation): void {
    this.changes += 1;
    const dueAt = reservation.at + ORPHAN_AGE[reservation.kind];
    this.#reservations.set(reservation.taskId, { reservation, dueAt });
  }

  #isHeld({ taskId, id }: ReservedMoney, madeAt?: number): boolean {
    const held = this.#reservations.get(taskId)?.reservation;
    return held?.id === id && (madeAt === undefined || held.at === madeAt);
  }

  #countVideo({ account, kind }: ReservedMoney, count: number): void {
    this.changes += 1;
    if (kind === 'videos') this.#videos.set(account, this.videos(account) + count);
  }

  #add(spending: Spending, amount: string | null, isForKey: boolean): void {
    this.changes += 1;
    const { account, month } = spending;
    if (amount !== null) this.#sums.set(`${account} ${month}`, plus(this.sum(account, month), amount));
    if (isForKey) this.#addForKey(spending, amount);
  }

  /** Console sessions have no budget. */
  #addForKey({ account, keyId, month }: Spending, amount: string | null): void {
    if (amount === null || isSessionId(keyId)) return;
    const owner = keyOwner(account, keyId);
    this.#sums.set(`${owner} ${month}`, plus(this.sum(owner, month), amount));
  }
}

/** The owner of the sums of an API key. */
export const keyOwner = (account: string, keyId: string): string => `${account}#${keyId}`;

const toThresholds = (notices: readonly BudgetNotice[]): string =>
  notices.map(({ threshold }) => threshold).join();

const isOver = (room: string | undefined, used: string): boolean =>
  room !== undefined && isNegative(minus(room, used));

const fits = (reservation: Reservation, ceilings: Ceilings, usage: AccountUsage, count: number): boolean => {
  const { monthlyBudget, createsPerMinute, videosAtOnce } = ceilings.limits;
  return (
    !isOver(amountBefore(monthlyBudget, reservation), usage.committed) &&
    !isOver(amountBefore(ceilings.keyBudget, reservation), usage.committedByKey) &&
    usage.creates + count <= (createsPerMinute ?? Number.POSITIVE_INFINITY) &&
    (reservation.kind === 'images' || usage.videos + count <= (videosAtOnce ?? Number.POSITIVE_INFINITY))
  );
};

export const accountsPort = (
  accounts: MemoryAccounts,
  call: Call = callAtOnce,
): AccountRepository & DueReservations => ({
  find: async (account, now) => {
    const found = {
      limits: {},
      committed: accounts.sum(account, toUtcMonth(now)),
      marks: accounts.marks(account),
      creates: accounts.creates(account, now),
      outdated: [],
    };
    return call('accounts.find', () => found);
  },
  reserve: (...given) => call('accounts.reserve', () => accounts.reserve(...given)),
  markRefusal: (...given) => call('accounts.markRefusal', () => accounts.markRefusal(...given), false),
  renew: (...given) => call('accounts.renew', () => accounts.renew(...given), false),
  release: (...given) => call('accounts.release', () => accounts.release(...given), false),
  due: async function* (before) {
    yield* await call('accounts.due', () => accounts.due(before));
  },
  postpone: (...given) => call('accounts.postpone', () => accounts.postpone(...given), false),
  removeNotice: (...given) => call('accounts.removeNotice', () => accounts.removeNotice(...given)),
});
