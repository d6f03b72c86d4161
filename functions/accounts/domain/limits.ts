import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import { isNegative, minus, tenths } from '../../platform/domain/money.ts';
import { monthEnd, secondsToMinuteEnd, secondsUntil } from './periods.ts';

/** What an account may spend and hold; undefined where there is no such limit. */
export type Limits = {
  /** Money in a UTC month, as a decimal. */
  readonly monthlyBudget: string | undefined;
  /** Videos that have not ended. */
  readonly videosAtOnce: number | undefined;
  /** New videos and images. */
  readonly createsPerMinute: number | undefined;
};

export const RESERVATION_KINDS = ['videos', 'images'] as const;
export type ReservationKind = (typeof RESERVATION_KINDS)[number];

/** Whoever reserved is dead by then: a create has 28 seconds, an image 300. */
export const ORPHAN_AGE: Readonly<Record<ReservationKind, number>> = {
  videos: 2 * 60_000,
  images: 6 * 60_000,
};

/** The price and the place that a request holds until it is charged or taken back. */
export type Reservation = {
  /** Random; a task that comes again under the same name has another. */
  readonly id: string;
  readonly kind: ReservationKind;
  readonly account: string;
  readonly keyId: string;
  /** Whether the key has a budget, too, which it counts against. */
  readonly countsForKey: boolean;
  /** Whose budget it counts against, such as `2026-11`. */
  readonly month: string;
  /** Null where no price is configured. */
  readonly amount: string | null;
  /** The task or the request that it is for: there is one reservation for each. */
  readonly taskId: string;
  /** When it was made, or taken over by a repetition of its request. */
  readonly at: number;
};

/** What a reservation must stay within. */
export type Ceilings = { readonly limits: Limits; readonly keyBudget: string | undefined };

/** What an account has used; the reservation in question is not in it. */
export type AccountUse = {
  readonly committed: string;
  readonly committedByKey: string;
  readonly videos: number;
  readonly creates: number;
};

/** How much may be committed before this reservation, or undefined where nothing bounds it. */
export const roomFor = (budget: string | undefined, { amount }: Reservation): string | undefined =>
  budget === undefined || amount === null ? undefined : minus(budget, amount);

/** The operator hears of an account that has used more than so many tenths of its budget. */
const NEARLY_ALL_TENTHS = 8;

/** Marks an account that has been reported to the operator; each month and each budget has its own mark. */
export const budgetMark = (
  { limits: { monthlyBudget } }: Ceilings,
  { month, amount }: Reservation,
): string | undefined =>
  monthlyBudget === undefined || amount === null ? undefined : `${month} ${monthlyBudget}`;

/** How much may be committed before this reservation without taking the account past most of its budget. */
export const roomBeforeMost = (
  { limits: { monthlyBudget } }: Ceilings,
  reservation: Reservation,
): string | undefined =>
  roomFor(monthlyBudget === undefined ? undefined : tenths(monthlyBudget, NEARLY_ALL_TENTHS), reservation);

export const rateLimitOf = (
  { limits: { createsPerMinute: limit } }: Ceilings,
  creates: number,
  now: number,
): RateLimit | undefined =>
  limit === undefined
    ? undefined
    : { limit, remaining: Math.max(0, limit - creates), resetSeconds: secondsToMinuteEnd(now) };

const quotaError = (message: string, now: number, resets: string): DomainError =>
  new DomainError('insufficient_quota', message, { retryAfterSeconds: secondsUntil(resets, now) });

const budgetsOf = ({ limits, keyBudget }: Ceilings) =>
  [
    { whose: 'The account', budget: limits.monthlyBudget, counter: 'committed' },
    { whose: 'The API key', budget: keyBudget, counter: 'committedByKey' },
  ] as const;

/** A price over the whole budget fits into no month. */
export const priceOverBudget = (
  ceilings: Ceilings,
  reservation: Reservation,
  currency: string,
): DomainError | undefined => {
  for (const { whose, budget } of budgetsOf(ceilings)) {
    const room = roomFor(budget, reservation);
    if (room !== undefined && isNegative(room))
      return new DomainError(
        'insufficient_quota',
        `${whose} has a monthly budget of ${budget} ${currency}, and this request alone costs ${reservation.amount}.`,
      );
  }
  return undefined;
};

/** A budget can only be kept where every price is known. */
export const unpricedBudget = (
  ceilings: Ceilings,
  { amount, what }: { readonly amount: string | null; readonly what: string },
): DomainError | undefined => {
  const found = budgetsOf(ceilings).find(({ budget }) => budget !== undefined);
  if (amount !== null || found === undefined) return undefined;
  return new DomainError(
    'insufficient_quota',
    `${found.whose} has a monthly budget, but ${what} has no price: the operator has to set it in the setting prices.`,
  );
};

/** A place is free when a video ends, which takes minutes: asking every few seconds is no use. */
const PLACE_SECONDS = 20;

type Refused = {
  readonly reservation: Reservation;
  readonly ceilings: Ceilings;
  readonly use: AccountUse;
  readonly currency: string;
};

/** Which limit the reservation does not fit into, in the order in which a client can do least about it. */
export const refusalOf = ({ reservation, ceilings, use, currency }: Refused): DomainError | undefined => {
  const { at, amount, kind } = reservation;
  const resets = monthEnd(reservation.month);
  for (const { whose, budget, counter } of budgetsOf(ceilings)) {
    const room = roomFor(budget, reservation);
    const used = use[counter];
    if (room !== undefined && isNegative(minus(room, used)))
      return quotaError(
        `${whose} is over its monthly budget: limit ${budget} ${currency}, used ${used}, this request ${amount}. It resets at ${resets}.`,
        at,
        resets,
      );
  }
  const rateLimit = rateLimitOf(ceilings, use.creates, at);
  if (rateLimit?.remaining === 0)
    return new DomainError(
      'rate_limited',
      `Too many videos and images a minute: limit ${rateLimit.limit}, used ${use.creates}. It resets in ${rateLimit.resetSeconds} seconds.`,
      { retryAfterSeconds: rateLimit.resetSeconds, rateLimit },
    );
  const { videosAtOnce } = ceilings.limits;
  if (kind === 'videos' && videosAtOnce !== undefined && use.videos >= videosAtOnce)
    return new DomainError(
      'rate_limited',
      `Too many videos at once: limit ${videosAtOnce}, used ${use.videos}. It resets as soon as one of them ends.`,
      { retryAfterSeconds: PLACE_SECONDS, rateLimit },
    );
  return undefined;
};
