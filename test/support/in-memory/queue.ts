import type { StepMessage } from '../../../functions/domain/ports.ts';
import type { VirtualTime } from '../virtual-time.ts';

export type Delivery = { readonly message: StepMessage; receives: number };

/** As the stack sets them: six times the worker's timeout, and five tries. */
const VISIBILITY_TIMEOUT = 720_000;
const MAX_RECEIVES = 5;
const LONGEST_DELAY = 900_000;

/** A queue that hands out a message again until it is acknowledged, and buries it after five times. */
export class MemoryQueue {
  readonly #time: VirtualTime;
  readonly #waiting = new Set<Delivery>();
  readonly #deliver: (delivery: Delivery) => void;
  readonly #bury: (delivery: Delivery) => void;

  constructor(time: VirtualTime, deliver: (delivery: Delivery) => void, bury: (delivery: Delivery) => void) {
    this.#time = time;
    this.#deliver = deliver;
    this.#bury = bury;
  }

  readonly send = (message: StepMessage, delay: number): void => {
    if (delay > LONGEST_DELAY) return;
    const delivery = { message, receives: 0 };
    this.#waiting.add(delivery);
    this.#time.after(delay, () => this.#handOut(delivery));
  };

  readonly acknowledge = (delivery: Delivery): void => {
    this.#waiting.delete(delivery);
  };

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  #handOut(delivery: Delivery): void {
    if (!this.#waiting.has(delivery)) return;
    delivery.receives += 1;
    if (delivery.receives > MAX_RECEIVES) this.#bury(delivery);
    else this.#deliver(delivery);
    this.#time.after(VISIBILITY_TIMEOUT, () => this.#handOut(delivery));
  }
}
