import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FileStore, StoredFile } from '../../../../functions/files/domain/files.ts';
import { MAX_CHUNKS, sha256 } from '../../../../functions/files/domain/uploads.ts';
import { expireFiles } from '../../../../functions/files/usecases/expire-files.ts';
import {
  cancelUpload,
  findUpload,
  receiveBytes,
  startUpload,
  type UploadStep,
  uploadState,
} from '../../../../functions/files/usecases/receive-upload.ts';
import type { Member } from '../../../../functions/identity/domain/person.ts';
import { aMember } from '../../../support/builders/person.ts';
import { largePng, PNG } from '../../../support/images.ts';
import { MemoryFiles, memoryFileStore } from '../../../support/in-memory/files.ts';
import { MemoryUploads, memoryChunks } from '../../../support/in-memory/uploads.ts';
import { strictLogger } from '../../../support/loggers.ts';

const ACCOUNT = 'acme';
const MINUTE = 60_000;
const STORAGE = 30_000_000;

const build = (broken: Partial<FileStore> = {}) => {
  const files = new MemoryFiles();
  const chunkObjects = new Map<string, Uint8Array>();
  const stored = new Map<string, Uint8Array>();
  let time = Date.UTC(2026, 10, 15);
  let member: Member | undefined;
  const dependencies = {
    files,
    uploads: new MemoryUploads(files),
    members: { find: async () => member },
    store: {
      ...memoryFileStore(new Set()),
      put: async ({ id }: StoredFile, bytes: Uint8Array) => void stored.set(id, bytes),
      ...broken,
    },
    chunks: memoryChunks(chunkObjects),
    logger: { ...strictLogger, info: () => {} },
    now: () => time,
    storageBytes: STORAGE,
    retentionSeconds: 48 * 3600,
    stopAt: Number.POSITIVE_INFINITY,
  };
  const setMember = (changed: Member | undefined) => {
    member = changed;
  };
  const start = (bytes: number | undefined, account = ACCOUNT, uploaderId?: string) =>
    startUpload(
      dependencies,
      { account, uploaderId },
      {
        name: 'a.png',
        bytes,
        mimeType: 'application/octet-stream',
        purpose: 'vision',
        lifetimeSeconds: undefined,
      },
    );
  const send = async (uploadId: string, step: UploadStep) =>
    receiveBytes(dependencies, await findUpload(dependencies, uploadId), step);
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  const used = () => files.used(ACCOUNT);
  return { dependencies, setMember, start, send, pass, used, files, stored, chunkObjects };
};

const at = (offset: number, bytes: Uint8Array, isLast = false): UploadStep => ({
  added: { offset, bytes },
  isLast,
});
const whole = (bytes: Uint8Array) => at(0, bytes, true);
const LAST: UploadStep = { added: undefined, isLast: true };

