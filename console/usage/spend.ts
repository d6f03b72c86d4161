import type {
  CostResult,
  ImageUsageResult,
  VideoUsageResult,
} from '../../functions/billing/api/usage-object.ts';
import { plus } from '../../functions/platform/domain/money.ts';

const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

// Charges belong to UTC days, so their days and times are shown in UTC.
export const formatUtcDay = (unixSeconds: number): string => day.format(unixSeconds * 1000);
export const formatUtcMonth = (unixSeconds: number): string => month.format(unixSeconds * 1000);
export const formatShortUtcDay = (unixSeconds: number): string => shortDay.format(unixSeconds * 1000);
export const formatUtcTime = (unixSeconds: number): string => time.format(unixSeconds * 1000);

/** By model, key or person. */
export type Grouping = 'line_item' | 'api_key_id' | 'user_id';

/** The spend, seconds or images of a day by group (model, key or person), as exact decimals. */
export type SpendDay = { readonly start: number; readonly amounts: ReadonlyMap<string, string> };

type Bucket<Result> = { readonly start_time: number; readonly results: readonly Result[] };
type Cost = Pick<CostResult, Grouping | 'amount'>;
type Usage = Pick<VideoUsageResult, 'model' | 'api_key_id' | 'user_id'>;

const NO_GROUP = '';

/** The sessions of the console are one group: they come and go, and all have the same name. */
export const CONSOLE_GROUP = 'console';
const mergeSessions = (group: string): string => (group.startsWith('sess_') ? CONSOLE_GROUP : group);

const sumByDay = <Result>(
  buckets: readonly Bucket<Result>[],
  groupName: (result: Result) => string | null,
  amount: (result: Result) => string,
): readonly SpendDay[] =>
  buckets.map(({ start_time, results }) => {
    const amounts = new Map<string, string>();
    for (const result of results) {
      const group = mergeSessions(groupName(result) ?? NO_GROUP);
      amounts.set(group, plus(amounts.get(group) ?? '0', amount(result)));
    }
    return { start: start_time, amounts };
  });

export const spendByDay = (buckets: readonly Bucket<Cost>[], grouping: Grouping): readonly SpendDay[] =>
  sumByDay(
    buckets,
    (result) => result[grouping],
    ({ amount }) => amount.decimal,
  );

const usageGroup = (grouping: Grouping) => (result: Usage) =>
  grouping === 'line_item' ? result.model : result[grouping];

export const secondsByDay = (
  buckets: readonly Bucket<Usage & Pick<VideoUsageResult, 'seconds'>>[],
  grouping: Grouping,
) => sumByDay(buckets, usageGroup(grouping), ({ seconds }) => String(seconds));

export const imagesByDay = (
  buckets: readonly Bucket<Usage & Pick<ImageUsageResult, 'images'>>[],
  grouping: Grouping,
) => sumByDay(buckets, usageGroup(grouping), ({ images }) => String(images));

export const sum = (amounts: Iterable<string>): string => {
  let total = '0';
  for (const amount of amounts) total = plus(total, amount);
  return total;
};

export const groupTotals = (days: readonly SpendDay[]): readonly (readonly [string, string])[] => {
  const totals = new Map<string, string>();
  for (const { amounts } of days)
    for (const [group, amount] of amounts) totals.set(group, plus(totals.get(group) ?? '0', amount));
  return Array.from(totals).toSorted(([, one], [, other]) => Number(other) - Number(one));
};

const MAX_TICK_STEPS = 4;
const STEP_FACTORS = [1, 2, 5, 10] as const;

/** The labels of the vertical axis: from 0 to at least `most` in equal, round steps, as decimals such as `2.50`. */
export const axisTicks = (most: number): readonly string[] => {
  if (!(most > 0)) return ['0', '1'];
  const power = Math.floor(Math.log10(most / MAX_TICK_STEPS));
  const step = STEP_FACTORS.map((factor) => factor * 10 ** power).find(
    (size) => size * MAX_TICK_STEPS >= most * (1 - 1e-9),
  );
  const size = step ?? 10 ** (power + 1);
  const count = Math.ceil((most / size) * (1 - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => (index * size).toFixed(Math.max(0, -power)));
};

type Label<Item> = { readonly item: Item; readonly width: number };

/** The labels of the horizontal axis: every so many items as a label, up to `count`, with the number of items until the next one. */
export const spreadLabels = <Item>(items: readonly Item[], count: number): readonly Label<Item>[] => {
  const step = Math.max(1, Math.ceil(items.length / count));
  return items
    .map((item, index) => ({ item, index, width: Math.min(step, items.length - index) }))
    .filter(({ index }) => index % step === 0);
};
