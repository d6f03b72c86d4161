import { plus } from '../../functions/domain/money.ts';
import type { Bucket, CostResult, Grouping } from '../api/shapes.ts';

/** A day's spend for each group, as exact decimals. */
export type SpendDay = { readonly start: number; readonly amounts: ReadonlyMap<string, string> };

export const decimalOf = ({ decimal, value }: CostResult['amount']): string => decimal ?? value.toFixed(6);

const NO_GROUP = '';

export const spendByDay = (buckets: readonly Bucket<CostResult>[], grouping: Grouping): readonly SpendDay[] =>
  buckets.map(({ start_time, results }) => {
    const amounts = new Map<string, string>();
    for (const result of results) {
      const group = result[grouping] ?? NO_GROUP;
      amounts.set(group, plus(amounts.get(group) ?? '0', decimalOf(result.amount)));
    }
    return { start: start_time, amounts };
  });

export const totalOf = (amounts: Iterable<string>): string => {
  let sum = '0';
  for (const amount of amounts) sum = plus(sum, amount);
  return sum;
};

/** The groups of all days with their totals, the largest first. */
export const groupTotals = (days: readonly SpendDay[]): readonly (readonly [string, string])[] => {
  const totals = new Map<string, string>();
  for (const { amounts } of days)
    for (const [group, amount] of amounts) totals.set(group, plus(totals.get(group) ?? '0', amount));
  return Array.from(totals).toSorted(([, one], [, other]) => Number(other) - Number(one));
};

/** A field that holds a comma or a quote is quoted; one that a spreadsheet would run as a formula is not run. */
const csvField = (text: string): string => {
  const safe = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line a day and group, with UTC dates and exact amounts. */
export const spendCsv = (
  days: readonly SpendDay[],
  currency: string,
  nameOf: (group: string) => string,
): string =>
  [
    ['day', 'group', 'amount', 'currency'],
    ...days.flatMap(({ start, amounts }) =>
      Array.from(amounts, ([group, amount]) => [
        new Date(start * 1000).toISOString().slice(0, 10),
        nameOf(group),
        amount,
        currency,
      ]),
    ),
  ]
    .map((line) => line.map(csvField).join(','))
    .join('\r\n');
