import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import { isZero } from '../../functions/platform/domain/money.ts';
import { useQuery } from '../api/hooks.ts';
import { keys } from '../api/organization.ts';
import { type Days, type Grouping, useCosts, useImageUsage, useVideoUsage } from '../api/usage.ts';
import { formatMoney, formatNumber, hasPrices } from '../parts/format.ts';
import { usePersonName } from '../people/person-name.ts';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { CONSOLE_GROUP, groupTotals, imagesByDay, type SpendDay, secondsByDay, spendByDay } from './spend.ts';

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

export const useMeasures = (
  days: Days,
  grouping: Grouping,
  prices: CurrentSessionObject['prices'],
): Measures => {
  const costs = useCosts(days, grouping);
  const videos = useVideoUsage(days, grouping);
  const images = useImageUsage(days, grouping);
  return {
    spend: {
      days: costs.data && spendByDay(costs.data, grouping),
      error: costs.error,
      retry: costs.refetch,
      // Without prices, a zero would look as if the usage were free.
      format: (amount) =>
        hasPrices(prices) || !isZero(amount) ? formatMoney(amount, prices.currency) : texts.states.none,
    },
    seconds: {
      days: videos.data && secondsByDay(videos.data, grouping),
      error: videos.error,
      retry: videos.refetch,
      format: (amount) => texts.usage.seconds(formatNumber(Number(amount))),
    },
    images: {
      days: images.data && imagesByDay(images.data, grouping),
      error: images.error,
      retry: images.refetch,
      format: (amount) => formatNumber(Number(amount)),
    },
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
  const { project_id } = useCurrentSession();
  const { data } = useQuery(keys, project_id);
  const personName = usePersonName();
  return (group) => {
    if (grouping === 'user_id') return personName(group);
    if (group === CONSOLE_GROUP || group.startsWith('sess_')) return texts.usage.console;
    const name = data?.data.find(({ id }) => id === group)?.name ?? group;
    return name === '' ? texts.states.none : name;
  };
};
