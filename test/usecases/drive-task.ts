import type { VideoGenerator } from '../../functions/domain/ports.ts';
import { isTerminal, type Task } from '../../functions/domain/task.ts';
import { advanceTask } from '../../functions/usecases/advance-task.ts';
import { createVideo } from '../../functions/usecases/create-video.ts';
import type { Worker } from '../../functions/usecases/worker.ts';
import { TEXT_REQUEST } from '../faults/requests.ts';
import { MemoryCharges } from '../faults/world/memory-charges.ts';
import { MemoryMedia } from '../faults/world/memory-media.ts';
import { MemoryTasks } from '../faults/world/memory-tasks.ts';
import { plainMedia, plainTasks } from '../faults/world/plain-ports.ts';

const MAX_STEPS = 2000;

/** Creates a task and takes it step by step to its end, each step at the time at which it is due. */
export const driveTask = async (generator: VideoGenerator, request = TEXT_REQUEST) => {
  const start = Date.UTC(2026, 0, 1);
  let now = start;
  const tasks = new MemoryTasks();
  const charges = new MemoryCharges();
  const media = new MemoryMedia();
  const worker: Worker = {
    tasks: plainTasks(tasks),
    charges: { record: async (charge) => charges.record(charge) },
    queue: { send: async () => {} },
    media: plainMedia(media, () => now),
    generator,
    journal: { note: () => {}, fault: () => {} },
    now: () => now,
    random: () => 0,
    prices: { currency: 'USD', videoSecond: {}, image: {} },
    fetchClaim: 120_000,
    videoRetention: 3_600_000,
  };
  const { id } = await createVideo(worker, { account: 'account', keyId: 'key' }, request, undefined);
  const current = (): Task => {
    const task = tasks.find(id);
    if (task === undefined) throw new Error('the task is gone');
    return task;
  };
  let endedAt: number | undefined;
  for (let steps = 0; current().work !== undefined; steps += 1) {
    if (steps === MAX_STEPS) throw new Error(`the task is still ${current().status}`);
    now = Math.max(now, current().work?.dueAt ?? now);
    await advanceTask(worker, { taskId: id, step: current().step });
    if (endedAt === undefined && isTerminal(current())) endedAt = now;
  }
  return { task: current(), charges: charges.all(), media, seconds: ((endedAt ?? now) - start) / 1000 };
};
