import type { ChargeRecord, ImageChargeRecord } from '../../../functions/billing/domain/charges.ts';
import { toUtcMonth } from '../../../functions/billing/domain/periods.ts';
import type { ChargeRepository, ReservedMoney } from '../../../functions/billing/domain/ports.ts';
import { type DailyUsage, dailyUsageEntry, toDailyUsage } from '../../../functions/billing/domain/usage.ts';
import { plus } from '../../../functions/platform/domain/money.ts';
import { MemoryAccounts } from './accounts.ts';
import type { Call } from './call.ts';

type AnyCharge = ChargeRecord | ImageChargeRecord;

const added = (one: DailyUsage, other: DailyUsage): DailyUsage => ({
  ...one,
  quantity: one.quantity + other.quantity,
  requests: one.requests + other.requests,
  amount: one.amount === null || other.amount === null ? null : plus(one.amount, other.amount),
  cost: one.cost === null || other.cost === null ? null : plus(one.cost, other.cost),
});

/** The charge table and the sums of its days: a record is written once, and its reservation ends with it. */
export class MemoryCharges<Kind extends AnyCharge = ChargeRecord> {
  readonly #records = new Map<string, Kind>();
  readonly #days = new Map<string, DailyUsage>();
  readonly #accounts: MemoryAccounts;

  constructor(accounts: MemoryAccounts = new MemoryAccounts()) {
    this.#accounts = accounts;
  }

  readonly record = (charge: Kind, reservation?: ReservedMoney): void => {
    if (this.#records.has(charge.id)) return;
    this.#records.set(charge.id, charge);
    const use = toDailyUsage(charge);
    const entry = `${use.account} ${dailyUsageEntry(use)}`;
    const before = this.#days.get(entry);
    this.#days.set(entry, before === undefined ? use : added(before, use));
    const { account, keyId, amount, time } = charge;
    if (reservation !== undefined) this.#accounts.charge(reservation, amount);
    else this.#accounts.spend({ account, keyId, amount, month: toUtcMonth(time) });
  };

  readonly all = (): Kind[] => [...this.#records.values()];
  readonly days = (): DailyUsage[] => [...this.#days.values()];
}

export const chargesPort = <Kind extends AnyCharge>(
  charges: MemoryCharges<Kind>,
  call: Call,
): ChargeRepository<Kind> => ({
  record: (...given) => call('charges.record', () => charges.record(...given)),
});
