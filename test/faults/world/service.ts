import type { Limits } from '../../../functions/billing/domain/limits.ts';
import { sweepReservations } from '../../../functions/maintenance/usecases/sweep-reservations.ts';
import type { Logger } from '../../../functions/platform/domain/log-events.ts';
import { inputPosition } from '../../../functions/videos/domain/media.ts';
import { LEFTOVER_AGE } from '../../../functions/videos/domain/schedule.ts';
import { advanceTask } from '../../../functions/videos/usecases/advance-task.ts';
import { removeLeftoverInputs } from '../../../functions/videos/usecases/remove-leftover-inputs.ts';
import { serveLines } from '../../../functions/videos/usecases/serve-lines.ts';
import { sweep } from '../../../functions/videos/usecases/sweep-tasks.ts';
import { failDeadLetter } from '../../../functions/videos/usecases/worker.ts';
import type { WebhookMessage } from '../../../functions/webhooks/domain/webhook-stores.ts';
import { deliverWebhooks } from '../../../functions/webhooks/usecases/deliver-webhooks.ts';
import { sweepDeliveries } from '../../../functions/webhooks/usecases/sweep-deliveries.ts';
import type { Call } from '../../support/in-memory/call.ts';
import type { Delivery } from '../../support/in-memory/queue.ts';
import { IDLE_WORKERS, loadsPort, MemoryWorkerLoads } from '../../support/in-memory/queue-ages.ts';
import { ONLY, poolStatesPort } from '../../support/in-memory/upstreams.ts';
import { Invocation } from './invocation.ts';
import { portsFor, type Stores } from './ports.ts';
import { WorkerProcesses } from './worker-processes.ts';

export const SILENT: Logger = { info: () => {}, error: () => {} };

export const PRICES = {
  currency: 'USD',
  videoSecond: { 'video-3.1-generate-preview': '0.4025' },
  image: { '2K': '0.1075' },
};

/** As the stack sets them. */
const GRACE = 60_000;
const TIMEOUTS = {
  client: 28_000,
  image: 300_000,
  worker: 120_000,
  webhookWorker: 40_000,
  sweeper: 55_000,
  cleaner: 300_000,
  deadLetter: 30_000,
};
const RESERVE = 15_000;
const WORKERS = 10;

export type Outcome<T> =
  | { readonly state: 'ended'; readonly result: T }
  | { readonly state: 'threw'; readonly error: unknown }
  | { readonly state: 'died' };

/** Runs the service's functions as Lambda does: each in an invocation of its own, ended at its timeout. */
export class Service {
  readonly stores: Stores;
  readonly #random: () => number;
  readonly #processes: WorkerProcesses;
  #running = 0;

  readonly limits: Partial<Limits>;
  /** Of the key that clients have. */
  readonly keyBudget: string | undefined;

