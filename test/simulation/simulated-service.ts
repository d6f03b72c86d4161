import type { ChargeRecord } from '../../functions/billing/domain/charges.ts';
import { DomainError } from '../../functions/platform/domain/errors.ts';
import { workerShares } from '../../functions/platform/domain/fair-share.ts';
import type { Logger } from '../../functions/platform/domain/log-events.ts';
import { failoverPool } from '../../functions/upstream/domain/failover.ts';
import { upstreamPauses } from '../../functions/upstream/domain/process-pauses.ts';
import type { Upstream } from '../../functions/upstream/domain/upstreams.ts';
import type { VideoGenerator } from '../../functions/upstream/domain/video-generator.ts';
import type { MediaStore } from '../../functions/videos/domain/media.ts';
import type { QueueAges, StepMessage } from '../../functions/videos/domain/step-queue.ts';
import type { DueTasks, TaskRepository } from '../../functions/videos/domain/task.ts';
import type { VideoRequest } from '../../functions/videos/domain/video-request.ts';
import { advanceTask } from '../../functions/videos/usecases/advance-task.ts';
import { createTask } from '../../functions/videos/usecases/create-task.ts';
import { serveLines } from '../../functions/videos/usecases/serve-lines.ts';
import { sweep } from '../../functions/videos/usecases/sweep-tasks.ts';
import { loadWatch } from '../../functions/videos/usecases/watch-load.ts';
import { queueAdmission, queueWatcher } from '../../functions/videos/usecases/watch-queue.ts';
import { failDeadLetter } from '../../functions/videos/usecases/worker.ts';
import { buildLimiter } from '../support/builders/limiter.ts';
import type { Call as PortCall } from '../support/in-memory/call.ts';
import { depthPort, queuePort } from '../support/in-memory/queue.ts';
import { loadsPort, MemoryQueueAges, MemoryWorkerLoads } from '../support/in-memory/queue-ages.ts';
import { MemorySlowSteps, slowStepsPort } from '../support/in-memory/slow-steps.ts';
import type { MemoryTasks } from '../support/in-memory/tasks.ts';
import { linePort, type MemoryPool, ONLY, onlyPool, poolStatesPort } from '../support/in-memory/upstreams.ts';
import { LOCAL_IMAGES } from '../support/remote-images.ts';
import type { Call } from './latencies.ts';
import type { CapacityMeter } from './meters.ts';
import type { SimulatedQueue } from './simulated-queue.ts';
import type { SimulatedUpstream } from './simulated-upstream.ts';

type World = {
  readonly workers: number;
  readonly maxQueue: number;
  readonly onRefusal: (account: string) => void;
  readonly call: Call;
  readonly now: () => number;
  readonly random: () => number;
  readonly tasks: TaskRepository & DueTasks;
  readonly queue: SimulatedQueue;
  /** Empty if the service has one upstream without limits. */
  readonly upstreams: readonly Upstream[];
  readonly pool: MemoryPool;
  readonly table: MemoryTasks;
  readonly upstream: SimulatedUpstream;
  readonly writes: CapacityMeter;
  readonly reads: CapacityMeter;
  readonly logger: Logger;
  /** The records of the charge table: which task each of them is for. */
  readonly charges: Map<string, string>;
};

/** As the stack sets them. */
const GRACE = 60_000;
const SWEEPER_MAY_RUN = 40_000;
const FETCH_CLAIM = 120_000;
const WEEK = 7 * 24 * 3_600_000;
/** One transaction: the record with its index entry, its day and its account. */
const CHARGE_UNITS = 3 + 2 + 2;

const queueCall =
  ({ call }: World): PortCall =>
  (name, apply) =>
    call(name === 'queue.sendAll' ? 'sqsSendBatch' : 'sqsSend', apply);

/** Bytes of a record without its slots, and of each of them. */
const [AGE_BYTES, SLOT_BYTES] = [80, 20] as const;

const queueAges = ({ call, now, writes, reads }: World): QueueAges => {
  const ages = new MemoryQueueAges();
  return {
    record: (minute, received) =>
      call('dynamoWrite', async () => {
        await ages.record(minute, received);
        const late = (await ages.read(minute))?.late.size ?? 0;
        const units = Math.ceil((AGE_BYTES + late * SLOT_BYTES) / 1024);
        for (const name of ['tasks', 'tasks/item/queue-age']) writes.add(name, units, now());
      }).then((recorded) => recorded),
    read: (minute) =>
      call('dynamoRead', () => {
        reads.add('tasks', 0.5, now());
        return ages.read(minute);
      }).then((found) => found),
  };
};

const mediaStore = ({ call }: World): MediaStore => ({
  putInput: () => call('s3Put', () => undefined),
  getInput: () => Promise.reject(new Error('nobody sends images here')),
  putVideo: async (_key, video) => {
    for await (const _chunk of video);
    await call('moveVideo', () => undefined);
  },
  remove: async (keys) => {
    if (keys.length > 0) await call('s3Remove', () => undefined);
  },
  async *inputsAfter() {},
});

const generator = ({ call, upstream }: World): VideoGenerator => ({
  submit: async () => {
    await call('upstreamArrival', upstream.arrive);
    return call(upstream.isRefusing() ? 'upstreamRefusal' : 'upstreamSubmit', upstream.submit);
  },
  check: (operation) =>
    call(upstream.isRefusing() ? 'upstreamRefusal' : 'upstreamCheck', () => upstream.check(operation)),
  open: async () => {
    const video = await call('upstreamOpen', upstream.open);
    return (async function* () {
      yield video;
    })();
  },
});

