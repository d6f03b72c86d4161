import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Limiter } from '../../../../functions/billing/domain/reserve.ts';
import { fileKey } from '../../../../functions/files/domain/file-keys.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { VideoRequest } from '../../../../functions/videos/domain/video-request.ts';
import { createTask } from '../../../../functions/videos/usecases/create-task.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { FRAMES_REQUEST, TEXT_REQUEST } from '../../../support/builders/requests.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';
import { JPEG, PNG } from '../../../support/images.ts';
import { accountsPort, MemoryAccounts } from '../../../support/in-memory/accounts.ts';
import { ADMITS_ALL } from '../../../support/in-memory/queue-ages.ts';
import { LOCAL_IMAGES } from '../../../support/remote-images.ts';
import { startServer } from '../../../support/server.ts';
import { slowly } from '../../../support/slowly.ts';

const CALLER = { account: 'account', keyId: 'key', personId: 'person' };

const build = (limiter = buildLimiter()) => {
  const world = buildWorker();
  return {
    ...world,
    dependencies: {
      ...world.worker,
      limiter,
      admission: ADMITS_ALL,
      requestMegabytes: 20,
      remoteImages: LOCAL_IMAGES,
    },
  };
};

test('a task that reuses the key of a deleted one has its own objects', async () => {
  const { dependencies, stores } = build();
  const { task: first } = await createTask(dependencies, CALLER, FRAMES_REQUEST, { idempotencyKey: 'key' });
  stores.tasks.remove(first);
  const later = { ...dependencies, now: () => NOW + 1 };
  const { task: second } = await createTask(later, CALLER, FRAMES_REQUEST, { idempotencyKey: 'key' });
  assert.equal(second.id, first.id);
  assert.equal(second.fingerprint, first.fingerprint);
  const keys = [...first.request.inputs, ...second.request.inputs].map(({ key }) => key);
  assert.equal(new Set(keys).size, 4);
});

describe('an image by address', () => {
  const requestFor = (address: string): VideoRequest => ({
    ...TEXT_REQUEST,
    mode: 'first_frame',
    inputs: [{ role: 'first_frame', image: { address } }],
  });

  test('is stored before the task is written, and not loaded again for a repeated request', async () => {
    const { dependencies } = build();
    let requests = 0;
    const { url, close } = await startServer((_request, response) => {
      requests += 1;
      response.end(PNG);
    });
    const key = { idempotencyKey: 'key' };
    const { task } = await createTask(dependencies, CALLER, requestFor(`${url}/a`), key);
    const again = await createTask(dependencies, CALLER, requestFor(`${url}/a`), key);
    await close();
    assert.deepEqual([requests, again.isNew, again.task.id], [1, false, task.id]);
    assert.partialDeepStrictEqual(task.request.inputs, [{ role: 'first_frame', mimeType: 'image/png' }]);
    await assert.rejects(createTask(dependencies, CALLER, requestFor(`${url}/b`), key), {
      code: 'idempotency_key_reused',
    });
  });

  test('that cannot be loaded reserves nothing', async () => {
    const accounts = new MemoryAccounts();
    const reserve = () => Promise.reject(new Error('it reserves'));
    const { dependencies } = build(buildLimiter({ videosAtOnce: 9 }, { ...accountsPort(accounts), reserve }));
    await assert.rejects(createTask(dependencies, CALLER, TEXT_REQUEST), /it reserves/);
    const refused = createTask(dependencies, CALLER, requestFor('http://127.0.0.1:9/'), {
      fieldName: () => 'image',
    });
    await assert.rejects(refused, { code: 'remote_image_not_loaded', param: 'image' });
  });
});

