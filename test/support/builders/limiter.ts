import type { Limits } from '../../../functions/domain/limits.ts';
import type { AccountRepository, Clock, Logger } from '../../../functions/domain/ports.ts';
import { accountLimits } from '../../../functions/usecases/account-limits.ts';
import type { Limiter } from '../../../functions/usecases/reserve.ts';
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
