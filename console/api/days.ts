/** From midnight to midnight UTC, in Unix seconds. */
export type Days = { readonly start: number; readonly end: number };

const DAY_SECONDS = 86_400;

export const lastDays = (nowMs: number, count: number): Days => {
  const end = (Math.floor(nowMs / 1000 / DAY_SECONDS) + 1) * DAY_SECONDS;
  return { start: end - count * DAY_SECONDS, end };
};

/** A UTC month, which a monthly budget covers, as Unix seconds: the current one, or so many months earlier. */
export const utcMonth = (nowMs: number, monthsAgo = 0): Days => {
  const now = new Date(nowMs);
  const monthStart = (offset: number) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo + offset) / 1000;
  return { start: monthStart(0), end: monthStart(1) };
};

export const isoDay = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().slice(0, 10);

/** More would take too many requests. */
const MAX_DAYS = 366;

/** The UTC days from one to the other, both included; undefined if that is no range. */
export const dayRange = (from: string, to: string): Days | undefined => {
  const [start = Number.NaN, last = Number.NaN] = [from, to].map(
    (day) => Date.parse(`${day}T00:00:00Z`) / 1000,
  );
  return last >= start
    ? { start: Math.max(start, last - (MAX_DAYS - 1) * DAY_SECONDS), end: last + DAY_SECONDS }
    : undefined;
};
