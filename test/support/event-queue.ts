type Event = { readonly at: number; readonly order: number; readonly run: () => void };

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** Future events, soonest first, as a binary heap: millions of events pass through it. */
export class EventQueue {
  readonly #heap: Event[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The time of the next event. */
  get next(): number | undefined {
    return this.#heap[0]?.at;
  }

  readonly push = (event: Event): void => {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(event);
    while (place > 0) {
      const parentPlace = (place - 1) >> 1;
      const parent = heap[parentPlace];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[place] = parent;
      place = parentPlace;
    }
    heap[place] = event;
  };

  readonly pop = (): Event | undefined => {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.#sink(last);
    return first;
  };

  /** Moves the last event from the top down to its place. */
  #sink(event: Event): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, event)) break;
      heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = event;
  }
}
