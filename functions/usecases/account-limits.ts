import type { Caller } from '../domain/api-key.ts';
import type { Limits } from '../domain/limits.ts';
import type { AccountRepository, Clock, StoredAccount } from '../domain/ports.ts';

type Known = { readonly limits: Limits; readonly outdated: readonly string[]; readonly isOpen: boolean };

/** The limits of the caller's account, opened for reservations; undefined where nothing limits the caller. */
export type AccountLimits = (caller: Caller) => Promise<Omit<Known, 'isOpen'> | undefined>;

/** What the operator changes holds within this time. */
const KEEP_MILLISECONDS = 60_000;
const MAX_KEPT = 1000;

/** The account's own value, also where it says that there is no limit; else the default. */
const own = <T>(value: T | null | undefined, fallback: T | undefined): T | undefined =>
  value === undefined ? fallback : (value ?? undefined);

/** What holds for the account: its own limits, and the defaults where it has none. */
export const limitsIn = (found: StoredAccount | undefined, defaults: Limits): Limits => {
  const { monthlyBudget, videosAtOnce, createsPerMinute } = found?.limits ?? defaults;
  return {
    monthlyBudget: own(monthlyBudget, defaults.monthlyBudget),
    videosAtOnce: own(videosAtOnce, defaults.videosAtOnce),
    createsPerMinute: own(createsPerMinute, defaults.createsPerMinute),
  };
};

export const accountLimits = (accounts: AccountRepository, defaults: Limits, now: Clock): AccountLimits => {
  const kept = new Map<string, { readonly known: Known; readonly until: number }>();

  const keep = (account: string, known: Known, until: number): Known => {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(account, { known, until });
    return known;
  };

  const lookUp = async (account: string): Promise<Known> => {
    const time = now();
    const found = await accounts.find(account, time);
    const limits = limitsIn(found, defaults);
    const known = { limits, outdated: found?.outdated ?? [], isOpen: found?.isOpen ?? false };
    return keep(account, known, time + KEEP_MILLISECONDS);
  };

  return async ({ account, monthlyBudget }) => {
    const entry = kept.get(account);
    const known = entry !== undefined && now() < entry.until ? entry.known : await lookUp(account);
    const isLimited =
      monthlyBudget !== undefined || Object.values(known.limits).some((limit) => limit !== undefined);
    if (!isLimited) return undefined;
    if (!known.isOpen) {
      await accounts.open(account);
      keep(account, { ...known, isOpen: true }, kept.get(account)?.until ?? 0);
    }
    return known;
  };
};
