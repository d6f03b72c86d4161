import { EventQueue } from './event-queue.ts';

const SETTLED = Promise.resolve();
/** The event loop gets its turn after this many steps, for garbage collection and signals. */
const STEPS_PER_TURN = 20_000;

/** A clock that stands still until the next event, and then jumps to it. */
export class VirtualClock {
  #now = 0;
  #count = 0;
  readonly #queue = new EventQueue();

  readonly now = (): number => this.#now;

  /** The number of events that have happened. */
  get happened(): number {
    return this.#count - this.#queue.size;
  }

  readonly after = (milliseconds: number, run: () => void): void => {
    this.#queue.push({ at: this.#now + milliseconds, order: this.#count, run });
    this.#count += 1;
  };

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => this.after(milliseconds, resolve));

  /**
   * Runs until `isOver`, or until no event is left. Events of the same millisecond run together, or one by one with
   * `afterEach`, which is called when all that an event started has come to rest.
   */
  readonly run = (isOver: () => boolean, afterEach?: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      let left = STEPS_PER_TURN;
      const step = (): void => {
        const event = isOver() ? undefined : this.#queue.pop();
        if (event === undefined) {
          resolve();
          return;
        }
        this.#now = event.at;
        event.run();
        if (afterEach === undefined) while (this.#queue.next === this.#now) this.#queue.pop()?.run();
        void SETTLED.then(scheduleNext);
      };
      const next = (): void => {
        try {
          afterEach?.();
          step();
        } catch (error) {
          reject(error);
        }
      };
      // Node empties the whole microtask queue before the next tick: by then all that this event started has come to
      // rest, at a fraction of the cost of a turn of the event loop.
      const scheduleNext = (): void => {
        left -= 1;
        if (left > 0) {
          process.nextTick(next);
          return;
        }
        left = STEPS_PER_TURN;
        setImmediate(next);
      };
      setImmediate(step);
    });
}
