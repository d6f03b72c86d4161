import type { Clock, Logger, SlowSteps } from '../domain/ports.ts';
import type { SlowStep } from '../domain/share.ts';
import type { Task } from '../domain/task.ts';

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

const stepOf = ({ now }: Sharer, { id, owner }: Held, leaseMs: number): SlowStep => ({
  owner,
  id,
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

/** Passes a video on; once it turns out to be slow it needs a share, and breaks off where there is none. */
export async function* withinShareWhenSlow(
  worker: Sharer,
  held: Held,
  leaseMs: number,
  video: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const started = worker.now();
  let step: SlowStep | undefined;
  try {
    for await (const chunk of video) {
      if (step === undefined && worker.now() - started > QUICK_MILLISECONDS) {
        const slow = stepOf(worker, held, leaseMs);
        if (!(await begin(worker, slow))) throw new ShareUsedUp();
        step = slow;
      }
      yield chunk;
    }
  } finally {
    if (step !== undefined) await end(worker, step);
  }
}
