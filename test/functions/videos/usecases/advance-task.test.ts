import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import type { VideoGenerator } from '../../../../functions/upstream/domain/video-generator.ts';
import { FETCH_DEADLINE, QUEUE_DEADLINE } from '../../../../functions/videos/domain/schedule.ts';
import { type Task, WORK_KINDS } from '../../../../functions/videos/domain/task.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import { TEXT_REQUEST } from '../../../support/builders/requests.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { driveTask } from '../../../support/drive-task.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const fresh = (change: Partial<Task>): Task =>
  aTask({ createdAt: NOW - 1000, attempts: 0, openSubmits: 0, ...change });

/** Runs one message, and tells what is left of the task and what was done. */
const advance = async (task: Task, step = task.step) => {
  const world = buildWorker(task);
  await advanceTask(world.worker, { taskId: task.id, step });
  return { ...world, after: world.stores.tasks.find(task.id) };
};

describe('the worker ignores a message', () => {
  for (const kind of WORK_KINDS)
    for (const shift of [-1, 1])
      test(`for ${shift > 0 ? 'a later' : 'an earlier'} step of a task with work '${kind}'`, async () => {
        const status = { settle: 'failed', delete: 'failed' } as const;
        const task = fresh({
          status: kind === 'settle' || kind === 'delete' ? status[kind] : 'in_progress',
          work: { kind, dueAt: NOW - 1 },
        });
        const { after, asked, sent } = await advance(task, task.step + shift);
        assert.deepEqual(after, task);
        assert.deepEqual([asked, sent], [[], []]);
      });

  for (const kind of ['submitting', 'fetching'] as const)
    test(`for a task that is claimed ('${kind}'), even past the deadline`, async () => {
      const task = fresh({ createdAt: 0, work: { kind, dueAt: NOW + 1 } });
      const { after, asked } = await advance(task);
      assert.deepEqual(after, task);
      assert.deepEqual(asked, []);
    });
});

describe('a deadline', () => {
  const submitted = { status: 'in_progress', operation: 'op', submittedAt: NOW - FETCH_DEADLINE } as const;
  const createdAt = NOW - QUEUE_DEADLINE;
  const generated = { ...submitted, generatedAt: NOW - FETCH_DEADLINE };
  const MESSAGES: Readonly<Record<string, string>> = {
    queue_timeout: 'The generator did not accept the task within 6 hours.',
    generation_timeout: 'The generator did not report a result within 24 hours.',
    upstream_unavailable: 'The generated video could not be fetched from the generator within 24 hours.',
  };
  const LATE: readonly (readonly [name: string, change: Partial<Task>, code: string])[] = [
    ['submit', { createdAt, work: { kind: 'submit', dueAt: NOW } }, 'queue_timeout'],
    ['submitting', { createdAt, work: { kind: 'submitting', dueAt: NOW } }, 'queue_timeout'],
    ['check', { ...submitted, work: { kind: 'check', dueAt: NOW } }, 'generation_timeout'],
    ['fetch', { ...generated, work: { kind: 'fetch', dueAt: NOW } }, 'upstream_unavailable'],
    ['fetching', { ...generated, work: { kind: 'fetching', dueAt: NOW } }, 'upstream_unavailable'],
  ];
  for (const [name, change, code] of LATE)
    test(`fails a task at '${name}' with ${code}, without calling the upstream`, async () => {
      const { after, asked } = await advance(fresh(change));
      assert.equal(after?.status, 'failed');
      assert.deepEqual(after?.error, { code, message: MESSAGES[code] });
      assert.equal(after?.work, undefined);
      assert.deepEqual(asked, []);
    });
});

test('makes a new task wait in line if its message has waited for half a minute', async () => {
  for (const [waited, asked] of [
    [29_999, ['submit']],
    [30_000, []],
  ] as const) {
    const task = fresh({ work: { kind: 'submit', dueAt: NOW } });
    const world = buildWorker(task);
    const message = { taskId: task.id, step: task.step, readyAt: NOW - waited };
    await advanceTask(world.worker, message).catch(() => {});
    assert.deepEqual(world.asked, asked);
  }
});

test('makes the file of a kept video last after the claim of the request that did not finish', async () => {
  const file = { key: 'videos/1.mp4', bytes: 500 };
  const kept = fresh({ status: 'completed', file, expiresAt: NEVER, work: { kind: 'retain', dueAt: NOW } });
  const { worker, stores } = buildWorker(kept);
  const retained: unknown[] = [];
  const retention = { retain: async (...given: unknown[]) => void retained.push(given) };
  await advanceTask({ ...worker, retention }, { taskId: kept.id, step: kept.step });
  assert.deepEqual([retained, stores.tasks.find(kept.id)?.work], [[['videos/1.mp4', true]], undefined]);
});

test('fails a task after two submits without a response', async () => {
  const { after, asked } = await advance(fresh({ openSubmits: 2, work: { kind: 'submitting', dueAt: NOW } }));
  const message = 'The generator did not answer; it may have received the task twice.';
  assert.deepEqual([after?.error, asked], [{ code: 'upstream_unavailable', message }, []]);
});

test('submits and charges a task once if the clocks of workers differ by up to ten minutes', async () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = seededRandom(seed);
    let submits = 0;
    let checks = 0;
    const generator: VideoGenerator = {
      submit: async () => {
        submits += 1;
        return 'operations/1';
      },
      check: async () => {
        checks += 1;
        return checks < 10 ? { state: 'pending' } : { state: 'done', source: { kind: 'address', uri: '/1' } };
      },
      open: async () => Readable.from([wholeMp4()]),
    };
    const { task, charges } = await driveTask(generator, TEXT_REQUEST, () => (random() - 0.5) * 20 * 60_000);
    assert.deepEqual([seed, task.status, submits, charges.length], [seed, 'completed', 1, 1]);
  }
});
