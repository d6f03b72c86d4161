import type { StepMessage } from '../../functions/domain/ports.ts';
import { MAX_RECEIVES } from '../support/in-memory/queue.ts';
import { Distribution } from './distribution.ts';
import { LIMITS } from './latencies.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Delivery = { readonly message: StepMessage; receives: number; readyAt: number };
type Handler = (message: StepMessage) => Promise<void>;

/** As the stack sets them: six times the worker's timeout. */
const VISIBILITY_TIMEOUT = 720_000;
const LONGEST_DELAY_SECONDS = 900;

type Options = {
  readonly clock: VirtualClock;
  readonly workers: number;
  /** From a free worker to the start of its invocation. */
  readonly startUp: (isCold: boolean) => number;
  readonly handle: Handler;
  readonly bury: Handler;
};

/** The step queue and the workers behind it: a message waits until one of them is free. */
export class SimulatedQueue {
  readonly #options: Options;
  #ready: Delivery[] = [];
  #taken = 0;
  #busy = 0;
  #busyTime = 0;
  #changedAt = 0;
  #environments = 0;
  readonly waits = new Distribution();
  readonly counts = { received: 0, failed: 0, buried: 0, peakWorkers: 0, longestQueue: 0 };

  constructor(options: Options) {
    this.#options = options;
  }

  readonly send = (message: StepMessage, delay: number): void => {
    const seconds = Math.ceil(delay / 1000);
    if (seconds > LONGEST_DELAY_SECONDS) return;
    this.#arrive({ message, receives: 0, readyAt: 0 }, seconds * 1000);
  };

  /** Worker time so far, in milliseconds of one worker. */
  readonly busyTime = (): number =>
    this.#busyTime + this.#busy * (this.#options.clock.now() - this.#changedAt);

  get waiting(): number {
    return this.#ready.length - this.#taken;
  }

  #arrive(delivery: Delivery, delay: number): void {
    const { clock } = this.#options;
    clock.after(delay, () => {
      delivery.readyAt = clock.now();
      this.#ready.push(delivery);
      this.counts.longestQueue = Math.max(this.counts.longestQueue, this.waiting);
      this.#dispatch();
    });
  }

  /** Lambda begins with five pollers and adds more by the minute, up to the limit. */
  #allowed(): number {
    const minutes = this.#options.clock.now() / 60_000;
    const grown = LIMITS.firstWorkers + Math.floor(LIMITS.moreWorkersAMinute * minutes);
    return Math.min(this.#options.workers, grown);
  }

  #dispatch(): void {
    while (this.#busy < this.#allowed()) {
      const delivery = this.#ready[this.#taken];
      if (delivery === undefined) break;
      this.#taken += 1;
      this.#start(delivery);
    }
    if (this.#taken > 10_000 && this.#taken * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#taken);
      this.#taken = 0;
    }
  }

  #start(delivery: Delivery): void {
    const { clock, startUp, handle, bury } = this.#options;
    delivery.receives += 1;
    this.counts.received += 1;
    if (delivery.receives > MAX_RECEIVES) {
      this.counts.buried += 1;
      void bury(delivery.message);
      return;
    }
    this.waits.add(clock.now() - delivery.readyAt);
    this.#occupy(1);
    const isCold = this.#busy > this.#environments;
    if (isCold) this.#environments = this.#busy;
    clock.after(startUp(isCold), () => {
      void handle(delivery.message)
        .catch(() => {
          this.counts.failed += 1;
          this.#arrive(delivery, VISIBILITY_TIMEOUT);
        })
        .then(() => {
          this.#occupy(-1);
          this.#dispatch();
        });
    });
  }

  #occupy(change: 1 | -1): void {
    this.#busyTime = this.busyTime();
    this.#changedAt = this.#options.clock.now();
    this.#busy += change;
    this.counts.peakWorkers = Math.max(this.counts.peakWorkers, this.#busy);
  }
}
