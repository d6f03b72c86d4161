import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';
import { videoKey } from '../../../../functions/videos/domain/media.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { fetchGenerated, fetchVideo } from '../../../../functions/videos/usecases/fetch-video.ts';
import type { Worker } from '../../../../functions/videos/usecases/worker.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { mp4Box, mp4Video, wholeMp4 } from '../../../support/sample-video.ts';

const MINUTE = 60_000;

const generated = (refusedSince: number | undefined): Task =>
  aTask({
    status: 'in_progress',
    operation: 'operations/1',
    source: { kind: 'address', uri: '/files/1' },
    submittedAt: NOW - 60 * MINUTE,
    generatedAt: NOW - 50 * MINUTE,
    work: { kind: 'fetch', dueAt: NOW },
    refusedSince,
  });

const failing = (httpStatus: number): UpstreamError => new UpstreamError('operator', 'no', { httpStatus });

/** Fetches the file once, and returns the task, the stored keys and the copies that were discarded. */
const fetchOnce = async (task: Task, file: Uint8Array | UpstreamError, discard = async () => {}) => {
  const { worker, stores, counted, logged, failures } = buildWorker(task);
  const discarded: unknown[] = [];
  const open = async function* () {
    if (file instanceof UpstreamError) throw file;
    yield file;
  };
  const generator: Worker['generator'] = {
    ...worker.generator,
    open: async () => open(),
    discard: (...given) => {
      discarded.push([...given, stores.tasks.find(task.id)?.status]);
      return discard();
    },
  };
  stores.media.put(videoKey(task), new Uint8Array(1), NOW);
  const saveCounts = async () => void counted.push('saved');
  await fetchVideo({ ...worker, generator, pool: { ...worker.pool, saveCounts } }, task);
  const after = stores.tasks.find(task.id);
  return { after, stored: stores.media.keys(), counted, logged, failures, discarded };
};

const REFUSALS = {
  '403': failing(403),
  '404': failing(404),
  'an untrusted address': new UpstreamError('rejected', 'no'),
  'an HTML page instead of a video': new TextEncoder().encode('<!DOCTYPE html>'),
};

for (const [name, file] of Object.entries(REFUSALS))
  test(`a file that is refused with ${name} fails its task after 10 minutes, and leaves nothing in the store`, async () => {
    for (const [before, since] of [
      [undefined, NOW],
      [NOW - 10 * MINUTE + 1, NOW - 10 * MINUTE + 1],
    ] as const) {
      const { after } = await fetchOnce(generated(before), file);
      assert.deepEqual([after?.status, after?.refusedSince], ['in_progress', since]);
    }
    const { after, stored } = await fetchOnce(generated(NOW - 10 * MINUTE), file);
    const message = 'The generated video could not be fetched from the generator.';
    assert.deepEqual([after?.error, stored], [{ code: 'upstream_unavailable', message }, []]);
  });

for (const [name, file] of [
  ['breaks off', mp4Box('ftyp', new Uint8Array(9)).subarray(0, 12)],
  ['meets a fault of the upstream', new UpstreamError('failing', 'no', { httpStatus: 500 })],
  ['meets a quota that is used up', new UpstreamError('exhausted', 'no', { httpStatus: 429 })],
  ['meets a busy upstream', new UpstreamError('busy', 'no', { httpStatus: 429 })],
  ['is not answered', new UpstreamError('unanswered', 'no')],
  ['meets a refused payment', new UpstreamError('operator', 'no', { httpStatus: 402 })],
] as const)
  test(`a file that ${name} is retried and resets the refusals`, async () => {
    const { after } = await fetchOnce(generated(NOW - 10 * MINUTE), file);
    assert.deepEqual([after?.status, after?.refusedSince], ['in_progress', undefined]);
  });

test('a complete file completes its task, however long it was refused', async () => {
  const { after, stored } = await fetchOnce(generated(NOW - 10 * MINUTE), wholeMp4());
  assert.deepEqual([after?.status, after?.expiresAt], ['completed', NOW + 3_600_000]);
  assert.deepEqual(stored, [videoKey(aTask())]);
});

