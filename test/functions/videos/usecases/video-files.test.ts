import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileKey, removedFileKey } from '../../../../functions/files/domain/files.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { advanceTask } from '../../../../functions/videos/usecases/advance-task.ts';
import { createVideo } from '../../../../functions/videos/usecases/create-video.ts';
import { deleteVideo } from '../../../../functions/videos/usecases/manage-videos.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { TEXT_REQUEST } from '../../../support/builders/requests.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { JPEG, PNG } from '../../../support/images.ts';
import { ADMITS_ALL } from '../../../support/in-memory/queue-ages.ts';

const CALLER = { account: 'account', keyId: 'key' };
const KEY = fileKey('account', 'file_1');
const firstFrame = { fileId: 'file_1' };
const REQUEST = { ...TEXT_REQUEST, images: { mode: 'first_frame', firstFrame } } as const;

const build = () => {
  const world = buildWorker();
  const put = (key: string, bytes: Uint8Array): void => world.stores.media.put(key, bytes, NOW);
  const create = (
    request: Parameters<typeof createVideo>[2] = REQUEST,
    key?: string,
    requestMegabytes = 20,
  ) =>
    createVideo(
      { ...world.worker, limiter: buildLimiter(), admission: ADMITS_ALL, requestMegabytes },
      CALLER,
      request,
      key,
    );
  return { ...world, put, create };
};

describe('a create with a file', () => {
  test('names it where it lies, by the type that it has, and stores nothing', async () => {
    const { put, create, stores } = build();
    put(KEY, JPEG);
    const { task } = await create();
    assert.deepEqual(task.request.inputs, [{ role: 'first_frame', key: KEY, mimeType: 'image/jpeg' }]);
    assert.deepEqual(stores.media.keys(), [KEY]);
  });

  test('keeps nothing of a request that is refused', async () => {
    const { put, create, stores, sent } = build();
    put(KEY, JPEG);
    const lastFrame = { fileId: 'file_2' };
    const images = { mode: 'first_and_last_frame', firstFrame, lastFrame } as const;
    await assert.rejects(create({ ...REQUEST, seconds: 8, images }), {
      code: 'invalid_request',
      message: 'file_2: file not found.',
    });
    assert.deepEqual([stores.tasks.all(), sent], [[], []]);
  });

  test('counts a file as often as it is named', async () => {
    const { put, create } = build();
    put(KEY, Buffer.concat([PNG, Buffer.alloc(300_000)]));
    const images = { mode: 'references', references: [firstFrame, firstFrame, firstFrame] } as const;
    const references = { ...REQUEST, seconds: 8, images } as const;
    await assert.rejects(create(references, undefined, 1), (error) => {
      assert.ok(error instanceof DomainError);
      assert.match(error.message, /make 1202\d{3} bytes, and the generator takes at most 1 MB/);
      assert.equal(error.param, 'file_1');
      return true;
    });
    assert.equal((await create(references, undefined, 2)).task.request.inputs.length, 3);
  });
});

describe('the task of a file', () => {
  /** A task that is about to be submitted, and the images that its generator gets. */
  const submit = async (places: readonly string[], empty: readonly string[] = []) => {
    const world = build();
    world.put(KEY, JPEG);
    const { task } = await world.create();
    world.stores.media.remove([KEY]);
    for (const place of places) world.put(place, JPEG);
    for (const place of empty) world.put(place, new Uint8Array(0));
    const images: number[] = [];
    const submit: typeof world.worker.generator.submit = async (_, inputs) => {
      images.push(...inputs.map(({ bytes }) => bytes.length));
      return 'operation';
    };
    const worker = { ...world.worker, generator: { ...world.worker.generator, submit } };
    await advanceTask(worker, { taskId: task.id, step: task.step });
    return { ...world, images, worker, after: world.stores.tasks.find(task.id) };
  };

  test('finds it in its place', async () => {
    const { images, after } = await submit([KEY]);
    assert.deepEqual([images, after?.status], [[JPEG.length], 'in_progress']);
  });

  test('finds it among those that were removed', async () => {
    const { images, after } = await submit([removedFileKey(KEY)]);
    assert.deepEqual([images, after?.status], [[JPEG.length], 'in_progress']);
  });

  test('finds it among those that were removed where an empty object holds its place', async () => {
    const { images, after } = await submit([removedFileKey(KEY)], [KEY]);
    assert.deepEqual([images, after?.status], [[JPEG.length], 'in_progress']);
  });

  for (const empty of [[], [KEY]])
    test(`fails where it is in neither place, with ${empty.length} empty objects`, async () => {
      const { images, after, errors } = await submit([], empty);
      assert.deepEqual([images, after?.status, after?.error?.code], [[], 'failed', 'internal']);
      assert.deepEqual(errors, ['input is missing']);
    });

  test('leaves it to its owner when it ends and when it is deleted', async () => {
    const { stores, worker, put, create } = build();
    put(KEY, JPEG);
    const { task } = await create();
    const refuse = () => Promise.reject(new Error('not reached'));
    const failed: Task = { ...task, step: 1, status: 'failed', work: { kind: 'settle', dueAt: NOW } };
    assert.equal(stores.tasks.advance(failed), true);
    await advanceTask(
      { ...worker, queue: { ...worker.queue, sendAll: refuse } },
      { taskId: task.id, step: 1 },
    );
    assert.equal(stores.tasks.find(task.id)?.work, undefined);
    await deleteVideo(worker, CALLER.account, task.id);
    assert.equal(stores.tasks.find(task.id), undefined);
    assert.deepEqual(stores.media.keys(), [KEY]);
  });
});
