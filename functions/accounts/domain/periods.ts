/** The days, months and minutes that limits and sums are counted in, all in UTC. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** `2026-11-15`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day's first moment. */
export const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Whether the calendar has it: the 31st of February is read as one of March. */
export const isDay = (text: string): boolean => {
  const start = dayStart(text);
  return !Number.isNaN(start) && dayOf(start) === text;
};

/** A day so many after another: days sort as their texts do, and UTC has none of 23 or 25 hours. */
export const dayAfter = (day: string, count: number): string => dayOf(dayStart(day) + count * DAY);

/** `2026-11`. */
export const monthOf = (time: number): string => dayOf(time).slice(0, 7);

/** A month so many after another: months sort as their texts do. */
export const monthAfter = (month: string, count: number): string => {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return monthOf(date.getTime());
};

/** The first moment after the month. */
export const monthEnd = (month: string): string => `${monthAfter(month, 1)}-01T00:00:00Z`;

export const minuteOf = (time: number): number => Math.floor(time / MINUTE);

export const secondsUntil = (moment: string, now: number): number =>
  Math.max(1, Math.ceil((Date.parse(moment) - now) / 1000));

export const secondsToMinuteEnd = (now: number): number => Math.ceil((MINUTE - (now % MINUTE)) / 1000);
