import type { ChargeRecord } from '../../functions/domain/billing.ts';
import type {
  Logger,
  MediaStore,
  StepMessage,
  StepQueue,
  VideoGenerator,
} from '../../functions/domain/ports.ts';
import { type SlowStep, workerShares } from '../../functions/domain/share.ts';
import type { Task } from '../../functions/domain/task.ts';
import type { VideoRequest } from '../../functions/domain/video-request.ts';
import { advanceTask } from '../../functions/usecases/advance-task.ts';
import { createVideo } from '../../functions/usecases/create-video.ts';
import { failDeadLetter } from '../../functions/usecases/fail-dead-letter.ts';
import { sweep } from '../../functions/usecases/sweep.ts';
import { buildLimiter } from '../support/builders/limiter.ts';
import { MemorySlowSteps } from '../support/in-memory/slow-steps.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import type { Call } from './simulated-calls.ts';
import type { SimulatedQueue } from './simulated-queue.ts';
import type { SimulatedTasks } from './simulated-tasks.ts';
import type { SimulatedUpstream } from './simulated-upstream.ts';

type World = {
  readonly workers: number;
  readonly call: Call;
  readonly now: () => number;
  readonly random: () => number;
  readonly tasks: SimulatedTasks;
  readonly queue: SimulatedQueue;
  readonly upstream: SimulatedUpstream;
  readonly writes: CapacityMeter;
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

const stepQueue = ({ call, queue }: World): StepQueue => ({
  send: (message, delay) => call('sqsSend', () => queue.send(message, delay)),
  sendAll: (messages) =>
    call('sqsSendBatch', () => {
      for (const message of messages) queue.send(message, 0);
      return [];
    }),
});

const mediaStore = ({ call }: World): MediaStore => ({
  putInput: () => call('s3Put', () => undefined),
  getInput: () => Promise.reject(new Error('nobody sends images here')),
  openFile: () => Promise.reject(new Error('nobody sends images here')),
  putVideo: async (_key, video) => {
    for await (const _chunk of video);
    await call('moveVideo', () => undefined);
  },
  remove: async (keys) => {
    if (keys.length > 0) await call('s3Remove', () => undefined);
  },
  async *inputs() {},
});

const generator = ({ call, upstream }: World): VideoGenerator => ({
  submit: () => call(upstream.isRefusing() ? 'upstreamRefusal' : 'upstreamSubmit', upstream.submit),
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
  const shared = {
    tasks,
    queue: stepQueue(world),
    media: mediaStore(world),
    webhooks: { send: () => call('sqsSend', () => undefined) },
    logger,
    now,
    charges: {
      record: ({ id, taskId }: ChargeRecord) =>
        call('dynamoWrite', () => {
          writes.add('charges', CHARGE_UNITS, now());
          charges.set(id, taskId);
        }),
    },
  };
  const slowSteps = new MemorySlowSteps(workerShares(world.workers));
  const accounts = { release: async () => true };
  const prices = { currency: 'USD', videoSecond: {}, image: {} };
  const worker = {
    ...shared,
    accounts,
    slowSteps: {
      begin: (step: SlowStep, at: number) => call('dynamoWrite', () => slowSteps.begin(step, at)),
      end: (step: SlowStep) => call('dynamoWrite', () => slowSteps.end(step)),
    },
    generator: generator(world),
    random,
    prices,
    fetchLeaseMs: FETCH_CLAIM,
    videoRetentionMs: WEEK,
  };
  const limiter = buildLimiter();
  const create = async (request: VideoRequest, account: string): Promise<Task> => {
    const created = await createVideo(
      { ...shared, limiter, prices, requestMegabytes: 20 },
      { account, keyId: 'key' },
      request,
      undefined,
    );
    return created.task;
  };
  const work = (message: StepMessage): Promise<void> => advanceTask(worker, message);
  const bury = (message: StepMessage): Promise<void> => failDeadLetter({ ...shared, accounts }, message);
  const sweepOnce = (): Promise<void> =>
    sweep({ ...shared, graceMs: GRACE, stopAt: now() + SWEEPER_MAY_RUN });
  return { create, work, bury, sweepOnce };
};
