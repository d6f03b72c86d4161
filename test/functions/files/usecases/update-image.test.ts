import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageChange } from '../../../../functions/billing/domain/kept-storage.ts';
import type { FileChange, StoredFile } from '../../../../functions/files/domain/files.ts';
import { updateImage } from '../../../../functions/files/usecases/update-image.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import { anAction } from '../../../support/audit.ts';

const NOW = 5_000_000;
const RETENTION = 7000;
const ACCOUNT = 'acme';
const IMAGE: StoredFile = {
  id: `file_0${'a'.repeat(25)}`,
  account: ACCOUNT,
  name: 'image.png',
  bytes: 600_000,
  mimeType: 'image/png',
  purpose: 'output',
  createdAt: 1,
  expiresAt: NOW + 1,
  arrived: true,
  output: {
    model: 'image-3.1-flash-image-preview',
    prompt: 'a boat',
    size: '1K',
    keyId: 'key',
    durationMs: 4000,
    amount: null,
    currency: null,
  },
};
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
  const storage = (bytes: number, limitBytes: number | undefined) => ({
    account: ACCOUNT,
    bytes,
    read: READ,
    limitBytes,
  });
  const CASES: readonly {
    readonly name: string;
    readonly file: StoredFile;
    readonly change: Partial<Change>;
    readonly after: Partial<StoredFile>;
    readonly written?: FileChange;
    readonly details?: AuditEntry['details'];
    readonly storage?: StorageChange;
  }[] = [
    {
      name: 'gives it a name',
      file: IMAGE,
      change: { name: 'Boat' },
      after: { title: 'Boat' },
      written: { title: 'Boat' },
      details: { name: 'Boat' },
    },
    {
      name: 'removes its name',
      file: KEPT,
      change: { name: null },
      after: { title: undefined },
      written: { title: null },
      details: { name: null },
    },
    {
      name: 'keeps it',
      file: IMAGE,
      change: { kept: true },
      after: { expiresAt: NEVER },
      written: { expiresAt: NEVER, claimedUntil },
      details: { kept: true },
      storage: storage(600_000, 1_000_000),
    },
    {
      name: 'releases it for as long as a new image, whatever the limit',
      file: KEPT,
      change: { kept: false },
      after: { expiresAt: NOW + RETENTION },
      written: { expiresAt: NOW + RETENTION, claimedUntil },
      details: { kept: false },
      storage: storage(-600_000, undefined),
    },
    {
      name: 'does both at once',
      file: IMAGE,
      change: { name: 'Boat', kept: true },
      after: { title: 'Boat', expiresAt: NEVER },
      written: { title: 'Boat', expiresAt: NEVER, claimedUntil },
      details: { name: 'Boat', kept: true },
      storage: storage(600_000, 1_000_000),
    },
    { name: 'to the same state writes nothing', file: KEPT, change: { kept: true }, after: {} },
    { name: 'to the same name writes nothing', file: KEPT, change: { name: 'Harbour' }, after: {} },
    { name: 'to no name writes nothing without one', file: IMAGE, change: { name: null }, after: {} },
  ];
  for (const { name, file, change, after, written, details, ...expected } of CASES)
    test(name, async () => {
      const seen = build(file);
      const next = { ...file, ...after };
      assert.deepEqual(await seen.update(change), next);
      assert.deepEqual(
        seen.written.map(({ entry, ...write }) => ({
          ...write,
          entry: [entry.account, entry.at, entry.type, entry.resourceId, entry.details],
        })),
        written === undefined
          ? []
          : [
              {
                change: written,
                storage: expected.storage,
                entry: [ACCOUNT, NOW, 'file.updated', file.id, details],
              },
            ],
      );
      const settled = [`retained ${file.id} ${next.expiresAt}`, `arrived ${file.id}`];
      assert.deepEqual(seen.settled, expected.storage === undefined ? [] : settled);
    });
});

describe('a change of an image is refused', () => {
  const OTHER = `file_0${'b'.repeat(25)}`;
  const CASES: readonly (readonly [
    name: string,
    file: StoredFile,
    error: { readonly code: string; readonly param?: string },
    id?: string,
    account?: string,
  ])[] = [
    ['of another account', IMAGE, { code: 'file_not_found', param: 'item_id' }, IMAGE.id, 'other'],
    ['of an unknown file', IMAGE, { code: 'file_not_found', param: 'item_id' }, OTHER],
    ['of an odd id', { ...IMAGE, id: 'file_1' }, { code: 'file_not_found', param: 'item_id' }],
    ['from its end on', { ...IMAGE, expiresAt: NOW }, { code: 'file_not_found', param: 'item_id' }],
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
