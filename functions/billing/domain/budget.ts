import { createHash } from 'node:crypto';
import { isNegative, isZero, minus, plus, tenths } from '../../platform/domain/money.ts';
import { type AccountUsage, amountBefore, type Ceilings, type Limits, type Reservation } from './limits.ts';
import { toUtcMonth } from './periods.ts';

/**
 * The account is notified when it has used 80 % and 100 % of its monthly budget: once for each month, budget and
 * threshold. "Used" is what is charged and reserved, as in the spend limit and in the console. A mark on the account's
 * item says that a threshold was reached; the mark and the notice are written in one transaction with the reservation.
 */

/** In percent of the budget. */
export const BUDGET_THRESHOLDS = [80, 100] as const;
export type BudgetThreshold = (typeof BUDGET_THRESHOLDS)[number];

/** From 80 % on, a request that does not fit counts as 100 %: amounts rarely add up to exactly the budget. */
const NEARLY_ALL: BudgetThreshold = 80;

/** Waits in the table of reservations until the sweeper has sent its webhook event. */
export type BudgetNotice = {
  /** Distinguishes it from a reservation. */
  readonly kind: 'budget';
  /** Of the webhook event. The same month, budget and threshold always have the same id. */
  readonly id: string;
  readonly account: string;
  /** A UTC month, such as `2026-11`. */
  readonly month: string;
  readonly threshold: BudgetThreshold;
  /** Charged and reserved when the threshold was reached. */
  readonly used: string;
  readonly limit: string;
  readonly currency: string;
  readonly at: number;
};

/** The thresholds that an account has reached, by the names of their marks, with the amount that was used then. */
export type BudgetMarks = Readonly<Record<string, string>>;

/** Account names and amounts contain no `#`. */
export const budgetMark = (notice: Pick<BudgetNotice, 'threshold' | 'month' | 'limit'>): string =>
  `reached${notice.threshold}#${notice.month}#${notice.limit}`;

export const thresholdAmount = (limit: string, threshold: BudgetThreshold): string =>
  tenths(limit, threshold / 10);

const isAtLeast = (amount: string, least: string): boolean => !isNegative(minus(amount, least));

/** The budget that a reservation can use up; undefined without one. Nothing can be spent of a budget of 0. */
export const spendableBudget = (
  { limits: { monthlyBudget } }: Ceilings,
  { amount }: Pick<Reservation, 'amount'>,
): string | undefined =>
  monthlyBudget === undefined || amount === null || isZero(monthlyBudget) ? undefined : monthlyBudget;

const noticeId = (account: string, month: string, limit: string, threshold: BudgetThreshold): string =>
  `evt_${createHash('sha256')
    .update(JSON.stringify(['budget', account, month, limit, threshold]))
    .digest('hex')
    .slice(0, 32)}`;

type Attempt = {
  /** Of all videos or images of the request together. */
  readonly reservation: Reservation;
  readonly ceilings: Ceilings;
  readonly usage: Pick<AccountUsage, 'committed'>;
  readonly marks: BudgetMarks;
  readonly currency: string;
};

const toNotices = (
  { reservation: { account, month, at }, marks, currency }: Attempt,
  limit: string,
  used: string,
  thresholds: readonly BudgetThreshold[],
): BudgetNotice[] =>
  thresholds
    .filter((threshold) => marks[budgetMark({ threshold, month, limit })] === undefined)
    .map((threshold) => ({
      kind: 'budget',
      id: noticeId(account, month, limit, threshold),
      account,
      month,
      threshold,
      used,
      limit,
      currency,
      at,
    }));

/** The notices of the thresholds that the reservation reaches and that the account has not reached before. */
export const noticesOfReservation = (attempt: Attempt): BudgetNotice[] => {
  const { reservation, ceilings, usage } = attempt;
  const limit = spendableBudget(ceilings, reservation);
  if (limit === undefined) return [];
  const used = plus(usage.committed, reservation.amount ?? '0');
  const reached = BUDGET_THRESHOLDS.filter((threshold) => isAtLeast(used, thresholdAmount(limit, threshold)));
  return toNotices(attempt, limit, used, reached);
};

/** The notices of a request that is refused because it does not fit into the rest of the budget. */
export const noticesOfRefusal = (attempt: Attempt): BudgetNotice[] => {
  const { reservation, ceilings, usage } = attempt;
  const limit = spendableBudget(ceilings, reservation);
  const before = amountBefore(limit, reservation);
  // Stryker disable next-line ConditionalExpression: without a limit there is no such amount either
  if (limit === undefined) return [];
  if (before === undefined || isAtLeast(before, usage.committed)) return [];
  if (!isAtLeast(usage.committed, thresholdAmount(limit, NEARLY_ALL))) return [];
  return toNotices(attempt, limit, usage.committed, BUDGET_THRESHOLDS);
};

type BudgetState = {
  readonly used: string;
  readonly limit: string;
  /** The highest threshold at present; null below 80 %. It falls when failed tasks release their reservations. */
  readonly threshold: BudgetThreshold | null;
};

/** The budget of an account in the current month; undefined without one. */
export const toBudgetState = (
  account: { readonly committed: string; readonly marks: BudgetMarks } | undefined,
  { monthlyBudget: limit }: Limits,
  now: number,
): BudgetState | undefined => {
  if (limit === undefined) return undefined;
  const { committed: used, marks } = account ?? { committed: '0', marks: {} };
  // After a refusal it is less than the budget.
  const usedUp = marks[budgetMark({ threshold: 100, month: toUtcMonth(now), limit })] ?? limit;
  if (isAtLeast(used, usedUp) || isAtLeast(used, limit)) return { used, limit, threshold: 100 };
  return { used, limit, threshold: isAtLeast(used, thresholdAmount(limit, 80)) ? 80 : null };
};
