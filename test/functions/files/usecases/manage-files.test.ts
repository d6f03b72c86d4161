import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileKey, removedFileKey } from '../../../../functions/files/domain/file-keys.ts';
import {
  type FileStore,
  REMOVED_FILE_LIFETIME,
  uploadEndsAt,
} from '../../../../functions/files/domain/files.ts';
import { sha256 } from '../../../../functions/files/domain/uploads.ts';
import { expireFiles } from '../../../../functions/files/usecases/expire-files.ts';
import {
  createUpload,
  deleteFile,
  type FileTerms,
  getFile,
  requireStorage,
  signDownloadLink,
  storeFile,
} from '../../../../functions/files/usecases/manage-files.ts';
import type { Member } from '../../../../functions/identity/domain/person.ts';
import { QUEUE_DEADLINE } from '../../../../functions/videos/domain/schedule.ts';
import { anAction } from '../../../support/audit.ts';
import { aFile, aGeneratedImage, anOutput } from '../../../support/builders/file.ts';
import { aMember } from '../../../support/builders/person.ts';
import { MemoryFiles, memoryFileStore } from '../../../support/in-memory/files.ts';

const ACCOUNT = 'acme';
const HOUR = 60 * 60 * 1000;
const START = Date.UTC(2026, 10, 15);
const TERMS: FileTerms = {
  name: 'a.jpg',
  bytes: 400,
  mimeType: 'image/jpeg',
  purpose: 'vision',
  lifetimeSeconds: undefined,
};

const build = (broken: Partial<FileStore> = {}) => {
  const files = new MemoryFiles();
  const objects = new Set<string>();
  const logged: unknown[] = [];
  const members: (Member | undefined)[] = [];
  let time = START;
  const dependencies = {
    files,
    members: { find: async () => members.at(-1) },
    store: { ...memoryFileStore(objects), ...broken },
    logger: {
      info: (_event: string, fields: object) => void logged.push(fields),
      error: (event: string, _: unknown, fields?: object) => void logged.push(event, fields),
    },
    now: () => time,
    storageBytes: 1000,
    retentionSeconds: 48 * 3600,
    stopAt: Number.POSITIVE_INFINITY,
  };
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { dependencies, files, objects, members, logged, pass };
};

const BYTES = new Uint8Array(400);
const NOT_FOUND = { code: 'file_not_found', param: 'file_id', message: /^File \w+ was not found/ };
const failing = () => Promise.reject(new Error('S3 is away'));

describe('a new file', () => {
  test('expires after the requested time, or after the retention of the service', async () => {
    const { dependencies } = build();
    const { lifetimeSeconds: _, ...terms } = TERMS;
    const { id: __, ...usual } = await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    const times = { createdAt: START, expiresAt: START + 48 * HOUR };
    assert.deepEqual(usual, { ...terms, ...times, account: ACCOUNT, arrived: true, sha256: sha256(BYTES) });
    const short = { ...TERMS, lifetimeSeconds: 3600 };
    const { file, upload } = await createUpload(dependencies, { account: ACCOUNT }, short, 'digest');
    const shown = [file.expiresAt - START, file.arrived, file.sha256, upload.expiresAt];
    assert.deepEqual(shown, [HOUR, false, 'digest', START + 1]);
  });

  test('frees its storage in the next clean-up if its bytes cannot be stored', async () => {
    const { dependencies, files, objects, logged } = build({ put: failing });
    await assert.rejects(storeFile(dependencies, ACCOUNT, TERMS, BYTES), /S3 is away/);
    assert.equal(files.used(ACCOUNT), 400);
    await expireFiles(dependencies);
    assert.deepEqual([files.used(ACCOUNT), files.rows.size, objects.size], [0, 0, 0]);
    files.remove = () => Promise.reject(new Error('DynamoDB is away'));
    await assert.rejects(storeFile(dependencies, ACCOUNT, TERMS, BYTES), /S3 is away/);
    assert.deepEqual(logged.slice(1), ['file not removed', { file: [...files.rows.keys()][0] }]);
  });

  test('uses no storage if its upload cannot be signed', async () => {
    const { dependencies, files } = build({ signUpload: failing });
    await assert.rejects(createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined), /S3 is away/);
    assert.equal(files.used(ACCOUNT), 0);
  });

  test('is rejected if the files and pending uploads of its account would exceed the limit', async () => {
    const { dependencies, files, objects } = build();
    await createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined);
    await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    const refused = { code: 'insufficient_quota', message: /0\.01 of 0\.01 MB are used/ };
    await assert.rejects(storeFile(dependencies, ACCOUNT, TERMS, BYTES), refused);
    await assert.rejects(createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined), refused);
    await storeFile(dependencies, 'other', TERMS, BYTES);
    assert.deepEqual([files.used(ACCOUNT), objects.size], [800, 2]);
    const full = { created: false, usedBytes: 2_490_001 } as const;
    assert.throws(() => requireStorage({ storageBytes: 2_500_000 }, aFile({ bytes: 120_000 }), full), {
      message: /: 2\.5 of 2\.5 MB are used, and this file has 0\.12 MB\./,
    });
  });
});

