import type { VideoGenerator } from '../../functions/upstream/domain/video-generator.ts';
import type { StepMessage } from '../../functions/videos/domain/step-queue.ts';
import { isTerminal, type Task } from '../../functions/videos/domain/task.ts';
import { advanceTask } from '../../functions/videos/usecases/advance-task.ts';
import { createTask } from '../../functions/videos/usecases/create-task.ts';
import type { Worker } from '../../functions/videos/usecases/worker.ts';
import { buildLimiter } from './builders/limiter.ts';
import { TEXT_REQUEST } from './builders/requests.ts';
import { accountsPort, MemoryAccounts } from './in-memory/accounts.ts';
import { MemoryCharges } from './in-memory/charges.ts';
import { MemoryMedia, mediaPort } from './in-memory/media.ts';
import { ADMITS_ALL, IDLE_WORKERS } from './in-memory/queue-ages.ts';
import { slowStepsPort } from './in-memory/slow-steps.ts';
import { MemoryTasks, tasksPort } from './in-memory/tasks.ts';
import { ONLY, onlyPool } from './in-memory/upstreams.ts';

const MAX_STEPS = 2000;
const LONGEST_DELAY = 900_000;

/** Creates a task and takes it to its end: each message in its time, and where there is none, the work when it is due. */
export const driveTask = async (generator: VideoGenerator, request = TEXT_REQUEST, clockError = () => 0) => {
  const start = Date.UTC(2026, 0, 1);
  let now = start;
  const tasks = new MemoryTasks();
  const accounts = new MemoryAccounts();
  const charges = new MemoryCharges(accounts);
  const media = new MemoryMedia();
  const sent: { readonly message: StepMessage; readonly at: number }[] = [];
  const worker: Worker = {
    tasks: tasksPort(tasks),
    charges: { record: async (...given) => charges.record(...given) },
    accounts: accountsPort(accounts),
    slowSteps: slowStepsPort(),
    queue: {
      send: async (message, delay) => {
        if (delay <= LONGEST_DELAY) sent.push({ message, at: now + delay });
      },
      sendAll: () => Promise.reject(new Error('only the sweeper sends many')),
    },
    webhooks: { send: async () => {} },
    media: mediaPort(media, () => now),
    generator,
    ...onlyPool(() => now),
    ...IDLE_WORKERS,
    logger: { info: () => {}, error: () => {} },
    now: () => now + clockError(),
    random: () => 0,
    prices: { currency: 'USD', videoSecond: {}, image: {} },
    fetchLeaseMs: 120_000,
    videoRetentionMs: 3_600_000,
  };
  const { task: created } = await createTask(
    {
      ...worker,
      files: mediaPort(media, () => now),
      limiter: buildLimiter(),
      admission: ADMITS_ALL,
      requestMegabytes: 20,
      upstreams: [ONLY],
    },
    { account: 'account', keyId: 'key' },
    request,
  );
  const { id } = created;
  const current = (): Task => {
    const task = tasks.find(id);
    if (task === undefined) throw new Error('the task is gone');
    return task;
  };
  let endedAt: number | undefined;
  for (let steps = 0; current().work !== undefined; steps += 1) {
    if (steps === MAX_STEPS) throw new Error(`the task is still ${current().status}`);
    const next = sent.shift() ?? {
      message: { taskId: id, step: current().step },
      at: current().work?.dueAt ?? now,
    };
    now = Math.max(now, next.at);
    await advanceTask(worker, next.message);
    if (endedAt === undefined && isTerminal(current())) endedAt = now;
  }
  return { task: current(), charges: charges.all(), media, seconds: ((endedAt ?? now) - start) / 1000 };
};