describe('an upload', () => {
  test('ends when the person who started it is removed or may not upload any more', async () => {
    const { setMember, start, send, pass, dependencies } = build();
    const person = aMember({
      id: 'user_1',
      account: ACCOUNT,
      role: 'member',
      addedAt: dependencies.now() - 1,
    });
    const ended = { code: 'not_found', uploadStatus: 'cancelled' };
    for (const now of [undefined, { ...person, role: 'viewer' as const }]) {
      setMember(person);
      const uploadId = await start(PNG.length, ACCOUNT, person.id);
      pass(1);
      setMember(now);
      await assert.rejects(send(uploadId, whole(PNG)), ended);
    }
    setMember(person);
    assert.equal((await send(await start(PNG.length, ACCOUNT, person.id), whole(PNG))).status, 'final');
  });

  test('that comes in one request becomes a file of the type that its bytes have', async () => {
    const { start, send, stored, used } = build();
    const state = await send(await start(PNG.length), whole(PNG));
    assert.equal(state.status, 'final');
    const file = 'file' in state ? state.file : assert.fail();
    assert.deepEqual(
      [file.arrived, file.mimeType, file.bytes, file.sha256, file.name, file.purpose],
      [true, 'image/png', PNG.length, sha256(PNG), 'a.png', 'vision'],
    );
    assert.deepEqual([stored.get(file.id), used()], [PNG, PNG.length]);
  });

  test('that comes in chunks is joined, and its chunks are removed', async () => {
    const { start, send, stored, chunkObjects } = build();
    const id = await start(PNG.length);
    assert.deepEqual(await send(id, at(0, PNG.subarray(0, 20))), { status: 'active', received: 20 });
    assert.deepEqual(await send(id, at(20, PNG.subarray(20, 30))), { status: 'active', received: 30 });
    assert.equal((await send(id, at(30, PNG.subarray(30)))).status, 'active');
    assert.equal((await send(id, LAST)).status, 'final');
    assert.deepEqual([chunkObjects.size, [...stored.values()]], [0, [PNG]]);
  });

  test('without a length counts as 20 MB until its end, then as its bytes', async () => {
    const { start, send, used } = build();
    const id = await start(undefined);
    assert.equal(used(), 20_000_000);
    await assert.rejects(start(20_000_000), { code: 'insufficient_quota' });
    await start(20_000_000, 'other');
    await send(id, whole(PNG));
    assert.equal(used(), PNG.length);
  });

  test('says how many bytes have arrived', async () => {
    const { start, send, dependencies } = build();
    const id = await start(PNG.length);
    await send(id, at(0, PNG.subarray(0, 9)));
    assert.deepEqual(uploadState(await findUpload(dependencies, id)), { status: 'active', received: 9 });
    await send(id, at(9, PNG.subarray(9), true));
    assert.equal(uploadState(await findUpload(dependencies, id)).status, 'final');
  });

  test('ends when it is cancelled, and frees its storage in the next clean-up', async () => {
    const { start, send, dependencies, used, chunkObjects } = build();
    const id = await start(PNG.length);
    await send(id, at(0, PNG.subarray(0, 9)));
    const upload = await findUpload(dependencies, id);
    assert.deepEqual(await cancelUpload(dependencies, upload), { status: 'cancelled' });
    assert.equal(chunkObjects.size, 0);
    await assert.rejects(send(id, at(9, PNG.subarray(9))), { code: 'not_found' });
    await expireFiles(dependencies);
    assert.deepEqual([used(), chunkObjects.size], [0, 0]);
  });

  test('is complete or ended even if its chunks cannot be removed, which is logged', async () => {
    const { start, dependencies } = build();
    const logged: unknown[] = [];
    const broken = {
      ...dependencies,
      chunks: { ...dependencies.chunks, discard: () => Promise.reject(new Error('S3 is away')) },
      logger: { info: () => {}, error: (...entry: [string, unknown, object?]) => void logged.push(entry[2]) },
    };
    const open = async () => findUpload(broken, await start(PNG.length));
    const [finished, cancelled] = [await open(), await open()];
    assert.equal((await receiveBytes(broken, finished, whole(PNG))).status, 'final');
    assert.equal((await cancelUpload(broken, cancelled)).status, 'cancelled');
    assert.deepEqual(logged, [{ file: finished.file.id }, { file: cancelled.file.id }]);
  });

  test('that is never finalized frees its storage in the clean-up', async () => {
    const { start, send, dependencies, used, pass } = build();
    await send(await start(PNG.length), at(0, PNG));
    pass(75 * MINUTE);
    await expireFiles(dependencies);
    await expireFiles(dependencies);
    assert.equal(used(), 0);
  });

  test('is closed after 15 minutes', async () => {
    const { start, send, pass } = build();
    const id = await start(PNG.length);
    pass(15 * MINUTE - 1);
    await send(id, at(0, PNG.subarray(0, 9)));
    pass(1);
    await assert.rejects(send(id, at(9, PNG.subarray(9), true)), {
      code: 'not_found',
      uploadStatus: 'cancelled',
    });
  });
});

