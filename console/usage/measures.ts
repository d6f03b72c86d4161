import { isZero } from '../../functions/platform/domain/money.ts';
import type { Grouping, Prices } from '../api/shapes.ts';
import { type Days, useCosts, useImageUse, useVideoUse } from '../api/usage.ts';
import { formatMoney, formatNumber } from '../parts/format.ts';
import { texts } from '../texts.ts';
import { groupTotals, imagesByDay, type SpendDay, secondsByDay, spendByDay } from './spend.ts';

export const hasPrices = ({ video_second, image }: Prices): boolean =>
  Object.keys(video_second).length + Object.keys(image).length > 0;

export const MEASURES = ['spend', 'seconds', 'images'] as const;
export type Measure = (typeof MEASURES)[number];

export type Measured = {
  /** Undefined while they are asked for. */
  readonly days: readonly SpendDay[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly format: (amount: string) => string;
};

/** All that can be shown of the days, by model or by key. */
export const useMeasures = (
  days: Days,
  grouping: Grouping,
  prices: Prices,
): Readonly<Record<Measure, Measured>> => {
  const costs = useCosts(days, grouping);
  const videos = useVideoUse(days, grouping);
  const images = useImageUse(days, grouping);
  return {
    spend: {
      days: costs.data && spendByDay(costs.data, grouping),
      error: costs.error,
      retry: costs.refetch,
      // Without prices nothing was free: there is just no amount to tell.
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

/** What the page shows first: money; without prices seconds, or images where there are only these. */
export const firstMeasure = (measures: Readonly<Record<Measure, Measured>>, prices: Prices): Measure => {
  if (hasPrices(prices)) return 'spend';
  return isEmpty(measures.seconds) && !isEmpty(measures.images) ? 'images' : 'seconds';
};