describe('a file', () => {
  test('has arrived as soon as its bytes are stored, which is checked until then', async () => {
    const { dependencies, objects } = build();
    const { file } = await createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined);
    assert.equal((await getFile(dependencies, ACCOUNT, file.id)).arrived, false);
    const missing = { code: 'file_not_ready', param: 'file_id' };
    await assert.rejects(signDownloadLink(dependencies, ACCOUNT, file.id, 'GET'), missing);
    objects.add(fileKey(ACCOUNT, file.id));
    const deleted = { find: async () => file, markArrived: async () => false };
    await assert.rejects(getFile({ ...dependencies, files: deleted }, ACCOUNT, file.id), NOT_FOUND);
    assert.equal((await getFile(dependencies, ACCOUNT, file.id)).arrived, true);
    const store = { ...dependencies.store, has: failing };
    assert.ok(await signDownloadLink({ ...dependencies, store }, ACCOUNT, file.id, 'GET'));
  });

  test('is not deleted while it is being changed, nor its bytes if another request deletes it', async () => {
    const { dependencies, files, objects } = build();
    const file = await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    files.delete = async () => false;
    await deleteFile(dependencies, anAction(ACCOUNT, START), file.id);
    assert.equal(objects.size, 1);
    files.change(file, { unsettled: true });
    const changing = { code: 'concurrent_update' };
    await assert.rejects(deleteFile(dependencies, anAction(ACCOUNT, START), file.id), changing);
  });

  test('is downloaded under its name; a generated image under its title or prompt, with its size', async () => {
    for (const [file, name] of [
      [aFile(), 'a.png'],
      [aGeneratedImage(), 'a-boat-512x384.png'],
      [aGeneratedImage({ title: 'Fox', name: 'a.b.webp', output: anOutput({ size: 'auto' }) }), 'fox.webp'],
    ] as const) {
      const files = { find: async () => file, markArrived: failing };
      const store = { has: failing, signDownload: async ({ name }: { name: string }) => name };
      const download = { files, store, now: () => 0 };
      assert.equal(await signDownloadLink(download, ACCOUNT, file.id, 'GET'), name);
    }
  });

  test('is not found once it has expired', async () => {
    const { dependencies, pass } = build();
    const { id } = await storeFile(dependencies, ACCOUNT, { ...TERMS, lifetimeSeconds: 3600 }, BYTES);
    pass(HOUR - 1);
    await getFile(dependencies, ACCOUNT, id);
    pass(1);
    await assert.rejects(getFile(dependencies, ACCOUNT, id), NOT_FOUND);
    await assert.rejects(deleteFile(dependencies, anAction(ACCOUNT, dependencies.now()), id), NOT_FOUND);
  });

  test('keeps its bytes for accepted tasks when it is deleted or expires', async () => {
    const { dependencies, files, objects, pass } = build();
    const deleted = await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    const expired = await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    const kept = (id: string) => objects.has(removedFileKey(fileKey(ACCOUNT, id)));
    await deleteFile(dependencies, anAction(ACCOUNT, dependencies.now()), deleted.id);
    const details = { name: 'a.jpg', purpose: 'vision', bytes: 400 };
    const entry = { type: 'file.deleted', resourceId: deleted.id, details };
    assert.partialDeepStrictEqual(files.entries, [entry]);
    pass(QUEUE_DEADLINE);
    await expireFiles(dependencies);
    assert.deepEqual([kept(deleted.id), files.used(ACCOUNT)], [true, 800]);
    pass(REMOVED_FILE_LIFETIME - QUEUE_DEADLINE);
    await expireFiles(dependencies);
    assert.deepEqual([kept(deleted.id), files.used(ACCOUNT)], [false, 400]);
    pass(48 * HOUR);
    await expireFiles(dependencies);
    assert.deepEqual([kept(expired.id), files.used(ACCOUNT)], [true, 400]);
    pass(REMOVED_FILE_LIFETIME);
    await expireFiles(dependencies);
    assert.deepEqual([objects.size, files.used(ACCOUNT), files.rows.size], [0, 0, 0]);
  });

  test('is deleted even if its bytes cannot be moved; the clean-up deletes them', async () => {
    const { dependencies, files, objects, logged, pass } = build();
    const { id } = await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    const broken = { ...dependencies, store: { ...dependencies.store, setAside: failing } };
    await deleteFile(broken, anAction(ACCOUNT, dependencies.now()), id);
    assert.deepEqual([logged, files.used(ACCOUNT)], [['file not removed', { file: id }], 400]);
    await assert.rejects(getFile(dependencies, ACCOUNT, id), NOT_FOUND);
    pass(REMOVED_FILE_LIFETIME);
    await expireFiles(dependencies);
    assert.deepEqual([files.used(ACCOUNT), objects.size], [0, 0]);
  });

  test('counts until its signed URL accepts no bytes, even if it is deleted', async () => {
    const { dependencies, files, objects, pass } = build();
    for (let cycle = 0; cycle < 2; cycle += 1) {
      const { file } = await createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined);
      await deleteFile(dependencies, anAction(ACCOUNT, dependencies.now()), file.id);
      objects.add(fileKey(ACCOUNT, file.id));
      await assert.rejects(getFile(dependencies, ACCOUNT, file.id), NOT_FOUND);
    }
    const refused = { code: 'insufficient_quota' };
    await assert.rejects(createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined), refused);
    pass(REMOVED_FILE_LIFETIME);
    await expireFiles(dependencies);
    assert.deepEqual([files.used(ACCOUNT), objects.size], [0, 0]);
  });
});

