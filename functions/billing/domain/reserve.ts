import { randomBytes } from 'node:crypto';
import type { Caller } from '../../identity/domain/api-key.ts';
import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import { expiringMap } from '../../platform/domain/expiring-map.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { type BudgetNotice, noticesOfRefusal, noticesOfReservation } from './budget.ts';
import {
  type AccountUsage,
  allTogether,
  areSameLimits,
  type Ceilings,
  countOverRate,
  findExceededLimit,
  type Limits,
  type OwnLimits,
  priceOverBudget,
  type Reservation,
  type ReservationKind,
  toRateLimit,
  unpricedBudget,
} from './limits.ts';
import { toMinute, toUtcMonth } from './periods.ts';
import type { AccountRepository, ReserveOptions, StoredAccount } from './ports.ts';

type KnownLimits = {
  readonly limits: Limits;
  /** The account's own limits as they were read. */
  readonly read: OwnLimits;
  readonly outdated: readonly string[];
};

type AccountLimits = {
  /** The limits of the caller's account, or undefined if the caller has no limits. */
  find(caller: Caller): Promise<KnownLimits | undefined>;
  /** As above, read now. */
  findAgain(caller: Caller): Promise<KnownLimits | undefined>;
  /** Counts admitted creates and returns the known number of creates in that minute. */
  countCreate(account: string, at: number, count?: number): number;
};

/**
 * A changed limit takes effect at once, because a reservation requires the limits that were read. Requests of an account
 * without limits reserve nothing: its first limit takes effect within this time.
 */
const KEEP_MILLISECONDS = 60_000;

/** An account's own value wins; null means "no limit" and overrides the default. */
const ownOrDefault = <T>(own: T | null | undefined, fallback: T | undefined): T | undefined =>
  own === undefined ? fallback : (own ?? undefined);

/** The account's own limits, with the defaults for limits that it does not set. */
export const effectiveLimits = (
  found: Pick<StoredAccount, 'limits'> | undefined,
  defaults: Limits,
): Limits => {
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
    const known = {
      limits: effectiveLimits(found, defaults),
      read: found?.limits ?? {},
      outdated: found?.outdated ?? [],
    };
    limits.set(account, known, time + KEEP_MILLISECONDS);
    const counter = { minute: toMinute(time), creates: found?.creates ?? 0 };
    counters.set(account, counter, time + KEEP_MILLISECONDS);
    return known;
  };

  const ifLimited = ({ monthlyBudget }: Caller, known: KnownLimits): KnownLimits | undefined =>
    monthlyBudget !== undefined || Object.values(known.limits).some((limit) => limit !== undefined)
      ? known
      : undefined;

  return {
    find: async (caller) => ifLimited(caller, limits.get(caller.account) ?? (await lookUp(caller.account))),
    findAgain: async (caller) => ifLimited(caller, await lookUp(caller.account)),

    countCreate: (account, at, count = 1) => {
      const minute = toMinute(at);
      const last = counters.get(account);
      const creates = (last?.minute === minute ? last.creates : 0) + count;
      counters.set(account, { minute, creates }, at + KEEP_MILLISECONDS);
      return creates;
    },
  };
};

export type Limiter = {
  readonly accounts: Pick<AccountRepository, 'reserve' | 'markRefusal' | 'renew' | 'release'>;
  readonly limits: AccountLimits;
  readonly currency: string;
  readonly logger: Logger;
  readonly now: Clock;
};

type ReservationRequest = {
  readonly kind: ReservationKind;
  readonly taskId: string;
  /** Further tasks of the same request: each gets a reservation of its own, and all are admitted or none. */
  readonly moreTaskIds?: readonly string[];
  /** Names the priced item in error messages. */
  readonly what: string;
  readonly amount: string | null;
};

export type Admission = {
  readonly reservation: Reservation;
  /** Those of `moreTaskIds`, in the same order. */
  readonly more: readonly Reservation[];
  readonly rateLimit: RateLimit | undefined;
};

/** A try is repeated only if another request changed the account in between. */
const MAX_TRIES = 5;
/** A create has 28 seconds, so the request that made an older reservation has ended. */
const LONGEST_CREATE = 60_000;

/** Keys are compared because each key has its own budget. */
const hasSameTerms = (held: Reservation, wanted: Reservation): boolean =>
  held.kind === wanted.kind &&
  held.keyId === wanted.keyId &&
  held.countsForKey === wanted.countsForKey &&
  held.amount === wanted.amount &&
  held.month === wanted.month;

/** Takes over the reservation of an earlier try of the same request; undefined means that it is gone. */
const takeOver = async (
  { accounts }: Limiter,
  held: Reservation,
  wanted: Reservation,
): Promise<Reservation | undefined> => {
  const { at } = wanted;
  if (hasSameTerms(held, wanted)) return (await accounts.renew(held, at)) ? { ...held, at } : undefined;
  const waitMilliseconds = held.at + LONGEST_CREATE - at;
  if (waitMilliseconds > 0)
    throw new DomainError(
      'rate_limited',
      'A request with the same Idempotency-Key and other parameters is in progress. Try again when it has ended.',
      { retryAfterSeconds: Math.ceil(waitMilliseconds / 1000) },
    );
  await accounts.release(held, held.at);
  return undefined;
};

