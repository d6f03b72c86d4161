import type { ChargeRecord, ImageChargeRecord } from '../../functions/billing/domain/charges.ts';
import { slotShares } from '../../functions/platform/domain/fair-share.ts';
import type { WebhookMessage } from '../../functions/webhooks/domain/webhook-stores.ts';
import { aWebhookEndpoint } from '../support/builders/webhook.ts';
import { MemoryAccounts } from '../support/in-memory/accounts.ts';
import type { CallName } from '../support/in-memory/call.ts';
import { MemoryCharges } from '../support/in-memory/charges.ts';
import { MemoryKeptImages } from '../support/in-memory/kept-images.ts';
import { MemoryMedia } from '../support/in-memory/media.ts';
import { type Delivery, MemoryQueue } from '../support/in-memory/queue.ts';
import { MemoryQueueAges } from '../support/in-memory/queue-ages.ts';
import { MemoryReceiver } from '../support/in-memory/receiver.ts';
import { MemorySlowSteps } from '../support/in-memory/slow-steps.ts';
import { MemoryTasks } from '../support/in-memory/tasks.ts';
import { MemoryUpstream } from '../support/in-memory/upstream.ts';
import { MemoryPool, ONLY_NAME } from '../support/in-memory/upstreams.ts';
import { MemoryDeliveries, MemoryEndpoints } from '../support/in-memory/webhooks.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { PLAIN, type Scenario } from './scenarios.ts';
import { Client } from './world/client.ts';
import type { Fault } from './world/fault.ts';
import { Gate } from './world/gate.ts';
import { brokenInvariants, type Counted } from './world/invariants.ts';
import { Observer } from './world/observer.ts';
import type { Stores } from './world/ports.ts';
import { Service } from './world/service.ts';

export type Run = {
  readonly names: readonly CallName[];
  readonly violations: readonly string[];
  /** How each task ended: `completed`, or the code of its error. */
  readonly outcomes: readonly string[];
  /** When the last task ended, on a clock that starts at 0. */
  readonly lastEnd: number;
  /** When the last task was settled, and when the last event came to an endpoint. */
  readonly lastSettled: number;
  readonly lastReceived: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIRST_SWEEP = 5000;
const IDLE_SWEEPS = 3 * MINUTE;
const LONGEST_RUN = 10 * 60 * MINUTE;

const buildService = (scenario: Scenario, faults: readonly Fault[], seed: number): Service => {
  const time = new VirtualClock();
  const random = seededRandom(seed);
  const accounts = new MemoryAccounts();
  const receivers = new Map(
    (scenario.receivers ?? []).map((statuses, number) => [`address-${number}`, new MemoryReceiver(statuses)]),
  );
  const pool = new MemoryPool();
  const upstream = new MemoryUpstream(scenario.upstream ?? PLAIN);
  const { settings = () => [], plans = {} } = scenario.pool ?? {};
  const stores = {
    time,
    pool,
    settings: () => settings(time.now()),
    firstSettings: settings(0),
    upstream,
    upstreams: new Map([
      [ONLY_NAME, upstream],
      ...Object.entries(plans).map(([name, plan]) => [name, new MemoryUpstream(plan)] as const),
    ]),
    accounts,
    retired: new Map<string, number>(),
    gate: new Gate({
      time,
      random,
      faults,
      outage: scenario.outage ?? (() => undefined),
      repeat: scenario.repeat,
    }),
    tasks: new MemoryTasks({ pool }),
    charges: new MemoryCharges<ChargeRecord | ImageChargeRecord>(accounts),
    media: new MemoryMedia(),
    keptImages: new MemoryKeptImages(),
    slowSteps: new MemorySlowSteps(),
    slowTries: new MemorySlowSteps(slotShares(10)),
    told: [],
    cancelAnswers: [],
    receivers,
    endpoints: new MemoryEndpoints(
      [...receivers.keys()].map((url) => aWebhookEndpoint({ id: `we_${url}`, url, account: 'account' })),
    ),
    deliveries: new MemoryDeliveries(),
    webhookQueue: new MemoryQueue<WebhookMessage>(
      time,
      (delivery) => service.deliver(delivery),
      () => {},
    ),
    ages: new MemoryQueueAges(),
    queue: new MemoryQueue(
      time,
      (delivery: Delivery) => service.work(delivery),
      (delivery: Delivery) => service.bury(delivery),
    ),
  };
  const service = new Service(stores, random, scenario);
  return service;
};

const sweepEveryMinute = async (service: Service, sweepers: number): Promise<void> => {
  const { time } = service.stores;
  for (await time.sleep(FIRST_SWEEP); ; await time.sleep(MINUTE))
    // Later sweeps that would find nothing are left out: there are many, and they show nothing new.
    if (time.now() < IDLE_SWEEPS || service.hasWorkForSweeper)
      for (let count = 0; count < sweepers; count += 1) service.sweep();
};

const removeLeftoversEveryHour = async (service: Service): Promise<void> => {
  const { time } = service.stores;
  for (await time.sleep(HOUR); ; await time.sleep(HOUR)) if (service.hasLeftovers) service.removeLeftovers();
};

/** Inputs of requests that created no task are removed after an hour. */
const hasOnlyUsedInputs = ({ tasks, media }: Stores): boolean => {
  const used = new Set(tasks.all().flatMap(({ request }) => request.inputs.map(({ key }) => key)));
  return media.inputs().every((key) => used.has(key));
};

const readOutcomes = ({ tasks }: Stores): string[] => [
  ...new Map(tasks.history.map((task) => [task.id, task.error?.code ?? task.status])).values(),
];

const countedIn = ({ keyBudget }: Scenario): Counted =>
  keyBudget === undefined ? ['account'] : ['account', 'account#key'];

/** Runs a scenario with its faults until nothing is left to happen, and tells what came of it. */
export const runScenario = async (
  scenario: Scenario,
  faults: readonly Fault[],
  seed: number,
): Promise<Run> => {
  const service = buildService(scenario, faults, seed);
  const { stores } = service;
  const observer = new Observer(stores, countedIn(scenario));
  let clientIsDone = false;
  void scenario.client(new Client(service)).then(() => {
    clientIsDone = true;
  });
  void sweepEveryMinute(service, scenario.sweepers ?? 1);
  void removeLeftoversEveryHour(service);

  const isQuiet = (): boolean =>
    clientIsDone &&
    service.isIdle &&
    stores.queue.isEmpty &&
    stores.webhookQueue.isEmpty &&
    stores.deliveries.all().every(({ nextAt }) => nextAt === undefined) &&
    hasOnlyUsedInputs(stores) &&
    !service.hasOrphans &&
    stores.accounts.notices().length === 0 &&
    stores.tasks.all().every(({ work }) => work === undefined);
  await stores.time.run(() => isQuiet() || stores.time.now() > LONGEST_RUN, observer.look);

  return {
    names: stores.gate.names,
    violations: [...observer.violations, ...brokenInvariants(stores, scenario)],
    outcomes: readOutcomes(stores),
    lastEnd: Math.max(0, ...observer.endedAt.values()),
    lastSettled: observer.lastSettled,
    lastReceived: Math.max(0, ...Array.from(stores.receivers.values(), ({ lastAt }) => lastAt)),
  };
};
