import type { QueueDepth, StepMessage, StepQueue } from '../../../functions/videos/domain/step-queue.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Call } from './call.ts';

export type Delivery<Message = StepMessage> = { readonly message: Message; receives: number };

/** As the stack sets them: six times the worker's timeout, and ten tries. */
const VISIBILITY_TIMEOUT = 720_000;
export const MAX_RECEIVES = 10;
const LONGEST_DELAY = 900_000;

/** A queue that hands out a message again until it is acknowledged, and buries it after ten times. */
export class MemoryQueue<Message = StepMessage> {
  readonly #time: VirtualClock;
  readonly #waiting = new Set<Delivery<Message>>();
  readonly #deliver: (delivery: Delivery<Message>) => void;
  readonly #bury: (delivery: Delivery<Message>) => void;

  constructor(
    time: VirtualClock,
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

  /** Sends a message that the sweeper takes for lost. */
  readonly resend = (message: Message): void => this.send(message, 0);

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

type SentSteps = {
  readonly send: (message: StepMessage, delay: number) => void;
  readonly resend: (message: StepMessage) => void;
};

export const queuePort = (queue: SentSteps, call: Call): StepQueue => ({
  send: (message, delay) => call('queue.send', () => queue.send(message, delay)),
  sendAll: (messages) =>
    call('queue.sendAll', () => {
      for (const message of messages) queue.resend(message);
      return [];
    }),
});

export const depthPort = (queue: { readonly waiting: number }, call: Call): QueueDepth => ({
  waiting: () => call('queue.waiting', () => queue.waiting),
});