describe('two concurrent creates with the same Idempotency-Key', () => {
  /** The second looks for the task of the first before it is written, and writes its own after it. */
  const createTwice = async (limiters: readonly [Limiter, Limiter]) => {
    const { dependencies, worker, failures } = build(limiters[0]);
    const first = await createTask(dependencies, CALLER, TEXT_REQUEST, { idempotencyKey: 'key' });
    let looks = 0;
    const find: typeof worker.tasks.find = async (id) => {
      looks += 1;
      return looks === 1 ? undefined : worker.tasks.find(id);
    };
    const late = { ...dependencies, limiter: limiters[1], tasks: { ...worker.tasks, find } };
    const second = await createTask(late, CALLER, TEXT_REQUEST, { idempotencyKey: 'key' });
    return { first, second, failures };
  };

  test('make one task and keep the reservation that both share', async () => {
    const accounts = new MemoryAccounts();
    const limiter = buildLimiter({ videosAtOnce: 5 }, accountsPort(accounts));
    const { first, second } = await createTwice([limiter, limiter]);
    assert.equal(second.task.id, first.task.id);
    assert.deepEqual([accounts.videos('account'), accounts.reservations().length], [1, 1]);
    assert.equal(accounts.releases.size, 0);
  });

  test('release the reservation of the loser if the winner has none', async () => {
    const accounts = new MemoryAccounts();
    const ports = accountsPort(accounts);
    const limited = buildLimiter({ videosAtOnce: 5 }, { ...ports, release: slowly(ports.release) });
    const { first, second } = await createTwice([buildLimiter(), limited]);
    assert.deepEqual([second.task, second.isNew], [first.task, false]);
    assert.deepEqual([accounts.videos('account'), accounts.reservations()], [0, []]);
  });

  test('make one task even if the reservation of the loser cannot be released', async () => {
    const accounts = new MemoryAccounts();
    const release = () => Promise.reject(new Error('throttled'));
    const limited = buildLimiter({ videosAtOnce: 5 }, { ...accountsPort(accounts), release });
    const { first, second, failures } = await createTwice([buildLimiter(), limited]);
    assert.deepEqual(second.task, first.task);
    const reservations = accounts.reservations().map(({ id }) => id);
    const [reservation] = reservations;
    assert.equal(reservations.length, 1);
    assert.deepEqual(failures, [['reservation not released', { account: 'account', reservation }]]);
  });
});