test("the upstream's copy of a video is discarded once the task is completed, if that is possible", async () => {
  const { discarded } = await fetchOnce(generated(undefined), wholeMp4());
  const source = { kind: 'address', uri: '/files/1' };
  assert.deepEqual(discarded, [['operations/1', source, { name: 'default', hasPlace: false }, 'completed']]);
  const refused = await fetchOnce(generated(undefined), wholeMp4(), () => Promise.reject(failing(403)));
  const failure = ['upstream copy not deleted', { taskId: refused.after?.id }];
  assert.deepEqual([refused.after?.status, refused.failures], ['completed', [failure]]);
});

describe('a fetch', () => {
  test('that succeeds writes and logs the file, the charge and the end', async () => {
    const facts = { width: 1280, height: 720, seconds: 6.4 };
    const video = mp4Video(facts);
    const bytes = video.length;
    const { after, counted, logged } = await fetchOnce(generated(undefined), video);
    assert.deepEqual(counted, ['ended', 'saved']);
    assert.deepEqual(
      [after?.file, after?.charge, after?.completedAt],
      [
        { key: videoKey(aTask()), bytes, ...facts },
        { seconds: 6, unitPrice: null, amount: null, currency: null },
        NOW,
      ],
    );
    assert.deepEqual(logged, [
      [
        'task completed',
        {
          taskId: after?.id,
          account: 'account',
          model: 'video-3.1-generate-preview',
          seconds: 6,
          bytes,
          generationSeconds: 3600,
          completionSeconds: 3000,
        },
      ],
    ]);
  });

  test('that fails is logged with its attempt and waits as long as the upstream asks', async () => {
    const error = new UpstreamError('busy', 'no', { httpStatus: 429, retryAfterSeconds: 90 });
    const { after, logged } = await fetchOnce(generated(undefined), error);
    assert.deepEqual(logged, [['fetch failed', { taskId: after?.id, attempt: 3, fault: 'busy' }]]);
    assert.deepEqual([after?.work, after?.attempts], [{ kind: 'fetch', dueAt: NOW + 90_000 }, 3]);
    const page = await fetchOnce(generated(undefined), new TextEncoder().encode('<!DOCTYPE html>'));
    assert.deepEqual(page.logged[0]?.[1].fault, 'IncompleteVideo');
    assert.deepEqual(page.after?.work, { kind: 'fetch', dueAt: NOW + 8000 });
  });

  test('is postponed by half the time that it has waited if its account uses its share of the workers', async () => {
    const slowSteps = { begin: async () => false, end: async () => {} };
    for (const [generatedAt, delay] of [
      [NOW - 40_000, 20_000],
      [undefined, 2000],
    ] as const) {
      const task = { ...generated(undefined), generatedAt };
      const { worker, stores, asked, sent } = buildWorker(task);
      await fetchVideo({ ...worker, slowSteps }, task);
      const after = stores.tasks.find(task.id);
      assert.deepEqual([after?.work, after?.attempts, asked], [{ kind: 'fetch', dueAt: NOW + delay }, 2, []]);
      assert.equal(sent.length, 1);
    }
  });

  test('is claimed for as long as the worker can run', async () => {
    const task = generated(undefined);
    const { worker, stores } = buildWorker(task);
    const claims: unknown[] = [];
    const open = async () => {
      claims.push(stores.tasks.find(task.id)?.work);
      throw new UpstreamError('failing', 'no');
    };
    await fetchVideo({ ...worker, generator: { ...worker.generator, open } }, task);
    assert.deepEqual(claims, [{ kind: 'fetching', dueAt: NOW + 120_000 }]);
  });
});