  constructor(
    stores: Stores,
    random: () => number,
    { limits = {}, keyBudget }: { limits?: Partial<Limits>; keyBudget?: string },
  ) {
    this.stores = stores;
    this.limits = limits;
    this.keyBudget = keyBudget;
    this.#random = random;
    this.#processes = new WorkerProcesses(stores, random, SILENT);
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  get hasWorkForSweeper(): boolean {
    const { accounts, tasks, deliveries, time } = this.stores;
    const before = time.now() - GRACE;
    return (
      tasks.due(before).length + deliveries.due(before).length > 0 ||
      tasks.isAnyWaiting ||
      this.hasOrphans ||
      accounts.notices().length > 0
    );
  }

  /** Reservations that belong to no task. */
  get hasOrphans(): boolean {
    const { accounts, tasks } = this.stores;
    return accounts.reservations().some(({ taskId, id }) => tasks.find(taskId)?.reservation?.id !== id);
  }

  get hasLeftovers(): boolean {
    const { media, time } = this.stores;
    const until = inputPosition(time.now() - LEFTOVER_AGE.from);
    return media.inputs().some((key) => key < until);
  }

  readonly invoke = async <T>(invocation: Invocation, work: () => Promise<T>): Promise<Outcome<T>> => {
    this.#running += 1;
    const death = new Promise<Outcome<T>>((resolve) => invocation.onDeath(() => resolve({ state: 'died' })));
    this.stores.time.after(TIMEOUTS[invocation.role], invocation.die);
    const life = work().then(
      (result): Outcome<T> => ({ state: 'ended', result }),
      (error: unknown): Outcome<T> => ({ state: 'threw', error }),
    );
    const outcome = await Promise.race([life, death]);
    invocation.end();
    this.#running -= 1;
    return outcome;
  };

  readonly work = (delivery: Delivery): void => {
    const { stores } = this;
    const invocation = new Invocation('worker', delivery.message.taskId);
    const worker = {
      ...portsFor(stores, invocation),
      ...this.#processes.take(invocation),
      ...IDLE_WORKERS,
      logger: SILENT,
      now: stores.time.now,
      random: this.#random,
      prices: PRICES,
      fetchLeaseMs: TIMEOUTS.worker,
      videoRetentionMs: 7 * 24 * 3_600_000,
    };
    this.#handle(invocation, delivery, () => advanceTask(worker, delivery.message));
  };

  readonly deliver = (delivery: Delivery<WebhookMessage>): void => {
    const { stores } = this;
    const { webhookQueue, time } = stores;
    const invocation = new Invocation('webhookWorker');
    const ports = portsFor(stores, invocation);
    const deliverer = {
      ...ports,
      queue: ports.webhooks,
      slowSteps: ports.slowTries,
      logger: SILENT,
      now: time.now,
      random: this.#random,
    };
    void this.invoke(invocation, async () => {
      await deliverWebhooks(deliverer, delivery.message);
      await ports.call('webhooks.acknowledge', () => webhookQueue.acknowledge(delivery));
    });
  };

  readonly bury = (delivery: Delivery): void => {
    const { stores } = this;
    const invocation = new Invocation('deadLetter', delivery.message.taskId);
    const deadLetter = {
      ...portsFor(stores, invocation),
      logger: SILENT,
      now: stores.time.now,
    };
    this.#handle(invocation, delivery, () => failDeadLetter(deadLetter, delivery.message));
  };

  readonly sweep = (): void => {
    const { stores } = this;
    const invocation = new Invocation('sweeper');
    const sweeper = {
      ...portsFor(stores, invocation),
      logger: SILENT,
      now: stores.time.now,
      graceMs: GRACE,
      stopAt: stores.time.now() + TIMEOUTS.sweeper - RESERVE,
    };
    void this.invoke(invocation, async () => {
      const hasReceivers = stores.receivers.size > 0;
      await Promise.all([
        sweep(sweeper),
        ...this.#serveLines(sweeper),
        ...(hasReceivers ? [sweepDeliveries(sweeper)] : []),
        sweepReservations(sweeper),
      ]);
    });
  };

  /** The workers have time for every task, so without limits none waits. */
  #serveLines(
    sweeper: Omit<Parameters<typeof serveLines>[0], keyof ReturnType<typeof lineSettings>> & {
      readonly call: Call;
    },
  ) {
    if (this.stores.firstSettings.length === 0) return [];
    return [serveLines({ ...sweeper, ...lineSettings(this.stores, sweeper.call) })];
  }

  readonly removeLeftovers = (): void => {
    const { stores } = this;
    const invocation = new Invocation('cleaner');
    const cleaner = {
      ...portsFor(stores, invocation),
      logger: SILENT,
      now: stores.time.now,
      stopAt: stores.time.now() + TIMEOUTS.cleaner - RESERVE,
    };
    void this.invoke(invocation, () => removeLeftoverInputs(cleaner));
  };

  #handle(invocation: Invocation, delivery: Delivery, handle: () => Promise<void>): void {
    const { gate, queue } = this.stores;
    void this.invoke(invocation, async () => {
      await handle();
      await gate.pass(invocation, 'queue.acknowledge', () => queue.acknowledge(delivery));
    });
  }
}

/** After a deployment without limits, the tasks that wait are called. */
const lineSettings = ({ pool, settings }: Stores, call: Call) => {
  const hasLimits = settings().length > 0;
  return {
    upstreams: hasLimits ? settings() : [ONLY],
    readState: hasLimits
      ? poolStatesPort(pool, call).read
      : async () => ({ upstreams: new Map(), lines: new Map() }),
    loads: loadsPort(new MemoryWorkerLoads()),
    workers: WORKERS,
    maxWaitMs: 3_600_000,
  };
};
