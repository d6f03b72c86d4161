const DAY_SECONDS = 86_400;

/** The last so many UTC days, today among them, as Unix seconds from the first midnight to the next one. */
export const daysUntil = (nowMs: number, count: number): readonly [number, number] => {
  const end = (Math.floor(nowMs / 1000 / DAY_SECONDS) + 1) * DAY_SECONDS;
  return [end - count * DAY_SECONDS, end];
};

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Charges belong to UTC days, so their times are UTC too. */
export const formatUtcTime = (unixSeconds: number): string => time.format(unixSeconds * 1000);

export const formatDay = (unixSeconds: number): string => day.format(unixSeconds * 1000);
