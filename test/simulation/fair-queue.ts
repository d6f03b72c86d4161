type Group<Item> = {
  items: { readonly item: Item; readonly order: number }[];
  taken: number;
  inWork: number;
};

/** A group that keeps more than this share of the workers busy comes after the others. */
const NOISY_SHARE = 0.1;
/** An array is cut only when much of it is used up. */
const CUT_AT = 10_000;

/** Waiting items by their group, in the order in which an SQS fair queue tends to give them. */
export class FairQueue<Item> {
  readonly #workers: number;
  readonly #groups = new Map<string, Group<Item>>();
  #count = 0;
  size = 0;

  constructor(workers: number) {
    this.#workers = workers;
  }

  readonly push = (name: string, item: Item): void => {
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { items: [], taken: 0, inWork: 0 };
      this.#groups.set(name, group);
    }
    group.items.push({ item, order: this.#count });
    this.#count += 1;
    this.size += 1;
  };

  /** The oldest item of all quiet groups; without one, that of the group with the fewest items in work. */
  readonly take = (): Item | undefined => {
    let best: { readonly group: Group<Item>; readonly rank: number; readonly order: number } | undefined;
    for (const group of this.#groups.values()) {
      const order = group.items[group.taken]?.order;
      if (order === undefined) continue;
      const rank = group.inWork > this.#workers * NOISY_SHARE ? group.inWork : 0;
      if (best === undefined || rank < best.rank || (rank === best.rank && order < best.order))
        best = { group, rank, order };
    }
    if (best === undefined) return undefined;
    const { group } = best;
    const next = group.items[group.taken];
    group.taken += 1;
    group.inWork += 1;
    this.size -= 1;
    if (group.taken > CUT_AT && group.taken * 2 > group.items.length) {
      group.items = group.items.slice(group.taken);
      group.taken = 0;
    }
    return next?.item;
  };

  /** An item of the group that was taken is no longer in work. */
  readonly done = (name: string): void => {
    const group = this.#groups.get(name);
    if (group !== undefined) group.inWork -= 1;
  };
}
