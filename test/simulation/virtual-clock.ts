import { EventQueue } from './event-queue.ts';

const SETTLED = Promise.resolve();
/** How many happenings in a row, before the process may collect its garbage and hear signals. */
const IN_A_ROW = 20_000;

/** A clock that stands still until the next thing happens, and then jumps to it. */
export class VirtualClock {
  #now = 0;
  #count = 0;
  readonly #queue = new EventQueue();

  readonly now = (): number => this.#now;

  get happened(): number {
    return this.#count - this.#queue.size;
  }

  readonly after = (milliseconds: number, run: () => void): void => {
    this.#queue.push({ at: this.#now + milliseconds, order: this.#count, run });
    this.#count += 1;
  };

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => this.after(milliseconds, resolve));

  /** Lets things happen, a millisecond at a time, until `over` says so, or nothing is left to happen. */
  readonly run = (over: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      let left = IN_A_ROW;
      const next = (): void => {
        const happening = over() ? undefined : this.#queue.pop();
        if (happening === undefined) {
          resolve();
          return;
        }
        this.#now = happening.at;
        happening.run();
        // What happens in the same millisecond happens side by side.
        while (this.#queue.next === this.#now) this.#queue.pop()?.run();
        void SETTLED.then(again);
      };
      // Node empties its whole microtask queue before it takes the next tick: by then all that this
      // happening set going has come to rest, at a fraction of what a turn of the event loop costs.
      const again = (): void => {
        left -= 1;
        if (left > 0) {
          process.nextTick(next);
          return;
        }
        left = IN_A_ROW;
        setImmediate(next);
      };
      setImmediate(next);
    });
}
