import { DAY, MINUTE } from '../../platform/domain/durations.ts';

/** The UTC days, months and minutes by which limits and usage are counted. */

/** Such as `2026-11-15`. */
export const toUtcDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Whether the day exists: Date.parse reads 31 February as a day in March. */
export const isDay = (text: string): boolean => {
  const start = dayStart(text);
  return !Number.isNaN(start) && toUtcDay(start) === text;
};

/** The day `count` days later. Days sort as text, and every UTC day has 24 hours. */
export const dayAfter = (day: string, count: number): string => toUtcDay(dayStart(day) + count * DAY);

/** Such as `2026-11`. */
export const toUtcMonth = (time: number): string => toUtcDay(time).slice(0, 7);

/** The month `count` months later. Months sort as text. */
export const monthAfter = (month: string, count: number): string => {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return toUtcMonth(date.getTime());
};

/** The start of the next month. */
export const monthEnd = (month: string): string => `${monthAfter(month, 1)}-01T00:00:00Z`;

export const toMinute = (time: number): number => Math.floor(time / MINUTE);

export const secondsUntil = (moment: string, now: number): number =>
  Math.max(1, Math.ceil((Date.parse(moment) - now) / 1000));

export const secondsToMinuteEnd = (now: number): number => Math.ceil((MINUTE - (now % MINUTE)) / 1000);