describe('a delivered video', () => {
  const REQUESTED = { width: 1280, height: 720, seconds: 6 };
  /** The price has changed since the reservation. */
  const PRICES = { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '9' }, image: {} };

  for (const [title, delivered, fields] of [
    ['another size', { width: 720, height: 1280 }, { deliveredSize: '720x1280', deliveredSeconds: 6 }],
    ['another duration', { seconds: 4 }, { deliveredSize: '1280x720', deliveredSeconds: 4 }],
    ['a longer duration', { seconds: 6.6 }, { deliveredSize: '1280x720', deliveredSeconds: 6.6 }],
  ] as const)
    test(`with ${title} completes its task and is logged once, with the upstream`, async () => {
      const { after, logged } = await fetchOnce(
        generated(undefined),
        mp4Video({ ...REQUESTED, ...delivered }),
      );
      assert.equal(after?.status, 'completed');
      const event = 'video differs from request';
      const requested = { upstream: 'default', requestedSize: '1280x720', requestedSeconds: 6 };
      const found = logged.filter(([name]) => name === event);
      assert.deepEqual(found, [[event, { taskId: after?.id, ...requested, ...fields }]]);
    });

  /** Fetches a video whose task has reserved 6 seconds, and returns what is committed and charged. */
  const settleWith = async (seconds: number, { isReleased = false } = {}) => {
    const charge = { seconds: 6, unitPrice: '0.4025', amount: '2.4150', currency: 'USD' };
    const reservation = { id: 'r1', month: '2026-01', charge, countsForKey: true };
    const task = { ...generated(undefined), reservation };
    const { worker, stores } = buildWorker(task);
    const { account, keyId, id: taskId } = task;
    const { amount } = charge;
    const reserved = { ...reservation, kind: 'videos', account, keyId, taskId, amount } as const;
    const ceilings = {
      limits: { monthlyBudget: undefined, videosAtOnce: 1, createsPerMinute: undefined },
      keyBudget: '10',
    };
    stores.accounts.reserve({ ...reserved, at: NOW }, ceilings, { outdated: [] });
    if (isReleased) stores.accounts.release(reserved);
    const open = async () => Readable.from([mp4Video({ ...REQUESTED, seconds })]);
    await fetchVideo({ ...worker, prices: PRICES, generator: { ...worker.generator, open } }, task);
    return {
      committed: [stores.accounts.sum('account', '2026-01'), stores.accounts.sum('account#key', '2026-01')],
      left: [stores.accounts.reservations(), stores.accounts.videos('account')],
      charged: stores.charges
        .all()
        .map(({ id, time, seconds: billed, amount }) => [id, time, billed, amount]),
      days: stores.charges.days().map(({ quantity, amount }) => [quantity, amount]),
    };
  };

  for (const isReleased of [false, true])
    test(`that is shorter is charged for its seconds, ${isReleased ? 'also after its reservation was released' : 'and its whole reservation ends'}`, async () => {
      assert.deepEqual(await settleWith(4.2, { isReleased }), {
        committed: ['1.6100', '1.6100'],
        left: [[], 0],
        charged: [[aTask().id, NOW, 4, '1.6100']],
        days: [[4, '1.6100']],
      });
    });

  test('that is longer is charged for the requested seconds', async () => {
    const { committed, charged } = await settleWith(8);
    assert.deepEqual([committed, charged], [['2.4150', '2.4150'], [[aTask().id, NOW, 6, '2.4150']]]);
  });
});

test("the upstream's cost is kept with the task and recorded with its whole charge", async () => {
  const upstreamCost = { amount: '1.2', currency: 'USD' };
  const task: Task = { ...generated(undefined), generatedAt: undefined };
  const { worker, stores } = buildWorker(task);
  const open = async () => Readable.from([wholeMp4()]);
  const source = { kind: 'inline' } as const;
  await fetchGenerated({ ...worker, generator: { ...worker.generator, open } }, task, {
    source,
    cost: upstreamCost,
  });
  assert.deepEqual(stores.tasks.find(task.id)?.upstreamCost, upstreamCost);
  assert.deepEqual(stores.charges.all(), [
    {
      kind: 'video',
      id: task.id,
      account: 'account',
      keyId: 'key',
      personId: undefined,
      taskId: task.id,
      upstream: 'default',
      upstreamModel: undefined,
      upstreamCost,
      model: task.request.model,
      resolution: '720p',
      time: NOW,
      seconds: 6,
      unitPrice: null,
      amount: null,
      currency: null,
    },
  ]);
});
