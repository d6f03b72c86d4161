import { times } from '../../functions/platform/domain/money.ts';
import type { Prices } from '../api/shapes.ts';
import { formatMoney } from '../parts/format.ts';

export const videoPrice = (prices: Prices, model: string, seconds: number): string | undefined => {
  const second = prices.video_second[model];
  return second === undefined ? undefined : formatMoney(times(second, seconds), prices.currency);
};

export const imagePrice = (prices: Prices, size: string): string | undefined => {
  const image = prices.image[size];
  return image === undefined ? undefined : formatMoney(times(image, 1), prices.currency);
};
