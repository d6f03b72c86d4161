import type { VideoGenerator } from '../../functions/upstream/domain/video-generator.ts';
import type { StepMessage } from '../../functions/videos/domain/step-queue.ts';
import { isTerminal, type Task } from '../../functions/videos/domain/task.ts';
import { advanceTask } from '../../functions/videos/usecases/advance-task.ts';
import { createTask } from '../../functions/videos/usecases/create-task.ts';
import { buildLimiter } from './builders/limiter.ts';
import { TEXT_REQUEST } from './builders/requests.ts';
import { buildWorker, NOW } from './builders/worker.ts';
import { mediaPort } from './in-memory/media.ts';
import { ADMITS_ALL } from './in-memory/queue-ages.ts';
import { ONLY, onlyPool } from './in-memory/upstreams.ts';
import { LOCAL_IMAGES } from './remote-images.ts';

const MAX_STEPS = 2000;
const LONGEST_DELAY = 900_000;

/** Creates a task and takes it to its end: each message in its time, and where there is none, the work when it is due. */
export const driveTask = async (generator: VideoGenerator, request = TEXT_REQUEST, clockError = () => 0) => {
  let now = NOW;
  const { worker: idle, stores } = buildWorker();
  const { tasks, charges, media } = stores;
  const sent: { readonly message: StepMessage; readonly at: number }[] = [];
  const worker = {
    ...idle,
    ...onlyPool(() => now),
    generator,
    media: mediaPort(media, () => now),
    queue: {
      send: async (message: StepMessage, delay: number) => {
        if (delay <= LONGEST_DELAY) sent.push({ message, at: now + delay });
      },
      sendAll: () => Promise.reject(new Error('only the sweeper sends many')),
    },
    now: () => now + clockError(),
  };
  const { task: created } = await createTask(
    {
      ...worker,
      files: worker.media,
      limiter: buildLimiter(),
      admission: ADMITS_ALL,
      requestMegabytes: 20,
      remoteImages: LOCAL_IMAGES,
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
  return { task: current(), charges: charges.all(), media, seconds: ((endedAt ?? now) - NOW) / 1000 };
};
