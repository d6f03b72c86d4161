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
