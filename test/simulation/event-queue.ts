type Happening = { readonly at: number; readonly order: number; readonly run: () => void };

const isBefore = (one: Happening, other: Happening): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** What is to happen, soonest first (a binary heap): millions of happenings pass through it. */
export class EventQueue {
  readonly #heap: Happening[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** When the next thing happens. */
  get next(): number | undefined {
    return this.#heap[0]?.at;
  }

  readonly push = (happening: Happening): void => {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(happening);
    while (place > 0) {
      const parentPlace = (place - 1) >> 1;
      const parent = heap[parentPlace];
      if (parent === undefined || !isBefore(happening, parent)) break;
      heap[place] = parent;
      place = parentPlace;
    }
    heap[place] = happening;
  };

  readonly pop = (): Happening | undefined => {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.#sink(last);
    return first;
  };

  /** Finds the place of the one that was last, from the top down. */
  #sink(happening: Happening): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, happening)) break;
      heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = happening;
  }
}