describe('the address of an upload', () => {
  test('with another secret or account finds nothing', async () => {
    const { start, dependencies } = build();
    const [file = '', secret = '', account = ''] = (await start(PNG.length)).split('.');
    const other = (await start(PNG.length)).split('.')[1];
    const stranger = Buffer.from('other').toString('base64url');
    for (const id of [`${file}.${other}.${account}`, `${file}.${secret}.${stranger}`, 'x'])
      await assert.rejects(findUpload(dependencies, id), { code: 'not_found', uploadStatus: 'cancelled' });
    await findUpload(dependencies, `${file}.${secret}.${account}`);
  });
});

describe('wrong bytes', () => {
  const ended = { uploadStatus: 'final', code: 'invalid_image' };

  test('at another offset are rejected, and the upload stays open', async () => {
    const { start, send } = build();
    const id = await start(PNG.length);
    await send(id, at(0, PNG.subarray(0, 20)));
    const wrong = [0, 19, 21, 1e12].map((offset) => at(offset, PNG.subarray(5)));
    for (const step of [...wrong, at(0, PNG.subarray(0, 20), true)])
      await assert.rejects(send(id, step), { message: /Offset must be 20/, uploadStatus: 'active' });
    assert.equal((await send(id, at(20, PNG.subarray(20), true))).status, 'final');
  });

  test('beyond the declared length or 20 MB end the upload', async () => {
    for (const [length, bytes, message] of [
      [PNG.length - 1, PNG, /longer than the \d+ bytes/],
      [undefined, new Uint8Array(20_000_001), /more than 20 MB/],
    ] as const) {
      const { start, send } = build();
      const id = await start(length);
      await assert.rejects(send(id, whole(bytes)), { message, uploadStatus: 'cancelled' });
      await assert.rejects(send(id, at(0, PNG.subarray(1), true)), { code: 'not_found' });
    }
  });

  test('that are too few cannot be finalized yet', async () => {
    const { start, send } = build();
    const id = await start(PNG.length);
    const early = { message: /but X-Goog-Upload-Header-Content-Length is/, uploadStatus: 'active' };
    await assert.rejects(send(id, at(0, PNG.subarray(0, 20), true)), early);
    await assert.rejects(send(id, LAST), early);
    const unknown = await start(undefined);
    await assert.rejects(send(unknown, LAST), { message: /^0 bytes have arrived: send/ });
    await assert.rejects(send(unknown, at(0, new Uint8Array(0))), { message: /no bytes to upload/ });
  });

  test('that are no image, or not all of one, end the upload', async () => {
    for (const [bytes, message] of [
      [Buffer.from('%PDF-1.7'), /is not an image/],
      [PNG.subarray(0, -12), /is truncated/],
      [Buffer.alloc(40), /is not an image/],
    ] as const) {
      const { start, send, dependencies, used, stored } = build();
      const id = await start(bytes.length);
      await assert.rejects(send(id, whole(bytes)), { ...ended, message });
      await assert.rejects(send(id, whole(bytes)), { code: 'not_found' });
      await expireFiles(dependencies);
      assert.deepEqual([used(), stored.size], [0, 0]);
    }
  });

  test('in too many chunks are rejected', async () => {
    const { start, send } = build();
    const id = await start(PNG.length + MAX_CHUNKS);
    for (let offset = 0; offset < MAX_CHUNKS; offset += 1) await send(id, at(offset, Buffer.from([offset])));
    await assert.rejects(send(id, at(MAX_CHUNKS, PNG)), { message: /can have 100 chunks/ });
  });
});

