/** Numbers, money and times as the reader's own language writes them. */
const number = new Intl.NumberFormat();
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

export const formatNumber = (value: number): string => number.format(value);
export const formatTime = (unixSeconds: number): string => dateTime.format(unixSeconds * 1000);
export const formatDate = (unixSeconds: number): string => date.format(unixSeconds * 1000);

export const formatBytes = (bytes: number): string =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(
    bytes / 1_000_000,
  );

const isDecimal = (text: string): text is Intl.StringNumericLiteral => /^\d+(?:\.\d+)?$/.test(text);

/** Every decimal of the amount is shown: prices of a tenth of a cent are prices too. */
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
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  return relative.format(Math.min(0, Math.trunc(seconds)), 'second');
};

/** `1280 × 720` of `1280x720`. */
export const formatSize = (size: string): string => size.replace('x', ' × ');

/** `1:05`, for what counts up while one looks at it. */
export const formatElapsed = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
