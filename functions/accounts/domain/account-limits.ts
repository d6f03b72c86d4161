import type { Caller } from '../../platform/domain/api-key.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { Limits } from './limits.ts';
import { minuteOf } from './periods.ts';
import type { AccountRepository, StoredAccount } from './ports.ts';

export type KnownLimits = { readonly limits: Limits; readonly outdated: readonly string[] };

export type AccountLimits = {
  /** The limits of the caller's account; undefined where nothing limits the caller. */
  find(caller: Caller): Promise<KnownLimits | undefined>;
  /** Counts a create that was admitted, and tells how many are known in its minute. */
  countCreate(account: string, at: number): number;
};

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

type Kept = { readonly known: KnownLimits; readonly until: number };
type Counted = { readonly minute: number; readonly creates: number };

export const accountLimits = (
  accounts: Pick<AccountRepository, 'find'>,
  defaults: Limits,
  now: Clock,
): AccountLimits => {
  const kept = new Map<string, Kept>();
  /** A transaction tells no counts: these are of the last look at the account, and the creates made here since. */
  const counted = new Map<string, Counted>();

  const lookUp = async (account: string): Promise<KnownLimits> => {
    const time = now();
    const found = await accounts.find(account, time);
    const known = { limits: limitsIn(found, defaults), outdated: found?.outdated ?? [] };
    if (kept.size >= MAX_KEPT) {
      kept.clear();
      counted.clear();
    }
    kept.set(account, { known, until: time + KEEP_MILLISECONDS });
    counted.set(account, { minute: minuteOf(time), creates: found?.creates ?? 0 });
    return known;
  };

  return {
    find: async ({ account, monthlyBudget }) => {
      const entry = kept.get(account);
      const known = entry !== undefined && now() < entry.until ? entry.known : await lookUp(account);
      const isLimited =
        monthlyBudget !== undefined || Object.values(known.limits).some((limit) => limit !== undefined);
      return isLimited ? known : undefined;
    },

    countCreate: (account, at) => {
      const minute = minuteOf(at);
      const before = counted.get(account);
      const creates = (before?.minute === minute ? before.creates : 0) + 1;
      counted.set(account, { minute, creates });
      return creates;
    },
  };
};
