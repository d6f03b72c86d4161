import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import { times } from '../../functions/platform/domain/money.ts';

/** Numbers, money and times in the language of the browser. */
const number = new Intl.NumberFormat();
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

export const formatNumber = (value: number): string => number.format(value);
export const formatTime = (unixSeconds: number): string => dateTime.format(unixSeconds * 1000);
export const formatDate = (unixSeconds: number): string => date.format(unixSeconds * 1000);

const isDecimal = (text: string): text is Intl.StringNumericLiteral => /^\d+(?:\.\d+)?$/.test(text);

/** Shows all decimals, because prices can be fractions of a cent. */
export const formatMoney = (amount: string, currency: string): string => {
  if (!isDecimal(amount)) return `${amount} ${currency}`;
  const decimals = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: Math.max(2, Math.min(decimals, 20)),
    maximumFractionDigits: Math.max(2, Math.min(decimals, 20)),
  }).format(amount);
};

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

export const formatAge = (unixSeconds: number, nowMs: number): string => {
  const seconds = unixSeconds - nowMs / 1000;
  // A future time is rounded: 7 days that have just begun are not 6. A past one has passed completely.
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length)
      return relative.format(seconds > 0 ? Math.round(seconds / length) : Math.trunc(seconds / length), unit);
  return relative.format(Math.min(0, Math.trunc(seconds)), 'second');
};

export const formatSize = (size: string): string => size.replace('x', ' × ');

/** Minutes and seconds, such as `1:05`. */
export const formatElapsed = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Such as `45 s` or `2 min 5 s`; long ones without seconds. */
export const formatDuration = (milliseconds: number): string => {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 || seconds >= 600 ? '' : ` ${rest} s`}`;
};

type Prices = CurrentSessionObject['prices'];

export const hasPrices = ({ video_second, image }: Prices): boolean =>
  Object.keys(video_second).length + Object.keys(image).length > 0;

/** An exact decimal; undefined without a price. */
export const videoPrice = (prices: Prices, model: string, seconds: number): string | undefined => {
  const second = prices.video_second[model];
  return second === undefined ? undefined : times(second, seconds);
};

export const imagePrice = (prices: Prices, size: string, count: number): string | undefined => {
  const image = prices.image[size];
  return image === undefined ? undefined : times(image, count);
};
