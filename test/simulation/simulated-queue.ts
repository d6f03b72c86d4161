import type { StepMessage } from '../../functions/videos/domain/step-queue.ts';
import { MAX_RECEIVES } from '../support/in-memory/queue.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { FairQueue } from './fair-queue.ts';
import { LIMITS } from './latencies.ts';
import { Distribution } from './meters.ts';

type Delivery = { readonly message: StepMessage; receives: number; readyAt: number };

/** As the stack sets them: six times the worker's timeout. */
const VISIBILITY_TIMEOUT = 720_000;
const LONGEST_DELAY_SECONDS = 900;

type Options = {
  readonly clock: VirtualClock;
  readonly workers: number;
  /** From a free worker to the start of its invocation. */
  readonly startUp: (isCold: boolean) => number;
  readonly isLost: () => boolean;
  /** A process handles one message at a time. */
  readonly handle: (message: StepMessage, receives: number, process: number) => Promise<void>;
  readonly bury: (message: StepMessage) => Promise<void>;
};

/** The step queue and the workers behind it: a message waits until one of them is free. */
export class SimulatedQueue {
  readonly #options: Options;
  readonly #ready: FairQueue<Delivery>;
  readonly #freeProcesses: number[];
  #busyTime = 0;
  #changedAt = 0;
  #environments = 0;
  #held = 0;
  readonly waits = new Distribution();
  readonly counts = {
    sent: 0,
    /** Checks of a generation, which have their own rhythm. */
    checks: 0,
    resent: 0,
    lost: 0,
    received: 0,
    failed: 0,
    buried: 0,
    peakWorkers: 0,
    longestQueue: 0,
    /** Messages at once, whether they are delayed, wait or are in work. */
    mostHeld: 0,
  };

  constructor(options: Options) {
    this.#options = options;
    this.#ready = new FairQueue(options.workers);
    // The last one is taken first.
    this.#freeProcesses = Array.from({ length: options.workers }, (_, process) => process).reverse();
  }

  readonly send = (message: StepMessage, delay: number): void => {
    const seconds = Math.ceil(delay / 1000);
    if (seconds > LONGEST_DELAY_SECONDS) return;
    this.counts.sent += 1;
    if (message.poll !== undefined) this.counts.checks += 1;
    if (this.#options.isLost()) {
      this.counts.lost += 1;
      return;
    }
    this.#held += 1;
    this.counts.mostHeld = Math.max(this.counts.mostHeld, this.#held);
    const readyAt = this.#options.clock.now() + delay;
    this.#arrive({ message: { ...message, readyAt }, receives: 0, readyAt: 0 }, seconds * 1000);
  };

  /** Sends what the sweeper takes for lost. */
  readonly resend = (message: StepMessage): void => {
    this.counts.resent += 1;
    this.send(message, 0);
  };

  /** Worker time so far, in milliseconds of one worker. */
  readonly busyTime = (): number =>
    this.#busyTime + this.busy * (this.#options.clock.now() - this.#changedAt);

  get waiting(): number {
    return this.#ready.size;
  }

  get busy(): number {
    return this.#options.workers - this.#freeProcesses.length;
  }

  #arrive(delivery: Delivery, delay: number): void {
    const { clock } = this.#options;
    clock.after(delay, () => {
      delivery.readyAt = clock.now();
      this.#ready.push(delivery.message.account ?? '', delivery);
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
    while (this.busy < this.#allowed() && this.#ready.size > 0) {
      const delivery = this.#ready.take();
      if (delivery !== undefined) this.#start(delivery);
    }
  }

  #start(delivery: Delivery): void {
    const { clock, startUp, handle, bury } = this.#options;
    const account = delivery.message.account ?? '';
    delivery.receives += 1;
    this.counts.received += 1;
    if (delivery.receives > MAX_RECEIVES) {
      this.counts.buried += 1;
      this.#held -= 1;
      this.#ready.done(account);
      void bury(delivery.message);
      return;
    }
    this.waits.add(clock.now() - delivery.readyAt);
    const process = this.#occupy();
    const isCold = this.busy > this.#environments;
    if (isCold) this.#environments = this.busy;
    clock.after(startUp(isCold), () => {
      void handle(delivery.message, delivery.receives, process)
        .then(() => {
          this.#held -= 1;
        })
        .catch(() => {
          this.counts.failed += 1;
          this.#arrive(delivery, VISIBILITY_TIMEOUT);
        })
        .then(() => {
          this.#ready.done(account);
          this.#release(process);
          this.#dispatch();
        });
    });
  }

  #occupy(): number {
    this.#noteTime();
    const process = this.#freeProcesses.pop();
    if (process === undefined) throw new Error('no worker is free');
    this.counts.peakWorkers = Math.max(this.counts.peakWorkers, this.busy);
    return process;
  }

  #release(process: number): void {
    this.#noteTime();
    this.#freeProcesses.push(process);
  }

  #noteTime(): void {
    this.#busyTime = this.busyTime();
    this.#changedAt = this.#options.clock.now();
  }
}
