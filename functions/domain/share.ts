/** How many workers one owner, such as an account, may hold with what can take long, so that others find one free. */

/** What may hold its worker for long; it counts until it ends or its time is over. */
export type SlowStep = { readonly owner: string; readonly id: string; readonly until: number };

/** A step may begin while its owner has fewer than `own` and all owners together at most `all`. */
type Rung = { readonly own: number; readonly all: number };

/** A condition has room for so many. */
const MAX_RUNGS = 12;

/**
 * An owner may hold as many workers as it leaves free: half of them where it is alone, a third each where two
 * are slow, and so on. What counts as one more is rounded down where there are hundreds of workers.
 */
export const rungsOf = (workers: number): readonly Rung[] => {
  const half = Math.floor(workers / 2);
  const count = Math.min(half, MAX_RUNGS);
  return Array.from({ length: count }, (_, position) => {
    const own = Math.floor((half * (position + 1)) / count);
    return { own, all: workers - own };
  });
};

/** One is always allowed: nobody can be shut out. */
export const mayBegin = (rungs: readonly Rung[], own: number, all: number): boolean =>
  own === 0 || rungs.some((rung) => own < rung.own && all <= rung.all);
