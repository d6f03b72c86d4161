import { randomBytes } from 'node:crypto';
import type { Caller } from '../../platform/domain/api-key.ts';
import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { AccountLimits } from './account-limits.ts';
import {
  type Ceilings,
  priceOverBudget,
  type Reservation,
  type ReservationKind,
  rateLimitOf,
  refusalOf,
  unpricedBudget,
} from './limits.ts';
import { monthOf } from './periods.ts';
import type { AccountRepository } from './ports.ts';

export type Limiter = {
  readonly accounts: Pick<AccountRepository, 'reserve' | 'renew' | 'release'>;
  readonly limits: AccountLimits;
  readonly currency: string;
  readonly logger: Logger;
  readonly now: Clock;
};

export type Ask = {
  readonly kind: ReservationKind;
  readonly taskId: string;
  /** What the price is of. */
  readonly what: string;
  readonly amount: string | null;
};

export type Admission = {
  readonly reservation: Reservation;
  readonly rateLimit: RateLimit | undefined;
};

/** Each try after the first follows on another request that changed the account in between. */
const MAX_TRIES = 5;
/** Whoever made a reservation so long ago is dead: a create has 28 seconds. */
const LONGEST_CREATE = 60_000;

/** Whether a reservation of an earlier try is what this one asks for. Another key has another budget. */
const isSame = (held: Reservation, wanted: Reservation): boolean =>
  held.kind === wanted.kind &&
  held.keyId === wanted.keyId &&
  held.countsForKey === wanted.countsForKey &&
  held.amount === wanted.amount &&
  held.month === wanted.month;

/** Takes over what an earlier try of the same request holds; undefined means that the way is free now. */
const takeOver = async (
  { accounts }: Limiter,
  held: Reservation,
  wanted: Reservation,
): Promise<Reservation | undefined> => {
  const { at } = wanted;
  if (isSame(held, wanted)) return (await accounts.renew(held, at)) ? { ...held, at } : undefined;
  const waitMilliseconds = held.at + LONGEST_CREATE - at;
  if (waitMilliseconds > 0)
    throw new DomainError(
      'rate_limited',
      'A request with this Idempotency-Key and other terms is in progress; try again when it has ended.',
      { retryAfterSeconds: Math.ceil(waitMilliseconds / 1000) },
    );
  await accounts.release(held, held.at);
  return undefined;
};

/** The reservation that the request has in the end: its own, or that of an earlier try. */
const hold = async (
  limiter: Limiter,
  wanted: Reservation,
  ceilings: Ceilings,
  outdated: readonly string[],
): Promise<Reservation> => {
  const { accounts, currency, logger } = limiter;
  let marksBudget = false;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await accounts.reserve(wanted, ceilings, { outdated, marksBudget });
    if (result.outcome === 'reserved') {
      if (marksBudget) logger.info('budget nearly used', { account: wanted.account, month: wanted.month });
      return wanted;
    }
    if (result.outcome === 'taken') {
      const taken = await takeOver(limiter, result.held, wanted);
      if (taken !== undefined) return taken;
      continue;
    }
    const refusal = refusalOf({ reservation: wanted, ceilings, use: result.use, currency });
    if (refusal !== undefined) throw refusal;
    // No limit is in the way, so it is the mark: the next try sets it, or finds that another request has.
    marksBudget = !marksBudget;
  }
  throw new DomainError('rate_limited', 'Too many requests of the account at once; try again.', {
    retryAfterSeconds: 1,
  });
};

/** Holds the price and the place before anything is spent; undefined where nothing limits the caller. */
export const reserve = async (limiter: Limiter, caller: Caller, ask: Ask): Promise<Admission | undefined> => {
  const { limits, currency, now } = limiter;
  const known = await limits.find(caller);
  if (known === undefined) return undefined;
  const ceilings = { limits: known.limits, keyBudget: caller.monthlyBudget };
  const { kind, taskId, amount } = ask;
  const at = now();
  const { account, keyId } = caller;
  const id = randomBytes(9).toString('base64url');
  const countsForKey = caller.monthlyBudget !== undefined;
  const wanted = { id, kind, account, keyId, countsForKey, month: monthOf(at), amount, taskId, at };
  const never = unpricedBudget(ceilings, ask) ?? priceOverBudget(ceilings, wanted, currency);
  if (never !== undefined) throw never;
  const reservation = await hold(limiter, wanted, ceilings, known.outdated);
  return { reservation, rateLimit: rateLimitOf(ceilings, limits.countCreate(account, at), at) };
};
