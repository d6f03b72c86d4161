import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { VideoGenerator } from '../../../../functions/upstream/domain/video-generator.ts';
import type { StepMessage } from '../../../../functions/videos/domain/step-queue.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import { loadWatch } from '../../../../functions/videos/usecases/watch-load.ts';
import { queueWatcher } from '../../../../functions/videos/usecases/watch-queue.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import type { Call } from '../../../support/in-memory/call.ts';
import { mediaPort } from '../../../support/in-memory/media.ts';
import { loadsPort, MemoryQueueAges, MemoryWorkerLoads } from '../../../support/in-memory/queue-ages.ts';
import { slowStepsPort } from '../../../support/in-memory/slow-steps.ts';
import { tasksPort } from '../../../support/in-memory/tasks.ts';
import { onlyPool } from '../../../support/in-memory/upstreams.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';

const GENERATION = 60_000;
/** As the simulation assumes. */
const CHECK = 150;

/** The calls of a warm worker process to AWS for one video; each of these ports makes one. */
const callsForVideo = async (): Promise<readonly string[]> => {
  let now = NOW;
  const clock = () => now;
  const made: string[] = [];
  const call: Call = async (name, apply) => {
    made.push(name);
    return apply();
  };
  const task = aTask({ createdAt: NOW, attempts: 0, openSubmits: 0, work: { kind: 'submit', dueAt: NOW } });
  const { worker: idle, stores } = buildWorker(task);
  const generator: VideoGenerator = {
    submit: async () => 'operations/1',
    check: async () => {
      now += CHECK;
      return now < NOW + GENERATION ? { state: 'pending' } : { state: 'done', source: { kind: 'inline' } };
    },
    open: async () => Readable.from([wholeMp4()]),
  };
  const sent: { readonly message: StepMessage; readonly at: number }[] = [];
  const ages = new MemoryQueueAges();
  const { handle, meter } = queueWatcher({
    ages: {
      read: ages.read,
      record: (...given) => {
        made.push('ages.record');
        return ages.record(...given);
      },
    },
    logger: idle.logger,
    now: clock,
  });
  const worker = {
    ...idle,
    ...onlyPool(clock),
    tasks: tasksPort(stores.tasks, call),
    slowSteps: slowStepsPort(stores.slowSteps, call),
    load: loadWatch({ loads: loadsPort(new MemoryWorkerLoads(), call), logger: idle.logger, now: clock }),
    charges: {
      record: (...given: Parameters<typeof stores.charges.record>) =>
        call('charges.record', () => stores.charges.record(...given)),
    },
    queue: {
      ...idle.queue,
      send: (message: StepMessage, delay: number) =>
        call('queue.send', () => void sent.push({ message, at: now + delay })),
    },
    webhooks: { send: () => call('webhooks.send', () => undefined) },
    media: mediaPort(stores.media, clock, call),
    generator,
    meter,
    now: clock,
    random: () => 0.5,
  };
  sent.push({ message: { taskId: task.id, account: task.account, step: task.step }, at: NOW });
  for (let next = sent.shift(); next !== undefined; next = sent.shift()) {
    const { message, at } = next;
    now = Math.max(now, at);
    await handle({ ...message, readyAt: at }, 1, () => advanceTask(worker, message));
  }
  assert.equal(stores.tasks.find(task.id)?.status, 'completed');
  // There is no file to remove, so S3 is not asked.
  return made.filter((name) => name !== 'media.remove');
};

test('a video that is generated in 60 s costs the worker at most 40 AWS calls', async () => {
  const made = await callsForVideo();
  const counts = Array.from(
    Map.groupBy(made, (name) => name),
    ([name, all]) => [name, all.length],
  );
  assert.deepEqual(Object.fromEntries(counts), {
    // By the submit; the checks of a minute use what it has read.
    'loads.read': 1,
    'tasks.find': 2,
    'tasks.advance': 5,
    'slowSteps.begin': 1,
    'slowSteps.end': 1,
    'ages.record': 1,
    'queue.send': 25,
    'media.putVideo': 1,
    'charges.record': 1,
    'webhooks.send': 1,
  });
  assert.ok(made.length <= 40, `${made.length} calls`);
});
