import { randomBytes } from 'node:crypto';
import type { Caller } from '../domain/api-key.ts';
import {
  passesMostOfBudget,
  priceOverBudget,
  type Reservation,
  type ReservationKind,
  rateLimitOf,
  refusalOf,
  unpricedBudget,
} from '../domain/limits.ts';
import { monthOf } from '../domain/periods.ts';
import type { AccountRepository, Clock, Logger } from '../domain/ports.ts';
import type { RateLimit } from '../domain/rate-limit.ts';
import type { AccountLimits } from './account-limits.ts';

export type Limiter = {
  readonly accounts: AccountRepository;
  readonly limitsOf: AccountLimits;
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

/** A reservation that another try of the same request made lately, and died; older ones may be released any moment. */
const ADOPTION_AGE = 60_000;

const adopted = (held: readonly Reservation[], wanted: Reservation): Reservation | undefined =>
  held.find(
    ({ taskId, keyId, amount, month, at }) =>
      taskId === wanted.taskId &&
      // Another key has another budget.
      keyId === wanted.keyId &&
      amount === wanted.amount &&
      month === wanted.month &&
      wanted.at - at < ADOPTION_AGE,
  );

/** Holds the price and the place before anything is spent; undefined where nothing limits the caller. */
export const reserve = async (
  { accounts, limitsOf, currency, logger, now }: Limiter,
  caller: Caller,
  ask: Ask,
): Promise<Admission | undefined> => {
  const known = await limitsOf(caller);
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
  const { reserved, use, held } = await accounts.reserve(wanted, ceilings, known.outdated);
  if (reserved && passesMostOfBudget(ceilings, wanted, use.committed))
    logger.info('budget nearly used', { account, month: wanted.month });
  const reservation = reserved ? wanted : adopted(held, wanted);
  if (reservation !== undefined) return { reservation, rateLimit: rateLimitOf(ceilings, use.creates, at) };
  throw refusalOf({ reservation: wanted, ceilings, use, currency }) ?? new Error('refused without a reason');
};