describe('the clean-up', () => {
  test('frees the storage once no upload can arrive, as soon as its bytes can be removed', async () => {
    const { dependencies, files, pass } = build();
    const { file } = await createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined);
    pass(uploadEndsAt(file) - START - 1);
    await expireFiles(dependencies);
    pass(1);
    await expireFiles({ ...dependencies, store: { ...dependencies.store, discard: failing } });
    assert.equal(files.used(ACCOUNT), 400);
    await expireFiles(dependencies);
    assert.deepEqual([files.used(ACCOUNT), files.rows.size], [0, 0]);
  });

  test('makes no file of an upload whose person may not upload any more', async () => {
    const { dependencies, files, objects, members, pass } = build();
    const { file } = await createUpload(
      dependencies,
      { account: ACCOUNT, uploaderId: 'user_1' },
      TERMS,
      undefined,
    );
    objects.add(fileKey(ACCOUNT, file.id));
    members.push(aMember({ role: 'viewer', addedAt: START }));
    pass(2 * HOUR);
    await expireFiles(dependencies);
    await assert.rejects(getFile(dependencies, ACCOUNT, file.id), NOT_FOUND);
    pass(REMOVED_FILE_LIFETIME);
    await expireFiles(dependencies);
    assert.deepEqual([files.used(ACCOUNT), objects.size], [0, 0]);
  });

  test('marks files as arrived that nobody has requested, and logs those that it cannot mark', async () => {
    const { dependencies, files, objects, logged, pass } = build();
    const { file } = await createUpload(dependencies, { account: ACCOUNT }, TERMS, undefined);
    objects.add(fileKey(ACCOUNT, file.id));
    pass(2 * HOUR);
    const { markArrived } = files;
    files.markArrived = failing;
    await expireFiles(dependencies);
    assert.deepEqual(logged, ['file not removed', { file: file.id }, { removed: 0, left: 0 }]);
    files.markArrived = markArrived;
    await expireFiles(dependencies);
    assert.equal((await files.find(ACCOUNT, file.id))?.arrived, true);
    assert.equal(files.used(ACCOUNT), 400);
  });

  test('logs a file that it cannot remove, and continues', async () => {
    const { dependencies, files, logged, pass } = build();
    const { id } = await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    pass(48 * HOUR);
    const { setAside } = dependencies.store;
    const store = {
      ...dependencies.store,
      setAside: (file: Parameters<FileStore['setAside']>[0]) => (file.id === id ? failing() : setAside(file)),
    };
    await expireFiles({ ...dependencies, store });
    pass(REMOVED_FILE_LIFETIME);
    await expireFiles({ ...dependencies, store });
    assert.equal(files.used(ACCOUNT), 0);
    const reported = ['file not removed', { file: id }];
    assert.deepEqual(logged, [...reported, { removed: 1, left: 0 }, { removed: 0, left: 0 }]);
  });

  test('leaves the rest for the next run when its time is up', async () => {
    const { dependencies, logged, pass } = build();
    await storeFile(dependencies, ACCOUNT, TERMS, BYTES);
    pass(48 * HOUR);
    await expireFiles({ ...dependencies, stopAt: 0 });
    assert.deepEqual(logged, [{ removed: 0, left: 1 }]);
  });
});
