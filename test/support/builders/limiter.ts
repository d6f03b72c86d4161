import type { Ceilings, Limits, Reservation } from '../../../functions/billing/domain/limits.ts';
import type { AccountRepository } from '../../../functions/billing/domain/ports.ts';
import { accountLimits, type Limiter } from '../../../functions/billing/domain/reserve.ts';
import type { Clock, Logger } from '../../../functions/platform/domain/log-events.ts';
import { accountsPort, MemoryAccounts } from '../in-memory/accounts.ts';

export const NO_LIMITS: Limits = {
  monthlyBudget: undefined,
  videosAtOnce: undefined,
  createsPerMinute: undefined,
};

/** Applies the same limits to every account. */
export const buildLimiter = (
  limits: Partial<Limits> = {},
  accounts: AccountRepository = accountsPort(new MemoryAccounts()),
  now: Clock = () => 1000,
  logger: Logger = { info: () => {}, error: () => {} },
): Limiter => ({
  accounts,
  limits: accountLimits(accounts, { ...NO_LIMITS, ...limits }, now),
  currency: 'USD',
  logger,
  now,
});

export const MONTH = '2026-11';
export const AT = Date.UTC(2026, 10, 15, 10, 0, 30);

export const aReservation = (
  account: string,
  id: string,
  change: Partial<Reservation> = {},
): Reservation => ({
  id,
  kind: 'videos',
  account,
  keyId: 'key_1',
  countsForKey: true,
  month: MONTH,
  amount: '0.1001',
  taskId: `${account} ${id}`,
  at: AT,
  ...change,
});

export const within = (limits: Partial<Limits>, keyBudget?: string): Ceilings => ({
  limits: { ...NO_LIMITS, ...limits },
  keyBudget,
});