/** Returns the reservation of this request, or the one that an earlier try of it made; undefined if the limits have changed. */
const hold = async (
  limiter: Limiter,
  wanted: Reservation,
  ceilings: Ceilings,
  { read, outdated, moreTaskIds = [] }: KnownLimits & Pick<ReserveOptions, 'moreTaskIds'>,
): Promise<Reservation | undefined> => {
  const { accounts, currency } = limiter;
  const count = 1 + moreTaskIds.length;
  const reservation = allTogether(wanted, count);
  let notices: readonly BudgetNotice[] = [];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await accounts.reserve(wanted, ceilings, { read, outdated, notices, moreTaskIds });
    if (result.outcome === 'reserved') {
      logNearlyUsed(limiter, notices);
      return wanted;
    }
    if (result.outcome === 'taken') {
      const taken = await takeOver(limiter, result.held, wanted);
      if (taken !== undefined) return taken;
      continue;
    }
    const { usage, marks, limits } = result;
    if (limits !== undefined && !areSameLimits(limits, read)) return undefined;
    const refusal = findExceededLimit({ reservation, ceilings, usage, currency, count });
    if (refusal !== undefined) {
      await markRefusal(limiter, noticesOfRefusal({ reservation, ceilings, usage, marks, currency }));
      throw refusal;
    }
    // No limit is exceeded, so the reservation reaches a threshold: the next try marks it.
    notices = noticesOfReservation({ reservation, ceilings, usage, marks, currency });
  }
  throw tooManyAtOnce();
};

const tooManyAtOnce = (): DomainError =>
  new DomainError('rate_limited', 'The account has too many requests at the same time. Try again.', {
    retryAfterSeconds: 1,
  });

const logNearlyUsed = ({ logger }: Limiter, notices: readonly BudgetNotice[]): void => {
  for (const { account, month, threshold } of notices)
    if (threshold === 80) logger.info('budget nearly used', { account, month });
};

/** The refusal is the answer in any case; if the mark fails, the next refused request sets it. */
const markRefusal = async (limiter: Limiter, notices: readonly BudgetNotice[]): Promise<void> => {
  const [first] = notices;
  if (first === undefined) return;
  try {
    if (await limiter.accounts.markRefusal(notices)) logNearlyUsed(limiter, notices);
  } catch (error) {
    limiter.logger.error('budget not marked', error, { account: first.account, month: first.month });
  }
};

/** The price and the limits of a request, before anything is reserved. */
type Terms = {
  readonly wanted: Reservation;
  readonly ceilings: Ceilings;
  readonly count: number;
  /** Why no request like it can ever be admitted. */
  readonly impossible: DomainError | undefined;
};

const toTerms = (
  caller: Caller,
  limits: Limits,
  { kind, taskId, moreTaskIds = [], amount, what }: ReservationRequest,
  { currency, at }: { readonly currency: string; readonly at: number },
): Terms => {
  const { account, keyId, monthlyBudget: keyBudget } = caller;
  const ceilings = { limits, keyBudget };
  const count = 1 + moreTaskIds.length;
  const id = randomBytes(9).toString('base64url');
  const countsForKey = keyBudget !== undefined;
  const wanted = { id, kind, account, keyId, countsForKey, month: toUtcMonth(at), amount, taskId, at };
  const impossible =
    unpricedBudget(ceilings, { amount, what }) ??
    priceOverBudget(ceilings, allTogether(wanted, count), currency) ??
    countOverRate(ceilings, count);
  return { wanted, ceilings, count, impossible };
};

/** The error that a request would get now; undefined if it would be admitted. Nothing is reserved. */
export const predictRefusal = (
  caller: Caller,
  limits: Limits,
  request: ReservationRequest,
  { usage, ...moment }: { readonly usage: AccountUsage; readonly currency: string; readonly at: number },
): DomainError | undefined => {
  const { wanted, ceilings, count, impossible } = toTerms(caller, limits, request, moment);
  const reservation = allTogether(wanted, count);
  return impossible ?? findExceededLimit({ reservation, ceilings, usage, currency: moment.currency, count });
};

/** Undefined if the limits may have changed since they were read. */
const tryToReserve = async (
  limiter: Limiter,
  caller: Caller,
  request: ReservationRequest,
  known: KnownLimits & { readonly isReadNow: boolean },
): Promise<Admission | undefined> => {
  const { limits, currency, now } = limiter;
  const { moreTaskIds = [] } = request;
  const at = now();
  const { wanted, ceilings, count, impossible } = toTerms(caller, known.limits, request, { currency, at });
  if (impossible !== undefined && known.isReadNow) throw impossible;
  if (impossible !== undefined) return undefined;
  const reservation = await hold(limiter, wanted, ceilings, { ...known, moreTaskIds });
  return (
    reservation && {
      reservation,
      more: moreTaskIds.map((other) => ({ ...reservation, taskId: other })),
      rateLimit: toRateLimit(ceilings, limits.countCreate(caller.account, at, count), at),
    }
  );
};

/** Reserves money and a video slot before anything is spent; undefined if the caller has no limits. */
export const reserve = async (
  limiter: Limiter,
  caller: Caller,
  request: ReservationRequest,
): Promise<Admission | undefined> => {
  let known = await limiter.limits.find(caller);
  for (let tries = 0; known !== undefined && tries < MAX_TRIES; tries += 1) {
    const admission = await tryToReserve(limiter, caller, request, { ...known, isReadNow: tries > 0 });
    if (admission !== undefined) return admission;
    known = await limiter.limits.findAgain(caller);
  }
  if (known === undefined) return undefined;
  throw tooManyAtOnce();
};