/** The service's functions over a simulated world: only what is outside of them is made up. */
export const simulatedService = (world: World) => {
  const { call, now, random, tasks, writes, logger, charges } = world;
  const ages = queueAges(world);
  const memoryLoads = new MemoryWorkerLoads();
  const loads = loadsPort(memoryLoads, (name, apply) => {
    if (name !== 'loads.read') writes.add('tasks/item/worker-load', 1, now());
    return call(name === 'loads.read' ? 'dynamoRead' : 'dynamoWrite', apply);
  });
  const shared = {
    tasks,
    queue: queuePort(world.queue, queueCall(world)),
    media: mediaStore(world),
    webhooks: { send: () => call('sqsSend', () => undefined) },
    logger,
    now,
    charges: {
      record: ({ id, taskId, account }: ChargeRecord) =>
        call('dynamoWrite', () => {
          writes.add('charges', CHARGE_UNITS, now());
          writes.add(`charges/by-account/${account}`, 1, now());
          for (const table of ['usage', 'accounts']) writes.add(`${table}/item/${account}`, 2, now());
          charges.set(id, taskId);
        }),
    },
  };
  const steps = new MemorySlowSteps(workerShares(world.workers));
  /** Each step under way is in two sets of the item, with about 50 bytes. */
  let open = 0;
  const meteredStep: PortCall = (_name, change) =>
    call('dynamoWrite', () => {
      const units = Math.ceil(((open + 1) * 2 * 50) / 1024);
      for (const name of ['tasks', 'tasks/item/slow-steps']) writes.add(name, units, now());
      return change();
    });
  const accounts = { release: async () => true };
  const prices = { currency: 'USD', videoSecond: {}, image: {} };
  const worker = {
    ...shared,
    retention: { retain: async () => {} },
    accounts,
    slowSteps: slowStepsPort(
      {
        begin: (step, at) => {
          const hasBegun = steps.begin(step, at);
          if (hasBegun) open += 1;
          return hasBegun;
        },
        end: (step) => {
          open -= 1;
          steps.end(step);
        },
      },
      meteredStep,
    ),
    generator: generator(world),
    random,
    prices,
    fetchLeaseMs: FETCH_CLAIM,
    videoRetentionMs: WEEK,
  };
  const limiter = buildLimiter();
  const served = world.upstreams.length === 0 ? [ONLY] : world.upstreams;
  const files = { openFile: () => Promise.reject(new Error('no request names a file')) };
  const admission = queueAdmission({
    news: {
      read: async (minute) => ({
        received: await ages.read(minute),
        retired: new Set(),
        load: memoryLoads.load,
      }),
    },
    upstreams: served,
    logger,
    now,
    maxWaitMs: world.maxQueue,
  });
  let creates = 0;
  const create = async (request: VideoRequest, account: string): Promise<void> => {
    creates += 1;
    try {
      await createTask(
        {
          ...shared,
          files,
          limiter,
          admission,
          upstreams: served,
          prices,
          requestMegabytes: 20,
          remoteImages: LOCAL_IMAGES,
        },
        { account, keyId: 'key' },
        request,
        // Ids without a key are random, and their order would change the run.
        { idempotencyKey: String(creates) },
      );
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'overloaded') throw error;
      world.onRefusal(account);
    }
  };
  const stateCall: PortCall = (name, apply) =>
    call(
      name === 'pool.read' ? 'dynamoRead' : name === 'line.waiting' ? 'dynamoQuery' : 'dynamoWrite',
      apply,
    );
  const states = poolStatesPort(world.pool, stateCall);
  const line = linePort(world.pool, world.table, stateCall);
  /** One for each process, as on Lambda. */
  const createPool = () =>
    world.upstreams.length === 0
      ? { ...onlyPool(now), line }
      : {
          pool: failoverPool({ upstreams: world.upstreams, states, logger, now, random }),
          pauses: upstreamPauses(now),
          retirements: { note: async () => {} },
          line,
        };
  const processes = Array.from({ length: world.workers }, () => {
    const { handle, meter } = queueWatcher({ ages, logger, now });
    return { handle, worker: { ...worker, ...createPool(), load: loadWatch({ loads, logger, now }), meter } };
  });
  const work = async (message: StepMessage, receives: number, number: number): Promise<void> => {
    const process = processes[number];
    if (process === undefined) throw new Error(`there is no process ${number}`);
    await process.handle(message, receives, () => advanceTask(process.worker, message));
  };
  const bury = (message: StepMessage): Promise<void> => failDeadLetter({ ...shared, accounts }, message);
  const sweepOnce = async (): Promise<void> => {
    const stopAt = now() + SWEEPER_MAY_RUN;
    const { workers, maxQueue: maxWaitMs } = world;
    const depth = depthPort(world.queue, queueCall(world));
    await Promise.all([
      sweep({ ...shared, depth, ages, graceMs: GRACE, stopAt }),
      serveLines({
        ...shared,
        line,
        loads,
        ages,
        depth,
        workers,
        maxWaitMs,
        upstreams: served,
        readState: states.read,
        stopAt,
      }),
    ]);
  };
  return { create, work, bury, sweepOnce };
};