describe('a repeated request', () => {
  test('for the same chunk changes nothing', async () => {
    const { start, send } = build();
    const id = await start(PNG.length);
    const first = at(0, PNG.subarray(0, 20));
    await send(id, first);
    assert.deepEqual(await send(id, first), { status: 'active', received: 20 });
  });

  test('by the database client, which got no response, changes nothing', async (context) => {
    const { start, send, dependencies } = build();
    const { uploads } = dependencies;
    const addChunk = uploads.addChunk.bind(uploads);
    context.mock.method(uploads, 'addChunk', async (...given: Parameters<typeof addChunk>) => {
      await addChunk(...given);
      return false;
    });
    const state = await send(await start(PNG.length), at(0, PNG.subarray(0, 20)));
    assert.deepEqual(state, { status: 'active', received: 20 });
  });

  for (const [title, offset] of [
    ['the only bytes', 0],
    ['the last of several chunks', 20],
  ] as const)
    test(`for ${title} returns the same file; other bytes or another place are rejected`, async () => {
      const { start, send } = build();
      const id = await start(undefined);
      if (offset > 0) await send(id, at(0, PNG.subarray(0, offset)));
      const last = at(offset, PNG.subarray(offset), true);
      const state = await send(id, last);
      assert.equal(state.status, 'final');
      for (const again of [last, LAST, at(PNG.length, new Uint8Array(0), true)])
        assert.deepEqual(await send(id, again), state);
      const finished = { message: /upload is finished/, uploadStatus: 'final' };
      for (const other of [
        at(offset, Buffer.alloc(PNG.length - offset), true),
        at(offset + 1, PNG.subarray(offset), true),
        at(offset, PNG.subarray(offset)),
      ])
        await assert.rejects(send(id, other), finished);
    });

  test('finishes an upload whose bytes could not be stored', async () => {
    let failures = 1;
    const { start, send, stored } = build({
      put: async ({ id }, bytes) => {
        failures -= 1;
        if (failures >= 0) throw new Error('S3 is away');
        stored.set(id, bytes);
      },
    });
    const id = await start(undefined);
    await assert.rejects(send(id, whole(PNG)), /S3 is away/);
    await assert.rejects(send(id, whole(largePng(9))), { message: /at the same time/ });
    assert.equal((await send(id, whole(PNG))).status, 'final');
  });

  test('cannot cancel a finished upload', async () => {
    const { start, send, dependencies } = build();
    const id = await start(PNG.length);
    await send(id, whole(PNG));
    await assert.rejects(cancelUpload(dependencies, await findUpload(dependencies, id)), {
      message: /delete the file instead/,
    });
  });
});

describe('two requests at once', () => {
  test('at the same offset: one is kept, and a file of mixed bytes is never made', async () => {
    const { start, send, dependencies, chunkObjects, stored } = build();
    const id = await start(PNG.length);
    const upload = await findUpload(dependencies, id);
    const results = await Promise.allSettled(
      [PNG.subarray(0, 20), Buffer.alloc(20)].map((bytes) =>
        receiveBytes(dependencies, upload, at(0, bytes)),
      ),
    );
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.equal(chunkObjects.size, 1);
    await assert.rejects(send(id, at(20, PNG.subarray(20), true)), {
      message: /different bytes for the same offset/,
      uploadStatus: 'cancelled',
    });
    assert.deepEqual([chunkObjects.size, stored.size], [0, 0]);
  });

  for (const [title, other, outcomes] of [
    ['different bytes: one wins', largePng(9), ['fulfilled', 'rejected']],
    ['the same bytes: both succeed', PNG, ['fulfilled', 'fulfilled']],
  ] as const)
    test(`that finish with ${title}, and its bytes are stored and counted once`, async () => {
      const { start, dependencies, stored, used } = build();
      const upload = await findUpload(dependencies, await start(undefined));
      const results = await Promise.allSettled(
        [PNG, other].map((bytes) => receiveBytes(dependencies, upload, whole(bytes))),
      );
      assert.deepEqual(results.map(({ status }) => status).toSorted(), outcomes);
      const [bytes = assert.fail()] = stored.values();
      assert.deepEqual([stored.size, used()], [1, bytes.length]);
    });
});
