import type { Clock, Logger } from './log-events.ts';

/** How many workers one owner, such as an account, may hold with work that can take long, so that others find one free. */

/** Work that may hold its worker for long; it counts until it ends or its time is over. */
export type SlowStep = {
  readonly owner: string;
  readonly id: string;
  readonly until: number;
  /** A part of the owner with a bound of its own, such as a webhook endpoint of an account. */
  readonly part?: string;
  /** Work that failed the last time leaves room to work that did not. */
  readonly isFailing?: boolean;
};

/** A step may begin while its owner has fewer than `own` and all owners together at most `all`. */
type Rung = { readonly own: number; readonly all: number };

export type Share = {
  readonly rungs: readonly Rung[];
  /** Whether an owner that holds nothing may begin whatever the others hold. */
  readonly isFirstFree: boolean;
  /** How many a part of an owner may hold. */
  readonly part: number;
};

export type Shares = { readonly usual: Share; readonly failing: Share };

/** A condition has room for so many. */
const MAX_RUNGS = 12;

/** With hundreds of workers, some steps of the ladder are left out, rounded down. */
const rungsUpTo = (most: number, room: number): readonly Rung[] => {
  const count = Math.min(most, MAX_RUNGS);
  return Array.from({ length: count }, (_, position) => {
    const own = Math.floor((most * (position + 1)) / count);
    return { own, all: room - own };
  });
};

/**
 * An owner may hold as many workers as it leaves free: half of them where it is alone, a third each where two
 * are slow, and so on. One is always allowed: nobody can be shut out.
 */
export const workerShares = (workers: number): Shares => {
  const share = {
    rungs: rungsUpTo(Math.floor(workers / 2), workers),
    isFirstFree: true,
    part: Number.POSITIVE_INFINITY,
  };
  return { usual: share, failing: share };
};

const shareOfSlots = (slots: number): Share => {
  const most = Math.ceil(slots / 2);
  return { rungs: rungsUpTo(most, slots), isFirstFree: false, part: Math.ceil(most / 2) };
};

/**
 * All owners together hold half of the workers at most, and a quarter where their work fails: the other half never
 * waits for them, however many they are. Among them, an owner may hold as many slots as it leaves free, and a part of
 * an owner half of that.
 */
export const slotShares = (workers: number): Shares => {
  const slots = Math.max(1, Math.floor(workers / 2));
  return { usual: shareOfSlots(slots), failing: shareOfSlots(Math.ceil(slots / 2)) };
};

/** The share that counts for a step. */
export const shareFor = (shares: Shares, { isFailing = false }: Pick<SlowStep, 'isFailing'>): Share =>
  isFailing ? shares.failing : shares.usual;

export type Held = { readonly own: number; readonly part: number; readonly all: number };

export const mayBegin = (share: Share, { own, part, all }: Held): boolean =>
  (own === 0 && share.isFirstFree) ||
  (part < share.part && share.rungs.some((rung) => own < rung.own && all <= rung.all));

type Sharer = { readonly slowSteps: SlowSteps; readonly logger: Logger; readonly now: Clock };
/** A step that is counted, and its owner. */
type CountedStep = Omit<SlowStep, 'until'>;

/** Tasks share the workers by account. */
export const ownedBy = ({ id, account }: { readonly id: string; readonly account: string }): CountedStep => ({
  owner: account,
  id,
});

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

const stepOf = ({ now }: Sharer, held: CountedStep, leaseMs: number): SlowStep => ({
  ...held,
  until: now() + leaseMs,
});

/** Does what may hold the worker for long, if the owner's share allows it; else what is to be done instead. */
export const withinShare = async (
  worker: Sharer,
  held: CountedStep,
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
export const shareWhenSlow = (worker: Sharer, held: CountedStep, leaseMs: number) => {
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
  held: CountedStep,
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

/** The steps that hold a worker for long, of all owners. */
export type SlowSteps = {
  /** Counts a step until it ends, or its time is over; false means that its owner has its share already. */
  begin(step: SlowStep, now: number): Promise<boolean>;
  end(step: SlowStep): Promise<void>;
};
