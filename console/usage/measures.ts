import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import { isZero } from '../../functions/platform/domain/money.ts';
import type { Days } from '../api/days.ts';
import { type QueryState, useQuery } from '../api/hooks.ts';
import { costs, imageUsage, videoUsage } from '../api/usage.ts';
import { formatMoney, formatNumber, hasPrices } from '../parts/format.ts';
import { useKeyName, usePersonName } from '../people/names.ts';
import { texts } from '../texts/texts.ts';
import {
  CONSOLE_GROUP,
  type Grouping,
  groupTotals,
  imagesByDay,
  type SpendDay,
  secondsByDay,
  spendByDay,
} from './spend.ts';

export const MEASURES = ['spend', 'seconds', 'images'] as const;
export type Measure = (typeof MEASURES)[number];

export type Measured = {
  /** Undefined while loading. */
  readonly days: readonly SpendDay[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly format: (amount: string) => string;
};

export type Measures = Readonly<Record<Measure, Measured>>;

/** The usage endpoints call the model `model`, not `line_item`. */
const USAGE_GROUPING = {
  line_item: 'model',
  api_key_id: 'api_key_id',
  user_id: 'user_id',
} as const satisfies Record<Grouping, string>;

export const useMeasures = (
  days: Days,
  grouping: Grouping,
  prices: CurrentSessionObject['prices'],
): Measures => {
  const usageGrouping = USAGE_GROUPING[grouping];
  const measured = <Data>(
    { data, error, refetch }: QueryState<Data>,
    byDay: (data: Data, grouping: Grouping) => readonly SpendDay[],
    format: Measured['format'],
  ): Measured => ({ days: data && byDay(data, grouping), error, retry: refetch, format });
  return {
    // Without prices, a zero would look as if the usage were free.
    spend: measured(useQuery(costs, days, grouping), spendByDay, (amount) =>
      hasPrices(prices) || !isZero(amount) ? formatMoney(amount, prices.currency) : texts.states.none,
    ),
    seconds: measured(useQuery(videoUsage, days, usageGrouping), secondsByDay, (amount) =>
      texts.usage.seconds(formatNumber(Number(amount))),
    ),
    images: measured(useQuery(imageUsage, days, usageGrouping), imagesByDay, (amount) =>
      formatNumber(Number(amount)),
    ),
  };
};

const isEmpty = ({ days = [] }: Measured): boolean => groupTotals(days).length === 0;

/** The measure that the page shows by default: money if there are prices, else seconds or images. */
export const defaultMeasure = (measures: Measures, prices: CurrentSessionObject['prices']): Measure => {
  if (hasPrices(prices)) return 'spend';
  return isEmpty(measures.seconds) && !isEmpty(measures.images) ? 'images' : 'seconds';
};

/** Returns a function that names a model, a key or a person; requests of console sessions are named "Console". */
export const useGroupName = (grouping: Grouping): ((group: string) => string) => {
  const keyName = useKeyName();
  const personName = usePersonName();
  return (group) => {
    if (grouping === 'user_id') return personName(group);
    if (group === CONSOLE_GROUP || group.startsWith('sess_')) return texts.usage.console;
    return group === '' ? texts.states.none : keyName(group);
  };
};
