import {
  type AccountUse,
  type Ceilings,
  type Reservation,
  roomFor,
  videosAtOnce,
} from '../../../functions/domain/limits.ts';
import { isNegative, minus, negative, plus } from '../../../functions/domain/money.ts';
import { minuteOf } from '../../../functions/domain/periods.ts';
import type { AccountRepository, ReservationList, ReservedMoney } from '../../../functions/domain/ports.ts';

type Reserved = Awaited<ReturnType<AccountRepository['reserve']>>;

/** The account table with its conditions; `committed` and the rest are as in the item. */
export class MemoryAccounts {
  readonly #reservations = new Map<string, Reservation>();
  readonly #sums = new Map<string, string>();
  readonly #creates = new Map<string, number>();
  readonly #opened = new Set<string>();
  /** How often each reservation was taken back. */
  readonly releases = new Map<string, number>();

  readonly isOpen = (account: string): boolean => this.#opened.has(account);
  readonly open = (account: string): void => void this.#opened.add(account);

  readonly reserve = (reservation: Reservation, ceilings: Ceilings): Reserved => {
    const { account, keyId, month, at, id } = reservation;
    if (!this.isOpen(account)) throw new Error(`the account ${account} is not open`);
    const held = [...this.#reservations.values()].filter((each) => each.account === account);
    const minute = `${account} ${minuteOf(at)}`;
    const use = {
      committed: this.#sum(account, month),
      committedByKey: this.#sum(keyId, month),
      videos: held.filter(({ kind }) => kind === 'videos').length,
      creates: this.#creates.get(minute) ?? 0,
    };
    if (this.#reservations.has(id)) return { reserved: true, use, held };
    if (!fits(reservation, ceilings, use)) return { reserved: false, use, held };
    this.#reservations.set(id, reservation);
    this.#creates.set(minute, use.creates + 1);
    this.#add(reservation, reservation.amount);
    const committed = { committed: this.#sum(account, month), committedByKey: this.#sum(keyId, month) };
    return { reserved: true, use: { ...use, ...committed, creates: use.creates + 1 }, held: [] };
  };

  readonly release = (released: ReservedMoney): boolean => {
    if (!this.#reservations.delete(released.id)) return false;
    this.releases.set(released.id, (this.releases.get(released.id) ?? 0) + 1);
    this.#add(released, released.amount && negative(released.amount));
    return true;
  };

  /** The money stays: it is charged now. */
  readonly charge = (charged: ReservedMoney): void => {
    if (!this.#reservations.delete(charged.id)) this.#add(charged, charged.amount);
  };

  readonly reservations = (): Reservation[] => [...this.#reservations.values()];

  /** All that is committed in any month. */
  readonly committed = (account: string): string =>
    [...this.#sums]
      .filter(([name]) => name.startsWith(`${account} `))
      .reduce((sum, [, amount]) => plus(sum, amount), '0');

  #sum(owner: string, month: string): string {
    return this.#sums.get(`${owner} ${month}`) ?? '0';
  }

  #add({ account, keyId, countsForKey, month }: ReservedMoney, amount: string | null): void {
    if (amount === null) return;
    for (const owner of countsForKey ? [account, keyId] : [account])
      this.#sums.set(`${owner} ${month}`, plus(this.#sum(owner, month), amount));
  }
}

const isOver = (room: string | undefined, used: string): boolean =>
  room !== undefined && isNegative(minus(room, used));

const fits = (reservation: Reservation, ceilings: Ceilings, use: AccountUse): boolean =>
  !isOver(roomFor(ceilings.limits.monthlyBudget, reservation), use.committed) &&
  !isOver(roomFor(ceilings.keyBudget, reservation), use.committedByKey) &&
  use.creates < (ceilings.limits.createsPerMinute ?? Number.POSITIVE_INFINITY) &&
  (reservation.kind === 'images' || use.videos < videosAtOnce(ceilings));

/** The port straight onto it: no delay, no fault. */
export const plainAccounts = (accounts: MemoryAccounts): AccountRepository & ReservationList => ({
  find: async (account) => ({
    limits: { monthlyBudget: undefined, videosAtOnce: undefined, createsPerMinute: undefined },
    committed: accounts.committed(account),
    isOpen: accounts.isOpen(account),
    outdated: [],
  }),
  open: async (account) => accounts.open(account),
  reserve: async (reservation, ceilings) => accounts.reserve(reservation, ceilings),
  release: async (reservation) => accounts.release(reservation),
  reservations: async function* () {
    yield* accounts.reservations();
  },
});
