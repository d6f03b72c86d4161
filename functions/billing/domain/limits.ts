import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import { isNegative, isZero, minus, times } from '../../platform/domain/money.ts';
import { monthEnd, secondsToMinuteEnd, secondsUntil } from './periods.ts';

/** Limits of an account; undefined means no limit. */
export type Limits = {
  /** Spending in a UTC month, as a decimal string. */
  readonly monthlyBudget?: string | undefined;
  /** Unfinished videos. */
  readonly videosAtOnce?: number | undefined;
  /** New videos and images. */
  readonly createsPerMinute?: number | undefined;
};

/** Limits that are stored for an account: null turns off a default, undefined leaves it. */
export type OwnLimits = { readonly [Name in keyof Limits]: Limits[Name] | null };

export const LIMIT_NAMES = [
  'monthlyBudget',
  'videosAtOnce',
  'createsPerMinute',
] as const satisfies readonly (keyof Limits)[];

export const toLimitList = (limits: OwnLimits) => LIMIT_NAMES.map((name) => [name, limits[name]] as const);

export const areSameLimits = (one: OwnLimits, other: OwnLimits): boolean =>
  LIMIT_NAMES.every((name) => one[name] === other[name]);

export const RESERVATION_KINDS = ['videos', 'images'] as const;
export type ReservationKind = (typeof RESERVATION_KINDS)[number];

/** By this age the request that made the reservation has ended: a create may take 28 seconds, an image 300. */
export const ORPHAN_AGE: Readonly<Record<ReservationKind, number>> = {
  videos: 2 * 60_000,
  images: 6 * 60_000,
};

/** The money and the video slot that a request holds until it is charged or released. */
export type Reservation = {
  /** Random: a later reservation for the same task id has a different one. */
  readonly id: string;
  readonly kind: ReservationKind;
  readonly account: string;
  readonly keyId: string;
  /** Whether it also counts against a budget of the API key. */
  readonly countsForKey: boolean;
  /** The month whose budget it counts against, such as `2026-11`. */
  readonly month: string;
  /** Null if no price is configured. */
  readonly amount: string | null;
  /** The task or image request that it is for; each has at most one reservation. */
  readonly taskId: string;
  /** When it was made, or taken over by a repeated request. */
  readonly at: number;
};

/** Several reservations with the same terms as one, to compare it with the limits. */
export const allTogether = (reservation: Reservation, count: number): Reservation =>
  reservation.amount === null ? reservation : { ...reservation, amount: times(reservation.amount, count) };

/** The limits that apply to a reservation. */
export type Ceilings = { readonly limits: Limits; readonly keyBudget: string | undefined };

/** Usage of an account before the reservation in question. */
export type AccountUsage = {
  readonly committed: string;
  readonly committedByKey: string;
  readonly videos: number;
  readonly creates: number;
};

/** The committed amount that this reservation brings to the given total; undefined without a total or a price. */
export const amountBefore = (total: string | undefined, { amount }: Reservation): string | undefined =>
  total === undefined || amount === null ? undefined : minus(total, amount);

export const toRateLimit = (
  { limits: { createsPerMinute: limit } }: Ceilings,
  creates: number,
  now: number,
): RateLimit | undefined =>
  limit === undefined
    ? undefined
    : { limit, remaining: Math.max(0, limit - creates), resetSeconds: secondsToMinuteEnd(now) };

const listBudgets = ({ limits, keyBudget }: Ceilings) =>
  [
    { whose: 'The account', budget: limits.monthlyBudget, counter: 'committed' },
    { whose: 'The API key', budget: keyBudget, counter: 'committedByKey' },
  ] as const;

/** A request that costs more than the whole budget can never be admitted. */
export const priceOverBudget = (
  ceilings: Ceilings,
  reservation: Reservation,
  currency: string,
): DomainError | undefined => {
  for (const { whose, budget } of listBudgets(ceilings)) {
    const before = amountBefore(budget, reservation);
    if (before !== undefined && isNegative(before))
      return new DomainError(
        'insufficient_quota',
        `${whose} has a monthly budget of ${budget} ${currency}, and this request alone costs ${reservation.amount}.`,
      );
  }
  return undefined;
};

