import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { StepMessage } from '../domain/ports.ts';
import {
  accountSlot,
  accountWait,
  isOnTime,
  minuteAt,
  type QueueAges,
  type ReceivedMessages,
} from '../domain/queue-age.ts';

type Dependencies = { readonly ages: QueueAges; readonly logger: Logger; readonly now: Clock };

/** How often a worker process records that messages are late; that they are on time is recorded once a minute. */
const LATE_INTERVAL = 30_000;
/** Clients of OpenAI obey a Retry-After of up to a minute. */
const RETRY_AFTER_SECONDS = 60;
/** Messages of earlier versions do not name their account. */
const NOBODY = '';

/** Notes how long each message has waited, and records it now and then for the sweeper and the creates. */
export const queueWatcher = ({ ages, logger, now }: Dependencies) => {
  let oldest = new Map<string, number>();
  let onTime = false;
  let recordedAt = Number.NEGATIVE_INFINITY;
  let recordedMinute = minuteAt(now());

  const record = async (): Promise<void> => {
    const minute = minuteAt(now());
    const late = new Map(Array.from(oldest, ([account, readyAt]) => [accountSlot(account, minute), readyAt]));
    const received = { onTime, late };
    [oldest, onTime, recordedAt, recordedMinute] = [new Map(), false, now(), minute];
    await ages.record(minute, received).catch((error: unknown) => {
      // The next record replaces it; the task itself goes on.
      logger.error('queue age not recorded', error, { minute });
    });
  };

  /** A message that comes again was received in time the first time. */
  return async ({ account = NOBODY, readyAt }: StepMessage, receives: number): Promise<void> => {
    if (readyAt === undefined || receives > 1) return;
    if (isOnTime(now() - readyAt)) onTime = true;
    else oldest.set(account, Math.min(readyAt, oldest.get(account) ?? readyAt));
    const isLateDue = oldest.size > 0 && now() - recordedAt >= LATE_INTERVAL;
    if (isLateDue || minuteAt(now()) !== recordedMinute) await record();
  };
};

export type Admission = {
  /** The error for an account whose videos wait too long; undefined when it may create more. */
  refusal(account: string): Promise<DomainError | undefined>;
};

type AdmissionDependencies = Dependencies & { readonly maxWaitMs: number };

const refusalFor = (maxWaitMs: number): DomainError =>
  new DomainError(
    'overloaded',
    `The service is overloaded: videos of this account wait more than ${Math.round(maxWaitMs / 60_000)} minutes for their start. Try again later.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/** Refuses creates while the account's videos wait too long, with one read a minute. */
export const queueAdmission = ({ ages, logger, now, maxWaitMs }: AdmissionDependencies): Admission => {
  let known:
    | { readonly minute: number; readonly received: Promise<ReceivedMessages | undefined> }
    | undefined;

  /** The last minute that is over, so that its record is complete. */
  const lastMinute = () => {
    const minute = minuteAt(now()) - 1;
    if (known?.minute === minute) return known;
    const received = ages.read(minute).catch((error: unknown) => {
      // Not knowing is no reason to refuse a video.
      logger.error('queue age not known', error, { minute });
      return undefined;
    });
    known = { minute, received };
    return known;
  };

  return {
    refusal: async (account) => {
      const { minute, received } = lastMinute();
      const record = await received;
      if (record === undefined) return undefined;
      const wait = accountWait(record, accountSlot(account, minute), now());
      return wait > maxWaitMs ? refusalFor(maxWaitMs) : undefined;
    },
  };
};
