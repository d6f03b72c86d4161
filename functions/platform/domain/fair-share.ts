import type { Clock, Logger } from './log-events.ts';

/** Limits how many workers one owner, such as an account, can occupy with slow work, so that others find one free. */

/** Work that may occupy its worker for long. It counts until it ends or expires. */
export type SlowStep = {
  readonly owner: string;
  readonly id: string;
  readonly until: number;
  /** A part of the owner with its own limit, such as a webhook endpoint of an account. */
  readonly part?: string;
  /** Work that failed last time has a smaller share. */
  readonly isFailing?: boolean;
};

/** A step may begin while its owner has fewer than `own` and all owners together at most `all`. */
type Level = { readonly own: number; readonly all: number };

export type Share = {
  readonly levels: readonly Level[];
  /** Whether an owner's first step may always begin. */
  readonly isFirstFree: boolean;
  readonly part: number;
};

export type Shares = { readonly usual: Share; readonly failing: Share };

/** The length of a condition is limited. */
const MAX_LEVELS = 12;

/** With hundreds of workers, some levels are left out. */
const levelsUpTo = (most: number, room: number): readonly Level[] => {
  const count = Math.min(most, MAX_LEVELS);
  return Array.from({ length: count }, (_, position) => {
    const own = Math.floor((most * (position + 1)) / count);
    return { own, all: room - own };
  });
};

/**
 * An owner may hold as many workers as remain free: half of them if it is alone, a third each for two slow owners, and
 * so on. The first is always allowed, so that no owner is shut out.
 */
export const workerShares = (workers: number): Shares => {
  const share = {
    levels: levelsUpTo(Math.floor(workers / 2), workers),
    isFirstFree: true,
    part: Number.POSITIVE_INFINITY,
  };
  return { usual: share, failing: share };
};

const shareOfSlots = (slots: number): Share => {
  const most = Math.ceil(slots / 2);
  return { levels: levelsUpTo(most, slots), isFirstFree: false, part: Math.ceil(most / 2) };
};

/**
 * All owners together hold at most half of the workers with slow work, and a quarter with failing work, so that the
 * other half is always available. An owner may hold as many of these slots as remain free, a part of an owner half.
 */
export const slotShares = (workers: number): Shares => {
  const slots = Math.max(1, Math.floor(workers / 2));
  return { usual: shareOfSlots(slots), failing: shareOfSlots(Math.ceil(slots / 2)) };
};

export const shareFor = (shares: Shares, { isFailing = false }: Pick<SlowStep, 'isFailing'>): Share =>
  isFailing ? shares.failing : shares.usual;

export type Held = { readonly own: number; readonly part: number; readonly all: number };

export const mayBegin = (share: Share, { own, part, all }: Held): boolean =>
  (own === 0 && share.isFirstFree) ||
  (part < share.part && share.levels.some((level) => own < level.own && all <= level.all));

type Sharer = { readonly slowSteps: SlowSteps; readonly logger: Logger; readonly now: Clock };
/** A step to count, without its expiry. */
type CountedStep = Omit<SlowStep, 'until'>;

/** Tasks share the workers by account. */
export const ownedBy = ({ id, account }: { readonly id: string; readonly account: string }): CountedStep => ({
  owner: account,
  id,
});

/** A step that takes longer counts as slow. */
const QUICK_MILLISECONDS = 3000;

/** The account already holds its share of the workers: the video is fetched later. */
export class ShareUsedUp extends Error {
  override readonly name = 'ShareUsedUp';
}

const begin = async ({ slowSteps, logger, now }: Sharer, step: SlowStep): Promise<boolean> => {
  const { owner, id } = step;
  try {
    if (await slowSteps.begin(step, now())) return true;
  } catch (error) {
    // Fairness must not cost a task: continue without counting.
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
    // The step expires by itself.
    logger.error('share not counted', error, { owner, id });
  }
};

const toSlowStep = ({ now }: Sharer, held: CountedStep, leaseMs: number): SlowStep => ({
  ...held,
  until: now() + leaseMs,
});

/** Runs slow work if the owner's share allows it; otherwise postpones it. */
export const withinShare = async (
  worker: Sharer,
  held: CountedStep,
  leaseMs: number,
  { work, postpone }: { readonly work: () => Promise<void>; readonly postpone: () => Promise<void> },
): Promise<void> => {
  const step = toSlowStep(worker, held, leaseMs);
  if (!(await begin(worker, step))) return postpone();
  try {
    await work();
  } finally {
    await end(worker, step);
  }
};

/** Requests a share once work turns out to be slow. False means that the work must be aborted. */
export const shareWhenSlow = (worker: Sharer, held: CountedStep, leaseMs: number) => {
  let step: SlowStep | undefined;
  return {
    begin: async (): Promise<boolean> => {
      const slow = toSlowStep(worker, held, leaseMs);
      if (!(await begin(worker, slow))) return false;
      step = slow;
      return true;
    },
    end: async (): Promise<void> => {
      if (step !== undefined) await end(worker, step);
    },
  };
};

/** Passes on a video. A slow one needs a share, and is aborted without one. */
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

export type SlowSteps = {
  /** Counts a step until it ends or expires. False if the owner already holds its share. */
  begin(step: SlowStep, now: number): Promise<boolean>;
  end(step: SlowStep): Promise<void>;
};
