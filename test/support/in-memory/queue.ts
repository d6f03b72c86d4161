import type { StepMessage } from '../../../functions/videos/domain/ports.ts';
import type { VirtualTime } from '../virtual-time.ts';

export type Delivery<Message = StepMessage> = { readonly message: Message; receives: number };

/** As the stack sets them: six times the worker's timeout, and ten tries. */
const VISIBILITY_TIMEOUT = 720_000;
export const MAX_RECEIVES = 10;
const LONGEST_DELAY = 900_000;

/** A queue that hands out a message again until it is acknowledged, and buries it after ten times. */
export class MemoryQueue<Message = StepMessage> {
  readonly #time: VirtualTime;
  readonly #waiting = new Set<Delivery<Message>>();
  readonly #deliver: (delivery: Delivery<Message>) => void;
  readonly #bury: (delivery: Delivery<Message>) => void;

  constructor(
    time: VirtualTime,
    deliver: (delivery: Delivery<Message>) => void,
    bury: (delivery: Delivery<Message>) => void,
  ) {
    this.#time = time;
    this.#deliver = deliver;
    this.#bury = bury;
  }

  readonly send = (message: Message, delay: number): void => {
    if (delay > LONGEST_DELAY) return;
    const delivery = { message, receives: 0 };
    this.#waiting.add(delivery);
    this.#time.after(delay, () => this.#handOut(delivery));
  };

  readonly acknowledge = (delivery: Delivery<Message>): void => {
    this.#waiting.delete(delivery);
  };

  /** A message is handed out as soon as it is ready, so that none waits. */
  readonly waiting = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  #handOut(delivery: Delivery<Message>): void {
    if (!this.#waiting.has(delivery)) return;
    delivery.receives += 1;
    if (delivery.receives > MAX_RECEIVES) this.#bury(delivery);
    else this.#deliver(delivery);
    this.#time.after(VISIBILITY_TIMEOUT, () => this.#handOut(delivery));
  }
}
