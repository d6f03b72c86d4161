/** Amounts of money are decimal strings, so that binary arithmetic never rounds them. */

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;
/** DynamoDB stores 38 digits. */
const AMOUNT = /^-?\d{1,38}(?:\.\d{1,38})?$/;
/** A limit that an operator may set; sums of such amounts stay within DynamoDB's 38 digits. */
const LIMIT = /^\d{1,12}(?:\.\d{1,6})?$/;

export const isAmount = (text: string): boolean => AMOUNT.test(text);

export const isMoney = (text: string): boolean => LIMIT.test(text);

/** An amount in units of its last decimal. */
type Scaled = { readonly units: bigint; readonly decimals: number };

const read = (amount: string): Scaled => {
  const sign = amount.startsWith('-') ? -1n : 1n;
  const match = DECIMAL.exec(sign < 0n ? amount.slice(1) : amount);
  if (match === null) throw new Error(`'${amount}' is not a decimal amount`);
  const decimals = match[2] ?? '';
  return { units: sign * BigInt(`${match[1]}${decimals}`), decimals: decimals.length };
};

const write = ({ units, decimals }: Scaled): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (decimals === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const toDecimals = ({ units, decimals }: Scaled, wanted: number): bigint =>
  units * 10n ** BigInt(wanted - decimals);

/** `times('0.40', 8)` is `3.20`: exact, with as many decimals as the price has. */
export const times = (price: string, count: number): string => {
  const { units, decimals } = read(price);
  if (price.startsWith('-')) throw new Error(`'${price}' is not a decimal amount of at least zero`);
  return write({ units: units * BigInt(count), decimals });
};

/** Exact tenths of an amount: `tenths('19.95', 8)` is `15.960`. */
export const tenths = (amount: string, count: number): string => {
  const { units, decimals } = read(amount);
  return write({ units: units * BigInt(count), decimals: decimals + 1 });
};

/** Normalizes an amount; undefined if the text is not a valid limit. */
export const readMoney = (text: string): string | undefined =>
  isMoney(text) ? write(read(text)) : undefined;

export const plus = (one: string, other: string): string => {
  const [first, second] = [read(one), read(other)];
  const decimals = Math.max(first.decimals, second.decimals);
  return write({ units: toDecimals(first, decimals) + toDecimals(second, decimals), decimals });
};

export const negative = (amount: string): string => {
  const { units, decimals } = read(amount);
  return write({ units: -units, decimals });
};

export const minus = (one: string, other: string): string => plus(one, negative(other));

export const isZero = (amount: string): boolean => read(amount).units === 0n;

export const isNegative = (amount: string): boolean => read(amount).units < 0n;

/** What an upstream charged. */
export type Cost = { readonly amount: string; readonly currency: string };

/** Upstreams report a price as a JSON number; more decimals are rounding errors of theirs. */
const COST_DECIMALS = 9;
const MAX_COST = 1_000_000;

/** Undefined for anything that cannot be a price. */
export const readCost = (value: unknown, currency: string): Cost | undefined =>
  typeof value === 'number' && value >= 0 && value < MAX_COST
    ? { amount: value.toFixed(COST_DECIMALS).replace(/\.?0+$/, ''), currency }
    : undefined;
