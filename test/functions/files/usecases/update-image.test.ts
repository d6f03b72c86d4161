import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageChange } from '../../../../functions/billing/domain/kept-storage.ts';
import type { FileChange, StoredFile } from '../../../../functions/files/domain/files.ts';
import { expireFiles } from '../../../../functions/files/usecases/expire-files.ts';
import { updateImage } from '../../../../functions/files/usecases/update-image.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import { NEVER, RETENTION_CLAIM } from '../../../../functions/platform/domain/retention.ts';
import { anAction } from '../../../support/audit.ts';
import { aGeneratedImage } from '../../../support/builders/file.ts';
import { strictLogger } from '../../../support/loggers.ts';

const NOW = 5_000_000;
const RETENTION = 7000;
const ACCOUNT = 'acme';
const IMAGE = aGeneratedImage({ id: `file_0${'a'.repeat(25)}`, bytes: 600_000, expiresAt: NOW + 1 });
const KEPT: StoredFile = { ...IMAGE, title: 'Harbour', expiresAt: NEVER };
const READ = { usedBytes: 400_000, ownMegabytes: undefined };

type Change = Parameters<typeof updateImage>[3];
type Write = {
  readonly change: FileChange;
  readonly entry: AuditEntry;
  readonly storage: StorageChange | undefined;
};

const build = (file: StoredFile, lost = 0) => {
  const written: Write[] = [];
  const settled: string[] = [];
  let writes = 0;
  const dependencies: Parameters<typeof updateImage>[0] = {
    files: {
      find: async (account, id) => (account === file.account && id === file.id ? file : undefined),
      change: async (_, change, entry, storage) => {
        writes += 1;
        if (writes > lost) written.push({ change, entry, storage });
        return writes > lost;
      },
      markArrived: async ({ id }) => settled.push(`arrived ${id}`) > 0,
    },
    store: { retain: async ({ id, expiresAt }) => void settled.push(`retained ${id} ${expiresAt}`) },
    storages: { find: async () => READ },
    now: () => NOW,
    defaultMegabytes: 1,
    retentionMs: RETENTION,
  };
  return {
    written,
    settled,
    update: (change: Partial<Change>, id = file.id, account = ACCOUNT) =>
      updateImage(dependencies, anAction(account, NOW), id, { name: undefined, kept: undefined, ...change }),
  };
};

describe('a change of an image', () => {
  const claimedUntil = NOW + 60_000;
  const storage = (bytes: number, limitBytes: number | undefined): StorageChange => ({
    account: ACCOUNT,
    bytes,
    read: READ,
    limitBytes,
  });
  const [KEEP, RELEASE] = [storage(600_000, 1_000_000), storage(-600_000, undefined)];
  const [BOAT, NAMELESS] = [{ title: 'Boat' }, { title: undefined }];
  const UNTIL = NOW + RETENTION;
  const CASES: readonly (readonly [
    name: string,
    file: StoredFile,
    change: Partial<Change>,
    after: Partial<StoredFile>,
    written?: FileChange,
    storage?: StorageChange,
  ])[] = [
    ['gives it a name', IMAGE, { name: 'Boat' }, BOAT, BOAT],
    ['removes its name', KEPT, { name: null }, NAMELESS, { title: null }],
    ['keeps it', IMAGE, { kept: true }, { expiresAt: NEVER }, { expiresAt: NEVER, claimedUntil }, KEEP],
    [
      'releases it for as long as a new image, whatever the limit',
      KEPT,
      { kept: false },
      { expiresAt: UNTIL },
      { expiresAt: UNTIL, claimedUntil },
      RELEASE,
    ],
    [
      'does both at once',
      IMAGE,
      { name: 'Boat', kept: true },
      { ...BOAT, expiresAt: NEVER },
      { ...BOAT, expiresAt: NEVER, claimedUntil },
      KEEP,
    ],
    ['to the same state writes nothing', KEPT, { kept: true }, {}],
    ['to the same name writes nothing', KEPT, { name: 'Harbour' }, {}],
    ['to no name writes nothing without one', IMAGE, { name: null }, {}],
  ];
  for (const [name, file, change, after, written, expected] of CASES)
    test(name, async () => {
      const seen = build(file);
      const next = { ...file, ...after };
      assert.deepEqual(await seen.update(change), next);
      const writes = seen.written.map(({ entry: { id: _, ...entry }, ...write }) => ({ ...write, entry }));
      const entry = { ...anAction(ACCOUNT, NOW), type: 'file.updated', resourceId: file.id, details: change };
      assert.deepEqual(writes, written === undefined ? [] : [{ change: written, storage: expected, entry }]);
      const settled = [`retained ${file.id} ${next.expiresAt}`, `arrived ${file.id}`];
      assert.deepEqual(seen.settled, expected === undefined ? [] : settled);
    });
});

