import { createHash } from 'node:crypto';

/** How long messages wait in the step queue, as the workers that receive them see it. All times in milliseconds. */

const MINUTE = 60_000;

/** A message that waits for less than this is on time. */
const ON_TIME = MINUTE;

/** Late accounts share this many places of a record, so that its size is bounded. */
const SLOTS = 1024;

/** The messages that the workers received within a minute. */
export type ReceivedMessages = {
  /** Whether some of them were on time. */
  readonly onTime: boolean;
  /** For each late account, under its slot: when its oldest message became ready to be received. */
  readonly late: ReadonlyMap<string, number>;
  /** Since when no worker has received anything, although messages wait. */
  readonly stalledSince?: number | undefined;
};

export type QueueAges = {
  /** Adds to the record of a minute. */
  record(minute: number, received: ReceivedMessages): Promise<void>;
  /** Undefined when nothing was recorded. */
  read(minute: number): Promise<ReceivedMessages | undefined>;
};

export const minuteAt = (time: number): number => Math.floor(time / MINUTE);

export const isOnTime = (waited: number): boolean => waited < ON_TIME;

/** The slot differs by the minute: two accounts that share one are told apart a minute later. */
export const accountSlot = (account: string, minute: number): string =>
  String(createHash('sha256').update(`${minute}/${account}`).digest().readUInt16BE() % SLOTS);

/** The time before which every message has been received; undefined when nobody knows. */
export const receivedUntil = (records: readonly ReceivedMessages[], now: number): number | undefined => {
  const received = records.filter(({ onTime, late }) => onTime || late.size > 0);
  if (received.length === 0) return undefined;
  return Math.min(now - ON_TIME, ...received.flatMap(({ late }) => [...late.values()]));
};

/**
 * How long the videos of an account wait for a worker. The queue serves first whoever uses little of it, so an
 * account that is not late is within its share, unless nobody is on time.
 */
export const accountWait = (
  { onTime, late, stalledSince }: ReceivedMessages,
  slot: string,
  now: number,
): number => {
  const own = late.get(slot);
  if (own !== undefined) return now - own;
  if (onTime) return 0;
  if (late.size > 0) return now - Math.max(...late.values());
  return now - (stalledSince ?? now);
};
