import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageChange } from '../../../../functions/billing/domain/kept-storage.ts';
import { NEVER, RETENTION_CLAIM } from '../../../../functions/platform/domain/retention.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import { updateVideo } from '../../../../functions/videos/usecases/update-video.ts';
import { anAction } from '../../../support/audit.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const VIDEO = aTask({
  status: 'completed',
  work: undefined,
  file: { key: 'videos/1.mp4', bytes: 500 },
  completedAt: NOW - 1,
  expiresAt: NOW + 1000,
});

/** The first change of the stored file does not happen, as if the function had been stopped before it. */
const crashed = async () => {
  const { worker, stores } = buildWorker(VIDEO);
  const state = { now: NOW, usedBytes: 0, crashes: 1 };
  const retained: (readonly [key: string, isKept: boolean])[] = [];
  const dependencies = {
    ...worker,
    now: () => state.now,
    retention: {
      retain: async (key: string, isKept: boolean) => {
        state.crashes -= 1;
        if (state.crashes >= 0) throw new Error('stopped');
        retained.push([key, isKept]);
      },
    },
    storages: { find: async () => ({ usedBytes: state.usedBytes, ownMegabytes: undefined }) },
    changes: {
      write: async (...[next, , storage]: [typeof VIDEO, unknown, StorageChange | undefined]) => {
        const isWritten = stores.tasks.advance(next);
        if (isWritten) state.usedBytes += storage?.bytes ?? 0;
        return isWritten;
      },
    },
    defaultMegabytes: 1,
    retentionMs: 1000,
  };
  const update = (kept: boolean) =>
    updateVideo(dependencies, anAction(VIDEO.account), VIDEO.id, { name: undefined, kept });
  const stored = () => stores.tasks.find(VIDEO.id) ?? assert.fail();
  await assert.rejects(update(true), { message: 'stopped' });
  return { dependencies, state, retained, update, stored };
};

describe('a video whose keeping was interrupted after the first of its two writes', () => {
  test('is kept and counted, and claimed for a minute', async () => {
    const { state, stored, update } = await crashed();
    const { expiresAt, work } = stored();
    assert.deepEqual([expiresAt, state.usedBytes], [NEVER, 500]);
    assert.deepEqual(work, { kind: 'retain', dueAt: NOW + RETENTION_CLAIM });
    await assert.rejects(update(false), { code: 'concurrent_update' });
    assert.deepEqual(stored().work, work);
  });

  test('is finished by the worker after the claim', async () => {
    const { dependencies, state, stored, retained } = await crashed();
    const message = { taskId: VIDEO.id, step: stored().step };
    await advanceTask(dependencies, message);
    assert.deepEqual(retained, []);
    state.now = NOW + RETENTION_CLAIM;
    await advanceTask(dependencies, message);
    assert.deepEqual(retained, [['videos/1.mp4', true]]);
    assert.deepEqual([stored().work, stored().expiresAt, state.usedBytes], [undefined, NEVER, 500]);
  });

  test('is finished by the next request after the claim, and counted once', async () => {
    for (const [kept, calls, used] of [
      [true, [true], 500],
      [false, [true, false], 0],
    ] as const) {
      const { state, update, retained, stored } = await crashed();
      state.now = NOW + RETENTION_CLAIM;
      await update(kept);
      assert.deepEqual(
        retained.map(([, isKept]) => isKept),
        calls,
      );
      assert.deepEqual([stored().work, state.usedBytes], [undefined, used]);
    }
  });
});
