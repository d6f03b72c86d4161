import type { Task } from '../../videos/domain/task.ts';
import type { Clock, Logger, SlowSteps } from './ports.ts';
import type { SlowStep } from './share.ts';

type Sharer = { readonly slowSteps: SlowSteps; readonly logger: Logger; readonly now: Clock };
/** What is counted, and for whom. */
type Held = Omit<SlowStep, 'until'>;

/** Tasks share the workers by account. */
export const ownedBy = ({ id, account }: Pick<Task, 'id' | 'account'>): Held => ({ owner: account, id });

/** How long a step may take before it counts as slow, where it can be broken off. */
const QUICK_MILLISECONDS = 3000;

/** A video whose account holds its share of the workers already: it is fetched later. */
export class ShareUsedUp extends Error {
  override readonly name = 'ShareUsedUp';
}

const begin = async ({ slowSteps, logger, now }: Sharer, step: SlowStep): Promise<boolean> => {
  const { owner, id } = step;
  try {
    if (await slowSteps.begin(step, now())) return true;
  } catch (error) {
    // Being fair is not worth a task: what cannot be counted goes on.
    logger.error('share not counted', error, { owner, id });
    return true;
  }
  logger.info('share used up', { owner, id });
  return false;
};

const end = async ({ slowSteps, logger }: Sharer, step: SlowStep): Promise<void> => {
  const { owner, id } = step;
  try {
    await slowSteps.end(step);
  } catch (error) {
    // It ends by itself when its time is over.
    logger.error('share not counted', error, { owner, id });
  }
};

const stepOf = ({ now }: Sharer, held: Held, leaseMs: number): SlowStep => ({
  ...held,
  until: now() + leaseMs,
});

/** Does what may hold the worker for long, if the owner's share allows it; else what is to be done instead. */
export const withinShare = async (
  worker: Sharer,
  held: Held,
  leaseMs: number,
  { work, postpone }: { readonly work: () => Promise<void>; readonly postpone: () => Promise<void> },
): Promise<void> => {
  const step = stepOf(worker, held, leaseMs);
  if (!(await begin(worker, step))) return postpone();
  try {
    await work();
  } finally {
    await end(worker, step);
  }
};

/** A share that is asked for once work turns out to be slow; false means that there is none, and the work breaks off. */
export const shareWhenSlow = (worker: Sharer, held: Held, leaseMs: number) => {
  let step: SlowStep | undefined;
  return {
    begin: async (): Promise<boolean> => {
      const slow = stepOf(worker, held, leaseMs);
      if (!(await begin(worker, slow))) return false;
      step = slow;
      return true;
    },
    end: async (): Promise<void> => {
      if (step !== undefined) await end(worker, step);
    },
  };
};

/** Passes a video on; once it turns out to be slow it needs a share, and breaks off where there is none. */
export async function* withinShareWhenSlow(
  worker: Sharer,
  held: Held,
  leaseMs: number,
  video: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const started = worker.now();
  const share = shareWhenSlow(worker, held, leaseMs);
  let isSlow = false;
  try {
    for await (const chunk of video) {
      if (!isSlow && worker.now() - started > QUICK_MILLISECONDS) {
        isSlow = true;
        if (!(await share.begin())) throw new ShareUsedUp();
      }
      yield chunk;
    }
  } finally {
    await share.end();
  }
}
