import { randomBytes } from 'node:crypto';
import type { Caller } from '../../platform/domain/api-key.ts';
import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { AccountLimits } from './account-limits.ts';
import {
  type Ceilings,
  findExceededLimit,
  priceOverBudget,
  type Reservation,
  type ReservationKind,
  toRateLimit,
  unpricedBudget,
} from './limits.ts';
import { toUtcMonth } from './periods.ts';
import type { AccountRepository } from './ports.ts';

export type Limiter = {
  readonly accounts: Pick<AccountRepository, 'reserve' | 'renew' | 'release'>;
  readonly limits: AccountLimits;
  readonly currency: string;
  readonly logger: Logger;
  readonly now: Clock;
};

type ReservationRequest = {
  readonly kind: ReservationKind;
  readonly taskId: string;
  /** Names the priced item in error messages. */
  readonly what: string;
  readonly amount: string | null;
};

export type Admission = {
  readonly reservation: Reservation;
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

/** Returns the reservation of this request, or the one that an earlier try of it made. */
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
    const refusal = findExceededLimit({ reservation: wanted, ceilings, usage: result.usage, currency });
    if (refusal !== undefined) throw refusal;
    // No limit is exceeded, so the mark is missing: the next try sets it, unless another request already has.
    marksBudget = !marksBudget;
  }
  throw new DomainError('rate_limited', 'The account has too many requests at the same time. Try again.', {
    retryAfterSeconds: 1,
  });
};

/** Reserves money and a video slot before anything is spent; undefined if the caller has no limits. */
export const reserve = async (
  limiter: Limiter,
  caller: Caller,
  request: ReservationRequest,
): Promise<Admission | undefined> => {
  const { limits, currency, now } = limiter;
  const known = await limits.find(caller);
  if (known === undefined) return undefined;
  const ceilings = { limits: known.limits, keyBudget: caller.monthlyBudget };
  const { kind, taskId, amount } = request;
  const at = now();
  const { account, keyId } = caller;
  const id = randomBytes(9).toString('base64url');
  const countsForKey = caller.monthlyBudget !== undefined;
  const wanted = { id, kind, account, keyId, countsForKey, month: toUtcMonth(at), amount, taskId, at };
  const impossible = unpricedBudget(ceilings, request) ?? priceOverBudget(ceilings, wanted, currency);
  if (impossible !== undefined) throw impossible;
  const reservation = await hold(limiter, wanted, ceilings, known.outdated);
  return { reservation, rateLimit: toRateLimit(ceilings, limits.countCreate(account, at), at) };
};