describe('a create', () => {
  test('writes a queued task and enqueues its first step without delay', async () => {
    const { dependencies, stores, logged } = build();
    const sends: unknown[] = [];
    const queue = { ...dependencies.queue, send: async (...given: unknown[]) => void sends.push(given) };
    const { task, ...created } = await createTask({ ...dependencies, queue }, CALLER, TEXT_REQUEST);
    assert.deepEqual(created, { rateLimit: undefined, isNew: true });
    assert.deepEqual(stores.tasks.find(task.id), task);
    const work = { kind: 'submit', dueAt: NOW };
    const facts = { ...CALLER, status: 'queued', createdAt: NOW, work, reservation: undefined };
    assert.partialDeepStrictEqual(task, facts);
    assert.equal(task.request.mode, 'text');
    assert.deepEqual(sends, [[{ taskId: task.id, account: 'account', step: 0 }, 0]]);
    assert.deepEqual(logged, [
      ['task created', { taskId: task.id, account: 'account', model: TEXT_REQUEST.model, mode: 'text' }],
    ]);
  });

  test('sends its message before it returns', async () => {
    const { dependencies, sent } = build();
    const queue = { ...dependencies.queue, send: slowly(dependencies.queue.send) };
    const { task } = await createTask({ ...dependencies, queue }, CALLER, TEXT_REQUEST);
    assert.deepEqual(sent, [{ taskId: task.id, account: 'account', step: 0 }]);
  });

  test('succeeds even if the queue refuses the message', async () => {
    const { dependencies, stores, failures } = build();
    const queue = { ...dependencies.queue, send: () => Promise.reject(new Error('no queue')) };
    const { task } = await createTask({ ...dependencies, queue }, CALLER, TEXT_REQUEST);
    const failure = ['step not queued', { taskId: task.id, step: 0 }];
    assert.deepEqual([stores.tasks.find(task.id), failures], [task, [failure]]);
  });

  test('stores its images before its task', async () => {
    const { dependencies, stores } = build();
    const create: typeof dependencies.tasks.create = async (task) => {
      const keys = task.request.inputs.map(({ key }) => key);
      assert.deepEqual(stores.media.keys(), keys);
      return dependencies.tasks.create(task);
    };
    const tasks = { ...dependencies.tasks, create };
    const { task } = await createTask({ ...dependencies, tasks }, CALLER, FRAMES_REQUEST);
    assert.deepEqual(
      task.request.inputs.map(({ role, mimeType }) => [role, mimeType]),
      [
        ['first_frame', 'image/png'],
        ['last_frame', 'image/png'],
      ],
    );
  });

  test('reserves its price and its slot, and records both in the task', async () => {
    const accounts = new MemoryAccounts();
    const limiter = buildLimiter(
      { monthlyBudget: '10', createsPerMinute: 3 },
      accountsPort(accounts),
      () => NOW,
    );
    const { dependencies } = build(limiter);
    const prices = { currency: 'USD', videoSecond: { [TEXT_REQUEST.model]: '0.10' }, image: {} };
    const { task, rateLimit } = await createTask({ ...dependencies, prices }, CALLER, TEXT_REQUEST);
    const [held] = accounts.reservations();
    assert.deepEqual([held?.taskId, held?.kind], [task.id, 'videos']);
    assert.deepEqual(
      [task.reservation?.id, task.reservation?.month, task.reservation?.countsForKey],
      [held?.id, '2026-01', false],
    );
    assert.equal(task.reservation?.charge.amount, held?.amount);
    assert.deepEqual(rateLimit, { limit: 3, remaining: 2, resetSeconds: 60 });
  });

  const withFrame = (byte: number, mimeType: 'image/png' | 'image/webp'): VideoRequest => ({
    ...TEXT_REQUEST,
    mode: 'first_frame',
    inputs: [{ role: 'first_frame', image: { bytes: Uint8Array.of(byte), mimeType } }],
  });

  test('returns the same task for the same key, and refuses the key with a different request', async () => {
    for (const [request, ...others] of [
      [TEXT_REQUEST, { ...TEXT_REQUEST, seed: 9 }],
      [FRAMES_REQUEST, { ...FRAMES_REQUEST, seed: 9 }],
      [withFrame(1, 'image/png'), withFrame(2, 'image/png'), withFrame(1, 'image/webp')],
    ] as const) {
      const { dependencies, stores } = build();
      const create = (sent: VideoRequest, now = NOW) =>
        createTask({ ...dependencies, now: () => now }, CALLER, sent, { idempotencyKey: 'key' });
      const { task } = await create(request);
      const keys = stores.media.keys();
      assert.deepEqual(await create(request, NOW + 1), { task, rateLimit: undefined, isNew: false });
      assert.deepEqual(stores.media.keys(), keys);
      for (const other of others) await assert.rejects(create(other), { code: 'idempotency_key_reused' });
    }
  });

  test('is refused if no video can start in time, unless it repeats an earlier one', async () => {
    const { dependencies } = build();
    const overloaded = new DomainError('overloaded', 'no');
    const busy = { ...dependencies, admission: { refusal: async () => overloaded } };
    const { task } = await createTask(dependencies, CALLER, TEXT_REQUEST, { idempotencyKey: 'key' });
    const again = await createTask(busy, CALLER, TEXT_REQUEST, { idempotencyKey: 'key' });
    assert.deepEqual(again.task, task);
    for (const idempotencyKey of [undefined, 'other'])
      await assert.rejects(createTask(busy, CALLER, TEXT_REQUEST, { idempotencyKey }), overloaded);
  });

  test('refuses the key of a task that is being deleted', async () => {
    const { dependencies, stores } = build();
    const { task } = await createTask(dependencies, CALLER, TEXT_REQUEST, { idempotencyKey: 'key' });
    stores.tasks.advance({ ...task, step: 1, work: { kind: 'delete', dueAt: NOW } });
    await assert.rejects(createTask(dependencies, CALLER, TEXT_REQUEST, { idempotencyKey: 'key' }), {
      code: 'idempotency_key_reused',
      message: /is being deleted; use a new key for a new request\.$/,
    });
  });

  test('fails if its id is taken but not found five times', async () => {
    const { dependencies } = build();
    let tries = 0;
    const create = async () => {
      tries += 1;
      return false;
    };
    const tasks = { ...dependencies.tasks, create };
    await assert.rejects(
      createTask({ ...dependencies, tasks }, CALLER, TEXT_REQUEST, { idempotencyKey: 'key' }),
      /is taken, but not found/,
    );
    assert.equal(tries, 5);
  });

  test('refuses a request that is too large for the upstream before it stores or reserves anything', async () => {
    const accounts = new MemoryAccounts();
    const { dependencies, stores } = build(buildLimiter({ videosAtOnce: 1 }, accountsPort(accounts)));
    const small = { ...dependencies, requestMegabytes: 0.0021 };
    for (const change of [{ prompt: 'a'.repeat(99) }, { negativePrompt: 'a'.repeat(99) }])
      await assert.rejects(createTask(small, CALLER, { ...TEXT_REQUEST, ...change }), {
        code: 'invalid_request',
      });
    assert.deepEqual([stores.media.keys(), accounts.reservations()], [[], []]);
  });
});

