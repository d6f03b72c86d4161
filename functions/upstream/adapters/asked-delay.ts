import { DAY, HOUR, SECOND } from '../../platform/domain/durations.ts';
import type { UpstreamFault } from '../domain/faults.ts';

/** A wrong number must not stop an upstream for days; only a daily quota takes longer than an hour to return. */
const longestDelay = (fault: UpstreamFault): number => (fault === 'exhausted' ? DAY : HOUR);

const DELAY = /^(\d+(?:\.\d+)?)s?$/;

/** A number far above any delay is a moment, in seconds or milliseconds since the epoch, if that is within a day. */
const untilMoment = (value: number, now: number): number | undefined =>
  [value * SECOND, value].map((moment) => moment - now).find((left) => Math.abs(left) <= DAY);

/** The seconds that an upstream asks to wait, such as `34` or `3.5s`. Undefined for anything but a number. */
export const readAskedDelay = (
  asked: string | null | undefined,
  fault: UpstreamFault,
  now: number,
): number | undefined => {
  const [, digits] = DELAY.exec(asked ?? '') ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  const delay =
    value * SECOND <= DAY ? value * SECOND : (untilMoment(value, now) ?? Number.POSITIVE_INFINITY);
  return Math.min(Math.max(0, delay), longestDelay(fault)) / SECOND;
};
