import { hash } from 'node:crypto';
import { MINUTE } from '../../platform/domain/durations.ts';
import type { UpstreamReference } from '../../upstream/domain/upstreams.ts';

/** The queue that drives tasks, and how long messages wait in it. All times in milliseconds. */

/** Lets a check that finds nothing new skip reading its task. */
type Poll = {
  readonly operation: string;
  readonly upstream: UpstreamReference;
  readonly submittedAt: number;
  readonly leaseUntil: number;
};
export type StepMessage = {
  readonly taskId: string;
  /** Groups messages, so that one account cannot block another; absent in messages of earlier versions. */
  readonly account?: string | undefined;
  readonly step: number;
  readonly poll?: Poll | undefined;
  /** When the delay ended, set by the queue; absent in messages of earlier versions. */
  readonly readyAt?: number | undefined;
};
export type StepQueue = {
  send(message: StepMessage, delayMs: number): Promise<void>;
  /** Sends all messages without delay and returns those that the queue refused. */
  sendAll(messages: readonly StepMessage[]): Promise<readonly StepMessage[]>;
};

export type QueueDepth = {
  /** The approximate number of messages that could be received now. */
  waiting(): Promise<number>;
};

const ON_TIME = MINUTE;

/** Late accounts are hashed into this many slots, which bounds the size of a record. */
const SLOTS = 1024;

/** The work of a minute, added up over all worker processes. */
export type WorkDone = {
  readonly busyMs: number;
  readonly messages: number;
  /** Tasks that an upstream accepted. */
  readonly started: number;
  /** Accepted tasks that ended. */
  readonly ended: number;
};

export const NO_WORK: WorkDone = { busyMs: 0, messages: 0, started: 0, ended: 0 };

export const addWork = (one: WorkDone, other: WorkDone): WorkDone => ({
  busyMs: one.busyMs + other.busyMs,
  messages: one.messages + other.messages,
  started: one.started + other.started,
  ended: one.ended + other.ended,
});

/** The messages that the workers received within a minute. */
export type ReceivedMessages = {
  /** Whether at least one of them was on time. */
  readonly onTime: boolean;
  /** For the slot of each late account: when its oldest message became ready. */
  readonly late: ReadonlyMap<string, number>;
  /** Since when no worker has received anything, although messages are waiting. */
  readonly stalledSince?: number | undefined;
  /** Added up; absent if none was recorded. */
  readonly work?: WorkDone | undefined;
};

export type QueueAges = {
  record(minute: number, received: ReceivedMessages): Promise<void>;
  /** Undefined when nothing was recorded. */
  read(minute: number): Promise<ReceivedMessages | undefined>;
};

/** Models that upstreams have retired, noted by workers for the functions that accept tasks. */
export type Retirements = {
  note(upstream: string, model: string, until: number): Promise<void>;
};

export const toMinute = (time: number): number => Math.floor(time / MINUTE);

export const isOnTime = (waited: number): boolean => waited < ON_TIME;

/** The slot changes every minute, so two accounts share one only for a minute. */
export const accountSlot = (account: string, minute: number): string =>
  String(hash('sha256', `${minute}/${account}`, 'buffer').readUInt16BE() % SLOTS);

/** The time before which every message has been received; undefined when unknown. */
export const receivedUntil = (records: readonly ReceivedMessages[], now: number): number | undefined => {
  const received = records.filter(({ onTime, late }) => onTime || late.size > 0);
  if (received.length === 0) return undefined;
  return Math.min(now - ON_TIME, ...received.flatMap(({ late }) => [...late.values()]));
};

/** An account that is not late is within its share, because the queue prefers it, unless no account is on time. */
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