/** A budget can be enforced only if every price is known. */
export const unpricedBudget = (
  ceilings: Ceilings,
  { amount, what }: { readonly amount: string | null; readonly what: string },
): DomainError | undefined => {
  const found = listBudgets(ceilings).find(({ budget }) => budget !== undefined);
  if (amount !== null || found === undefined) return undefined;
  return new DomainError(
    'insufficient_quota',
    `${found.whose} has a monthly budget, but ${what} has no price. The operator can set it in the prices setting.`,
  );
};

/** A request that makes more than a minute's creates can never be admitted. */
export const countOverRate = (
  { limits: { createsPerMinute } }: Ceilings,
  count: number,
): DomainError | undefined =>
  createsPerMinute === undefined || count <= createsPerMinute
    ? undefined
    : new DomainError(
        'insufficient_quota',
        `The account may create ${createsPerMinute} videos and images per minute, and this request alone creates ${count}.`,
      );

/** A slot becomes free when a video ends, which takes minutes, so frequent retries are pointless. */
const SLOT_RETRY_SECONDS = 20;

/** Rounded to cents, except for amounts that would then be lost: `$39.61`, `$32`, `$0.004`. */
const formatMoney = (amount: string, currency: string): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    maximumFractionDigits: Number(amount) < 0.1 ? 6 : 2,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(Number(amount));

const formatDay = (moment: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    Date.parse(moment),
  );

type Overspending = {
  readonly whose: string;
  readonly budget: string;
  readonly used: string;
  readonly amount: string;
  readonly currency: string;
  readonly resets: string;
};

const budgetMessage = ({ whose, budget, used, amount, currency, resets }: Overspending): string => {
  const [limit, spent, price] = [budget, used, amount].map((each) => formatMoney(each, currency));
  const left = minus(budget, used);
  const reason =
    isNegative(left) || isZero(left)
      ? `${whose}’s monthly budget is used up (${spent} of ${limit}).`
      : `${whose}’s monthly budget has ${formatMoney(left, currency)} left (of ${limit}), and this request costs ${price}.`;
  return `${reason} It resets on ${formatDay(resets)}.`;
};

type Attempt = {
  readonly reservation: Reservation;
  readonly ceilings: Ceilings;
  readonly usage: AccountUsage;
  readonly currency: string;
  /** How many videos or images the request creates; the reservation is for all of them. */
  readonly count?: number;
};

/** The limit that the reservation exceeds; the one that takes longest to reset comes first. */
export const findExceededLimit = ({
  reservation,
  ceilings,
  usage,
  currency,
  count = 1,
}: Attempt): DomainError | undefined => {
  const { at, amount, kind } = reservation;
  const resets = monthEnd(reservation.month);
  for (const { whose, budget, counter } of listBudgets(ceilings)) {
    const before = amountBefore(budget, reservation);
    const used = usage[counter];
    if (before !== undefined && isNegative(minus(before, used)))
      return new DomainError(
        'insufficient_quota',
        budgetMessage({ whose, budget: budget ?? '0', used, amount: amount ?? '0', currency, resets }),
        { retryAfterSeconds: secondsUntil(resets, at) },
      );
  }
  const rateLimit = toRateLimit(ceilings, usage.creates, at);
  if (rateLimit !== undefined && rateLimit.remaining < count)
    return new DomainError(
      'rate_limited',
      `Too many videos and images per minute: limit ${rateLimit.limit}, used ${usage.creates}${count === 1 ? '' : `, this request ${count}`}. It resets in ${rateLimit.resetSeconds} seconds.`,
      { retryAfterSeconds: rateLimit.resetSeconds, rateLimit },
    );
  const { videosAtOnce } = ceilings.limits;
  if (kind === 'videos' && videosAtOnce !== undefined && usage.videos >= videosAtOnce)
    return new DomainError(
      'rate_limited',
      `Too many videos at once: limit ${videosAtOnce}, used ${usage.videos}. Try again when one of them ends.`,
      { retryAfterSeconds: SLOT_RETRY_SECONDS, rateLimit },
    );
  return undefined;
};