describe('a change of an image is refused', () => {
  const NOT_FOUND = { code: 'file_not_found', param: 'item_id' };
  const OTHER = `file_0${'b'.repeat(25)}`;
  const CASES: readonly (readonly [
    name: string,
    file: StoredFile,
    error: { readonly code: string; readonly param?: string },
    id?: string,
    account?: string,
  ])[] = [
    ['of another account', IMAGE, NOT_FOUND, IMAGE.id, 'other'],
    ['of an unknown file', IMAGE, NOT_FOUND, OTHER],
    ['of an odd id', { ...IMAGE, id: 'file_1' }, NOT_FOUND],
    ['from its end on', { ...IMAGE, expiresAt: NOW }, NOT_FOUND],
    ['of an upload', { ...IMAGE, output: undefined }, { code: 'invalid_request', param: 'item_id' }],
    ['during another change', { ...IMAGE, unsettled: true }, { code: 'concurrent_update' }],
    ['without room', { ...IMAGE, bytes: 600_001 }, { code: 'insufficient_quota' }],
  ];
  for (const [name, file, error, id, account] of CASES)
    test(name, async () => {
      const { update, written } = build(file);
      await assert.rejects(update({ kept: true }, id, account), error);
      assert.deepEqual(written, []);
    });

  test('after five lost writes', async () => {
    await build(IMAGE, 4).update({ name: 'a' });
    await assert.rejects(build(IMAGE, 5).update({ name: 'a' }), { code: 'concurrent_update' });
  });
});

describe('an image whose keeping was interrupted after the first of its two writes', () => {
  const NOW = Date.UTC(2026, 0, 1);
  const IMAGE = aGeneratedImage({ bytes: 500, createdAt: NOW - 1, expiresAt: NOW + 1000 });

  /** The first change of the stored file does not happen, as if the function had been stopped before it. */
  const crashed = async () => {
    const state = { file: IMAGE, dueAt: IMAGE.expiresAt, now: NOW, usedBytes: 0, crashes: 1 };
    const retained: number[] = [];
    const refuse = () => assert.fail('the image has not ended');
    const files = {
      find: async () => state.file,
      markArrived: async ({ expiresAt }: StoredFile) => {
        const { unsettled: _, ...settled } = state.file;
        Object.assign(state, { file: settled, dueAt: expiresAt });
        return true;
      },
      change: async (_: StoredFile, change: FileChange, __: unknown, storage: StorageChange | undefined) => {
        const { expiresAt = state.file.expiresAt, claimedUntil = expiresAt } = change;
        Object.assign(state, { file: { ...state.file, expiresAt, unsettled: true }, dueAt: claimedUntil });
        state.usedBytes += storage?.bytes ?? 0;
        return true;
      },
      due: async function* (until: number) {
        if (state.dueAt <= until) yield { file: state.file, removed: false };
      },
      remove: refuse,
      forget: refuse,
    };
    const store = {
      retain: async ({ expiresAt }: StoredFile) => {
        state.crashes -= 1;
        if (state.crashes >= 0) throw new Error('stopped');
        retained.push(expiresAt);
      },
      has: refuse,
      setAside: refuse,
      discard: refuse,
    };
    const shared = { files, store, now: () => state.now };
    const storages = { find: async () => ({ usedBytes: state.usedBytes, ownMegabytes: undefined }) };
    const update = (kept: boolean) =>
      updateImage(
        { ...shared, storages, defaultMegabytes: 1, retentionMs: 1000 },
        anAction(IMAGE.account),
        IMAGE.id,
        { name: undefined, kept },
      );
    await assert.rejects(update(true), { message: 'stopped' });
    const cleanUp = () =>
      expireFiles({
        ...shared,
        members: { find: refuse },
        logger: strictLogger,
        stopAt: Number.POSITIVE_INFINITY,
      });
    return { state, retained, update, cleanUp };
  };

  test('is kept and counted, and cannot be changed until it is finished', async () => {
    const { state, update } = await crashed();
    assert.deepEqual([state.file.expiresAt, state.usedBytes], [NEVER, 500]);
    await assert.rejects(update(false), { code: 'concurrent_update' });
  });

  test('is finished by the hourly clean-up after the claim', async () => {
    const { state, retained, cleanUp, update } = await crashed();
    await cleanUp();
    assert.deepEqual(retained, []);
    state.now = NOW + RETENTION_CLAIM;
    await cleanUp();
    assert.deepEqual([retained, state.dueAt, state.usedBytes], [[NEVER], NEVER, 500]);
    await update(false);
    assert.deepEqual([retained.length, state.usedBytes], [2, 0]);
  });
});