describe('a create with a file of the account', () => {
  const KEY = fileKey('account', 'file_1');
  const image = { fileId: 'file_1' };
  const firstFrame = { role: 'first_frame', image } as const;
  const REQUEST: VideoRequest = { ...TEXT_REQUEST, mode: 'first_frame', inputs: [firstFrame] };

  const buildFiles = () => {
    const world = build();
    const create = (request = REQUEST, requestMegabytes = 20) =>
      createTask({ ...world.dependencies, requestMegabytes }, CALLER, request);
    return { ...world, create, put: (bytes: Uint8Array) => world.stores.media.put(KEY, bytes, NOW) };
  };

  test('refers to the file by its key and type, and stores nothing', async () => {
    const { put, create, stores } = buildFiles();
    put(JPEG);
    const { task } = await create();
    assert.deepEqual(task.request.inputs, [
      { role: 'first_frame', key: KEY, mimeType: 'image/jpeg', fileId: 'file_1' },
    ]);
    assert.deepEqual(stores.media.keys(), [KEY]);
  });

  test('stores nothing if it is refused', async () => {
    const { put, create, stores, sent } = buildFiles();
    put(JPEG);
    const inputs = [firstFrame, { role: 'last_frame', image: { fileId: 'file_2' } } as const];
    await assert.rejects(create({ ...REQUEST, seconds: 8, mode: 'first_and_last_frame', inputs }), {
      code: 'invalid_request',
      message: 'file_2: file not found.',
    });
    assert.deepEqual([stores.tasks.all(), sent], [[], []]);
  });

  test('counts a file once for each reference', async () => {
    const { put, create } = buildFiles();
    put(Buffer.concat([PNG, Buffer.alloc(300_000)]));
    const inputs = Array.from({ length: 3 }, () => ({ role: 'reference', image }) as const);
    const references: VideoRequest = { ...REQUEST, seconds: 8, mode: 'references', inputs };
    await assert.rejects(create(references, 1), (error) => {
      assert.ok(error instanceof DomainError);
      assert.match(
        error.message,
        /they are 1 MB together, but a request may have at most 0\.4 MB of images\.$/,
      );
      assert.equal(error.param, 'file_1');
      return true;
    });
    assert.equal((await create(references, 2)).task.request.inputs.length, 3);
  });
});
