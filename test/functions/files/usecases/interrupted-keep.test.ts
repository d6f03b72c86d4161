import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageChange } from '../../../../functions/billing/domain/kept-storage.ts';
import type { FileChange, StoredFile } from '../../../../functions/files/domain/files.ts';
import { expireFiles } from '../../../../functions/files/usecases/manage-files.ts';
import { updateImage } from '../../../../functions/files/usecases/update-image.ts';
import { NEVER, RETENTION_CLAIM } from '../../../../functions/platform/domain/retention.ts';
import { anAction } from '../../../support/audit.ts';
import { aGeneratedImage } from '../../../support/builders/file.ts';
import { strictLogger } from '../../../support/loggers.ts';

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
  const cleanUp = () => expireFiles({ ...shared, logger: strictLogger, stopAt: Number.POSITIVE_INFINITY });
  return { state, retained, update, cleanUp };
};

describe('an image whose keeping was interrupted after the first of its two writes', () => {
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
