import { plus } from '../../functions/platform/domain/money.ts';
import type { Bucket, CostResult, Grouping, ImageUseResult, VideoUseResult } from '../api/shapes.ts';

/** A day's spend, seconds or images for each group, as exact decimals. */
export type SpendDay = { readonly start: number; readonly amounts: ReadonlyMap<string, string> };

export const decimalOf = ({ decimal, value }: CostResult['amount']): string => decimal ?? value.toFixed(6);

const NO_GROUP = '';

const sumByDay = <Result>(
  buckets: readonly Bucket<Result>[],
  groupOf: (result: Result) => string | null,
  amountOf: (result: Result) => string,
): readonly SpendDay[] =>
  buckets.map(({ start_time, results }) => {
    const amounts = new Map<string, string>();
    for (const result of results) {
      const group = groupOf(result) ?? NO_GROUP;
      amounts.set(group, plus(amounts.get(group) ?? '0', amountOf(result)));
    }
    return { start: start_time, amounts };
  });

export const spendByDay = (buckets: readonly Bucket<CostResult>[], grouping: Grouping): readonly SpendDay[] =>
  sumByDay(
    buckets,
    (result) => result[grouping],
    ({ amount }) => decimalOf(amount),
  );

const groupIn = (grouping: Grouping) => (result: Omit<VideoUseResult, 'seconds'>) =>
  grouping === 'line_item' ? result.model : result.api_key_id;

export const secondsByDay = (buckets: readonly Bucket<VideoUseResult>[], grouping: Grouping) =>
  sumByDay(buckets, groupIn(grouping), ({ seconds }) => String(seconds));

export const imagesByDay = (buckets: readonly Bucket<ImageUseResult>[], grouping: Grouping) =>
  sumByDay(buckets, groupIn(grouping), ({ images }) => String(images));

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
