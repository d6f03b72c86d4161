import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { refuseRetired } from '../domain/offered.ts';
import {
  accountSlot,
  accountWait,
  addWork,
  isOnTime,
  NO_WORK,
  type QueueAges,
  type StepMessage,
  toMinute,
} from '../domain/step-queue.ts';
import type { VideoRequest } from '../domain/video-request.ts';
import { HAND_OVER, isCrowded, NO_LOAD, type WorkerNews } from '../domain/worker-capacity.ts';

type Dependencies = { readonly ages: QueueAges; readonly logger: Logger; readonly now: Clock };

/** How often a worker process records late messages; messages on time are recorded once a minute. */
const LATE_INTERVAL = 30_000;
/** OpenAI's clients obey a Retry-After of up to a minute. */
const RETRY_AFTER_SECONDS = 60;
/** For messages of earlier versions, which do not name their account. */
const NO_ACCOUNT = '';

/** Records how long messages have waited and how long their work took, for the sweeper and for creates. */
export const queueWatcher = ({ ages, logger, now }: Dependencies) => {
  let oldest = new Map<string, number>();
  let onTime = false;
  let work = NO_WORK;
  let recordedAt = Number.NEGATIVE_INFINITY;
  let recordedMinute = toMinute(now());

  const record = async (): Promise<void> => {
    const minute = toMinute(now());
    const late = new Map(Array.from(oldest, ([account, readyAt]) => [accountSlot(account, minute), readyAt]));
    const received = { onTime, late, work };
    [oldest, onTime, work, recordedAt, recordedMinute] = [new Map(), false, NO_WORK, now(), minute];
    await ages.record(minute, received).catch((error: unknown) => {
      // The next record replaces it; the task continues.
      logger.error('queue age not recorded', error, { minute });
    });
  };

  /** A redelivered message was already counted when it was first received. */
  const watch = async ({ account = NO_ACCOUNT, readyAt }: StepMessage, receives: number): Promise<void> => {
    if (readyAt === undefined || receives > 1) return;
    if (isOnTime(now() - readyAt)) onTime = true;
    else oldest.set(account, Math.min(readyAt, oldest.get(account) ?? readyAt));
    const isLateDue = oldest.size > 0 && now() - recordedAt >= LATE_INTERVAL;
    if (isLateDue || toMinute(now()) !== recordedMinute) await record();
  };

  const count = (change: Partial<typeof NO_WORK>): void => {
    work = addWork(work, { ...NO_WORK, ...change });
  };

  return {
    handle: async (message: StepMessage, receives: number, run: () => Promise<void>): Promise<void> => {
      const startedAt = now();
      try {
        await Promise.all([watch(message, receives), run()]);
      } finally {
        count({ busyMs: now() - startedAt + HAND_OVER, messages: 1 });
      }
    },
    /** Counts the tasks that this process starts and ends. */
    meter: { started: () => count({ started: 1 }), ended: () => count({ ended: 1 }) },
  };
};

export type WorkMeter = ReturnType<typeof queueWatcher>['meter'];

type AdmissionDependencies = Pick<Dependencies, 'logger' | 'now'> & {
  readonly news: WorkerNews;
  readonly upstreams: readonly Upstream[];
  readonly maxWaitMs: number;
};

const overloaded = (maxWaitMs: number): DomainError =>
  new DomainError(
    'overloaded',
    `The service is overloaded: videos of this account wait more than ${Math.round(maxWaitMs / 60_000)} minutes to start. Try again later.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/** Refuses creates that would wait too long, or fail for certain; reads once a minute. */
export const queueAdmission = ({ news, upstreams, logger, now, maxWaitMs }: AdmissionDependencies) => {
  let known: { readonly minute: number; readonly read: ReturnType<WorkerNews['read']> } | undefined;

  /** The current minute's record is not complete yet. */
  const lastMinute = () => {
    const minute = toMinute(now()) - 1;
    if (known?.minute === minute) return known;
    const read = news.read(minute).catch((error: unknown) => {
      // Without a record, creates are accepted.
      logger.error('queue age not read', error, { minute });
      return { received: undefined, retired: new Set<string>(), load: NO_LOAD };
    });
    known = { minute, read };
    return known;
  };

  return {
    /** The error if videos of the account wait too long, or if no upstream offers the model any more. */
    refusal: async (account: string, request: VideoRequest): Promise<DomainError | undefined> => {
      const { minute, read } = lastMinute();
      const { received, retired, load } = await read;
      const unavailable = refuseRetired(upstreams, request, retired);
      if (unavailable !== undefined) return unavailable;
      if (isCrowded(load, account, now())) return overloaded(maxWaitMs);
      if (received === undefined) return undefined;
      const wait = accountWait(received, accountSlot(account, minute), now());
      return wait > maxWaitMs ? overloaded(maxWaitMs) : undefined;
    },
  };
};

export type Admission = ReturnType<typeof queueAdmission>;
