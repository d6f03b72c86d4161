import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageChange } from '../../../../functions/billing/domain/kept-storage.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { updateVideo } from '../../../../functions/videos/usecases/update-video.ts';
import { anAction } from '../../../support/audit.ts';
import { aTask } from '../../../support/builders/task.ts';
import { MemoryTasks, tasksPort } from '../../../support/in-memory/tasks.ts';

const NOW = 5_000_000;
const RETENTION = 7000;
const FILE = { key: 'videos/a.mp4', bytes: 600_000 };
const VIDEO = aTask({ status: 'completed', work: undefined, file: FILE, expiresAt: NOW + 1 });
const KEPT = { ...VIDEO, name: 'Harbour', expiresAt: NEVER };
const READ = { usedBytes: 400_000, ownMegabytes: undefined };

type Change = Parameters<typeof updateVideo>[3];
const NOTHING: Change = { name: undefined, kept: undefined };

const build = (task: Task, options: { ownMegabytes?: number | null; lost?: number } = {}) => {
  const table = new MemoryTasks();
  table.create(task);
  const written: { entry: AuditEntry; storage: StorageChange | undefined }[] = [];
  const retained: (readonly [key: string, isKept: boolean])[] = [];
  let writes = 0;
  const dependencies: Parameters<typeof updateVideo>[0] = {
    tasks: tasksPort(table),
    changes: {
      write: async (next, entry, storage) => {
        writes += 1;
        if (writes <= (options.lost ?? 0)) return false;
        written.push({ entry, storage });
        return table.advance(next);
      },
    },
    storages: { find: async () => ({ ...READ, ownMegabytes: options.ownMegabytes }) },
    retention: { retain: async (key, isKept) => void retained.push([key, isKept]) },
    now: () => NOW,
    defaultMegabytes: 1,
    retentionMs: RETENTION,
  };
  return {
    table,
    written,
    retained,
    update: (change: Partial<Change>) =>
      updateVideo(dependencies, anAction(task.account, NOW), task.id, { ...NOTHING, ...change }),
  };
};

describe('a change of a video', () => {
  const FAILED: Task = { ...VIDEO, status: 'failed', file: undefined, expiresAt: undefined };
  const BOTH = { kept: true, name: 'Boat' } as const;
  const FOR_GOOD = { name: undefined, expiresAt: NEVER, inputsExpireAt: NOW + 1 };
  const RELEASE = { kept: false };
  const RELEASED = { name: 'Harbour', expiresAt: NOW + RETENTION };
  const CASES: readonly (readonly [
    name: string,
    task: Task,
    change: Partial<Change>,
    after: Partial<Task>,
    /** Undefined if nothing is written. */
    written: Partial<Change> | undefined,
  ])[] = [
    ['gives it a name', VIDEO, { name: 'Boat' }, { name: 'Boat', expiresAt: NOW + 1 }, { name: 'Boat' }],
    ['removes its name', KEPT, { name: null }, { name: undefined, expiresAt: NEVER }, { name: null }],
    ['keeps it, with as many bytes as its file has', VIDEO, { kept: true }, FOR_GOOD, { kept: true }],
    ['releases it for as long as a new video', KEPT, { ...RELEASE, name: 'Harbour' }, RELEASED, RELEASE],
    ['does both at once', VIDEO, BOTH, { name: 'Boat', expiresAt: NEVER }, BOTH],
    ['to the same state writes nothing', KEPT, { kept: true }, KEPT, undefined],
    ['to no name writes nothing without one', VIDEO, { name: null }, VIDEO, undefined],
    ['to the same name writes nothing', KEPT, { name: 'Harbour' }, KEPT, undefined],
    ['can name a failed one', FAILED, { name: 'Boat' }, { name: 'Boat' }, { name: 'Boat' }],
  ];
  for (const [name, task, change, after, details] of CASES)
    test(name, async () => {
      const { table, update, written, retained } = build(task);
      const answer = await update(change);
      const stored = table.find(task.id);
      for (const found of [answer, stored]) assert.deepEqual({ ...found, ...after }, found);
      assert.equal(stored?.work, undefined);
      const kept = details?.kept;
      const room = kept === true ? { bytes: 600_000, limitBytes: 1_000_000 } : { bytes: -600_000 };
      const storage = { account: 'account', read: READ, limitBytes: undefined, ...room };
      assert.deepEqual(retained, kept === undefined ? [] : [[FILE.key, kept]]);
      assert.deepEqual(
        written.map(({ entry, storage }) => [entry.type, entry.resourceId, entry.at, entry.details, storage]),
        details === undefined
          ? []
          : [['video.updated', task.id, NOW, details, kept === undefined ? undefined : storage]],
      );
      assert.equal(written[0]?.entry.account, details && task.account);
    });
});

describe('a change of a video is refused', () => {
  const claimed = { kind: 'retain', dueAt: NOW + 1 } as const;
  const unsettled = { kind: 'settle', dueAt: 1 } as const;
  for (const [name, task, change, code, param] of [
    ['if it failed', { ...VIDEO, status: 'failed' }, { kept: true }, 'video_failed', 'kept'],
    ['without a file', { ...VIDEO, file: undefined }, { kept: true }, 'video_not_ready', 'kept'],
    ['without an end', { ...VIDEO, expiresAt: undefined }, { kept: true }, 'video_not_ready', 'kept'],
    ['from its end on', { ...VIDEO, expiresAt: NOW }, { kept: true }, 'video_expired', 'kept'],
    ['before it has ended', { ...VIDEO, status: 'in_progress' }, { name: 'a' }, 'video_not_ready'],
    ['during another change', { ...VIDEO, work: claimed }, { name: 'a' }, 'concurrent_update'],
    ['before it is settled', { ...VIDEO, work: unsettled }, { name: 'a' }, 'concurrent_update'],
  ] as const)
    test(name, async () => {
      const { update, written } = build(task);
      await assert.rejects(update(change), { code, param: param ?? null });
      assert.deepEqual(written, []);
    });

  test('if the storage has no room, to the byte', async () => {
    const larger = { ...VIDEO, file: { ...FILE, bytes: 600_001 } };
    await assert.rejects(build(larger).update({ kept: true }), {
      code: 'insufficient_quota',
      message: /^The storage for kept items is full: 400 KB of 1 MB are used, and this video has 601 KB\./,
    });
    for (const ownMegabytes of [2, null]) await build(larger, { ownMegabytes }).update({ kept: true });
  });

  test('after five lost writes', async () => {
    const { update, written } = build(VIDEO, { lost: 4 });
    await update({ name: 'a' });
    assert.equal(written.length, 1);
    await assert.rejects(build(VIDEO, { lost: 5 }).update({ name: 'a' }), { code: 'concurrent_update' });
  });
});

test('an interrupted change of the file is finished first', async () => {
  const work = { kind: 'retain', dueAt: NOW } as const;
  const { update, retained, written } = build({ ...KEPT, work });
  assert.equal((await update({ kept: false })).expiresAt, NOW + RETENTION);
  assert.deepEqual(retained, [
    [FILE.key, true],
    [FILE.key, false],
  ]);
  assert.equal(written.length, 1);
});
