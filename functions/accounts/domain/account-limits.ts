import type { Caller } from '../../platform/domain/api-key.ts';
import { expiringMap } from '../../platform/domain/expiring-map.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { Limits } from './limits.ts';
import { toMinute } from './periods.ts';
import type { AccountRepository, StoredAccount } from './ports.ts';

type KnownLimits = { readonly limits: Limits; readonly outdated: readonly string[] };

export type AccountLimits = {
  /** The limits of the caller's account, or undefined if the caller has no limits. */
  find(caller: Caller): Promise<KnownLimits | undefined>;
  /** Counts an admitted create and returns the known number of creates in that minute. */
  countCreate(account: string, at: number): number;
};

/** A limit that the operator changes takes effect within this time. */
const KEEP_MILLISECONDS = 60_000;

/** An account's own value wins; null means "no limit" and overrides the default. */
const ownOrDefault = <T>(own: T | null | undefined, fallback: T | undefined): T | undefined =>
  own === undefined ? fallback : (own ?? undefined);

/** The account's own limits, with the defaults for limits that it does not set. */
export const effectiveLimits = (found: StoredAccount | undefined, defaults: Limits): Limits => {
  const { monthlyBudget, videosAtOnce, createsPerMinute } = found?.limits ?? defaults;
  return {
    monthlyBudget: ownOrDefault(monthlyBudget, defaults.monthlyBudget),
    videosAtOnce: ownOrDefault(videosAtOnce, defaults.videosAtOnce),
    createsPerMinute: ownOrDefault(createsPerMinute, defaults.createsPerMinute),
  };
};

export const accountLimits = (
  accounts: Pick<AccountRepository, 'find'>,
  defaults: Limits,
  now: Clock,
): AccountLimits => {
  const limits = expiringMap<KnownLimits>(now);
  /** A transaction returns no counters: these are the last ones read, plus the creates made here since. */
  const counters = expiringMap<{ readonly minute: number; readonly creates: number }>(now);

  const lookUp = async (account: string): Promise<KnownLimits> => {
    const time = now();
    const found = await accounts.find(account, time);
    const known = { limits: effectiveLimits(found, defaults), outdated: found?.outdated ?? [] };
    limits.set(account, known, time + KEEP_MILLISECONDS);
    const counter = { minute: toMinute(time), creates: found?.creates ?? 0 };
    counters.set(account, counter, time + KEEP_MILLISECONDS);
    return known;
  };

  return {
    find: async ({ account, monthlyBudget }) => {
      const known = limits.get(account) ?? (await lookUp(account));
      const isLimited =
        monthlyBudget !== undefined || Object.values(known.limits).some((limit) => limit !== undefined);
      return isLimited ? known : undefined;
    },

    countCreate: (account, at) => {
      const minute = toMinute(at);
      const last = counters.get(account);
      const creates = (last?.minute === minute ? last.creates : 0) + 1;
      counters.set(account, { minute, creates }, at + KEEP_MILLISECONDS);
      return creates;
    },
  };
};
