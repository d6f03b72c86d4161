import { setTimeout as sleep } from 'node:timers/promises';
import type { SlowSteps } from '../../platform/domain/fair-share.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import type { Progress } from '../domain/messages.ts';

/** Each waiting call occupies an execution, and a new AWS account has ten: only some calls may wait at a time. */

export type Waiting = {
  readonly places: SlowSteps;
  readonly logger: Logger;
  readonly now: Clock;
};

type Wait<Item> = {
  readonly account: string;
  /** Of the request. */
  readonly id: string;
  readonly deadline: number;
  readonly look: () => Promise<Item>;
  readonly isOver: (item: Item) => boolean;
  readonly describe: (item: Item) => string;
  readonly report: (progress: Progress) => void;
};

const REPORT_MILLISECONDS = 3000;

/** The result of work that continues if it takes longer than the call may: then it is undefined at the deadline. */
export const waitFor = async <Result>(
  work: Promise<Result>,
  message: string,
  { deadline, report }: Pick<Wait<Result>, 'deadline' | 'report'>,
): Promise<Result | undefined> => {
  const started = Date.now();
  const total = Math.round((deadline - started) / 1000);
  const timer = setInterval(() => {
    report({ progress: Math.round((Date.now() - started) / 1000), total, message });
  }, REPORT_MILLISECONDS);
  const over = new AbortController();
  const late = sleep(Math.max(0, deadline - started), undefined, { signal: over.signal });
  try {
    return await Promise.race([work, late.catch(() => undefined)]);
  } finally {
    over.abort();
    clearInterval(timer);
  }
};

/** A worker first asks the generator after two seconds, and later less often. */
const LOOK_MILLISECONDS = 2000;

const lookUntil = async <Item>({ now }: Waiting, first: Item, wait: Wait<Item>): Promise<Item> => {
  const { deadline, look, isOver, describe, report } = wait;
  const started = now();
  const total = Math.round((deadline - started) / 1000);
  let item = first;
  while (!isOver(item) && now() < deadline) {
    const progress = Math.min(total, Math.round((now() - started) / 1000));
    report({ progress, total, message: describe(item) });
    await sleep(Math.max(0, Math.min(LOOK_MILLISECONDS, deadline - now())));
    item = await look();
  }
  return item;
};

/** Looks until the item is over or the time is up. Without a free place it looks once. */
export const waitUntil = async <Item>(waiting: Waiting, wait: Wait<Item>): Promise<Item> => {
  const { places, logger, now } = waiting;
  const first = await wait.look();
  if (wait.isOver(first) || now() >= wait.deadline) return first;
  const place = { owner: wait.account, id: wait.id, until: wait.deadline + LOOK_MILLISECONDS };
  if (!(await places.begin(place, now()))) {
    logger.info('share used up', { owner: wait.account, id: wait.id });
    return first;
  }
  try {
    return await lookUntil(waiting, first, wait);
  } finally {
    await places.end(place).catch((error: unknown) => {
      // The place expires by itself.
      logger.error('share not counted', error, { owner: wait.account, id: wait.id });
    });
  }
};
