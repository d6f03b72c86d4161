import type { Logger } from '../../functions/platform/domain/log-events.ts';
import { TEXT_REQUEST } from '../support/builders/requests.ts';
import { MemoryPool, ONLY_NAME } from '../support/in-memory/upstreams.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { drawLatency, LATENCIES, type LatencyName, simulatedCalls } from './latencies.ts';
import { limitedUpstreams } from './limits.ts';
import { Measured } from './measured.ts';
import { Backlog, CapacityMeter, UseMeter } from './meters.ts';
import { readOptions, type SimulationOptions } from './options.ts';
import { SimulatedQueue } from './simulated-queue.ts';
import { simulatedService } from './simulated-service.ts';
import { simulatedTasks } from './simulated-tasks.ts';
import { SimulatedUpstream } from './simulated-upstream.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000] as const;
/** Longer than any deadline of a task: what is not over by then is lost. */
const AFTERWARDS = 40 * HOUR;

const toOutage = ({ hours, outage }: SimulationOptions) => {
  const from = Math.round((hours * HOUR - outage) / 2);
  return { from, to: from + outage };
};

export type Simulation = Awaited<ReturnType<typeof simulate>>;

/** Runs the given load to its end: until every task has come to rest. */
export const simulate = async (options: SimulationOptions) => {
  // An upstream that refuses thousands of calls makes as many errors, and most of their time goes into the stack.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const clock = new VirtualClock();
  const { now } = clock;
  const random = seededRandom(options.seed);
  const measured = new Measured();
  const [writes, reads] = [new CapacityMeter(), new CapacityMeter()];
  const counts = new Map<LatencyName, number>();
  const call = simulatedCalls(clock, random, counts);
  const outage = toOutage(options);
  const upstream = new SimulatedUpstream({ ...options, now, random, outage });
  const pool = new MemoryPool();
  const { table: tasks, port } = simulatedTasks({
    call,
    now,
    writes,
    reads,
    pool,
    onEnd: (task) => measured.onEnd(task, upstream, now()),
  });
  const logger: Logger = { info: measured.onEvent, error: (event) => measured.onEvent(`fault: ${event}`) };

  /** Runs a function and bills it. */
  const invoke = async (name: string, run: () => Promise<unknown>): Promise<number> => {
    const start = now();
    try {
      await run();
    } finally {
      measured.bill(name, now() - start + LATENCIES.handler.typical);
    }
    return now() - start;
  };

  const queue: SimulatedQueue = new SimulatedQueue({
    clock,
    workers: options.workers,
    // A draw more would make another run of the same seed.
    isLost: () => options.lost > 0 && random() < options.lost,
    startUp: (isCold) => drawLatency('sqsToLambda', random) + (isCold ? drawLatency('coldStart', random) : 0),
    handle: async (message, receives, process) => {
      await invoke('video-worker', () => service.work(message, receives, process));
    },
    bury: async (message) => {
      await invoke('dead-letter', () => service.bury(message));
    },
  });
  const charges = new Map<string, string>();
  const service = simulatedService({
    workers: options.workers,
    maxQueue: options.maxQueue,
    onRefusal: measured.onRefusal,
    call,
    now,
    random,
    tasks: port,
    table: tasks,
    upstreams: limitedUpstreams(options),
    pool,
    queue,
    upstream,
    writes,
    reads,
    logger,
    charges,
  });

  let [firsts, created] = [0, 0];
  const createNext = (): void => {
    firsts += 1;
    created += 1;
    const isNoisy = options.noisyShare !== undefined && random() < options.noisyShare;
    const account = `account-${isNoisy ? 0 : firsts % options.accounts}`;
    void invoke('create-video', () => service.create(TEXT_REQUEST, account));
    // Clients come at random: the gaps between them are spread exponentially.
    const gap = (-Math.log(1 - random()) * options.hours * HOUR) / options.tasks;
    if (firsts < options.tasks) clock.after(Math.round(gap), createNext);
  };
  clock.after(0, createNext);
  const { later } = options;
  if (later.tasks > 0)
    clock.after(later.after, () => {
      for (let count = 0; count < later.tasks; count += 1) {
        created += 1;
        void invoke('create-video', () => service.create(TEXT_REQUEST, 'later'));
      }
    });

  const sweepEveryMinute = (): void => {
    void invoke('sweeper', service.sweepOnce).then(measured.sweeps.add);
    clock.after(MINUTE, sweepEveryMinute);
  };
  clock.after(MINUTE, sweepEveryMinute);

  const backlog = new Backlog(clock, () => tasks.withWork);
  const isWaiting = (): boolean => tasks.isAnyWaiting;
  /** Places of the upstream, by our count and by its own. */
  const places = new UseMeter(clock, isWaiting, () => pool.entry(ONLY_NAME).places.size);
  const generating = new UseMeter(clock, isWaiting, () => upstream.generating);
  const isWithoutOutage = (): boolean => now() < outage.from || now() >= outage.to;
  const workerUse = new UseMeter(
    clock,
    () => isWaiting() && isWithoutOutage(),
    () => queue.busy,
  );
  let busyWhileLoaded = 0;
  clock.after(options.hours * HOUR, () => {
    busyWhileLoaded = queue.busyTime() / (options.hours * HOUR);
  });

  const end = options.hours * HOUR + AFTERWARDS;
  const isOver = (): boolean => {
    const isIdle =
      created === options.tasks + later.tasks &&
      tasks.withWork === 0 &&
      tasks.count + measured.refused === created;
    return (isIdle && now() >= options.hours * HOUR) || now() > end;
  };
  await clock.run(isOver);
  Error.stackTraceLimit = stackTraceLimit;
  return {
    options,
    outage,
    measured,
    writes,
    reads,
    counts,
    queue,
    backlog,
    charges,
    upstream,
    busyWhileLoaded,
    workerUse,
    tasks,
    places,
    generating,
    happened: clock.happened,
  };
};

/** Like the command, with its arguments. */
export const simulateWith = (...args: readonly string[]): Promise<Simulation> => simulate(readOptions(args));
