import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Attributes } from '../../../../functions/platform/aws/attributes.ts';
import { derivedTaskId, newTaskId } from '../../../../functions/platform/domain/ids.ts';
import { DUE_INDEX, fromItem, toItem } from '../../../../functions/videos/adapters/task-item.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { CONSUMER_RANGE } from '../../../../lib/concurrency.ts';
import { aTask } from '../../../support/builders/task.ts';

const DAY = 24 * 60 * 60;

const TIMES = { submittedAt: 2000, generatedAt: 3000, completedAt: 6000, failedAt: 6500, refusedSince: 4000 };
const TEXTS = { personId: 'user_1', name: 'Boat', lostPlace: 'hub', waitsFor: 'workers' } as const;

/** A task with every property. */
const FULL = aTask({
  ...TIMES,
  ...TEXTS,
  form: 'openrouter',
  callbackUrl: 'https://hooks.example.com/fox',
  status: 'completed',
  request: {
    model: 'video-3.1-fast-generate-preview',
    prompt: 'a “quiet” harbour 🚢',
    seconds: 8,
    resolution: '4k',
    aspectRatio: '9:16',
    negativePrompt: '',
    seed: 0,
    mode: 'references',
    inputs: [{ role: 'reference', key: 'inputs/1/0', mimeType: 'image/webp', fileId: 'file_1' }],
  },
  reservation: {
    id: 'r1',
    month: '2026-11',
    countsForKey: false,
    charge: { seconds: 8, unitPrice: '0.40', amount: '3.20', currency: 'USD' },
  },
  work: { kind: 'settle', dueAt: 7000 },
  ticket: 12,
  upstream: {
    name: 'studio',
    definition: '{"name":"studio"}',
    substitute: 'another-model',
    hasPlace: true,
    isIdempotent: true,
  },
  operation: 'models/m/operations/1',
  source: { kind: 'address', uri: 'https://files.test/1' },
  upstreamCost: { amount: '2.4', currency: 'USD' },
  file: { key: 'videos/1.mp4', bytes: 1234, width: 2160, height: 3840, seconds: 7.96 },
  expiresAt: 9000,
  inputsExpireAt: 8000,
  charge: { seconds: 8, unitPrice: '0.40', amount: '3.20', currency: null },
  error: { code: 'internal', message: 'broken' },
});

describe('the item of a task', () => {
  const TASKS: Readonly<Record<string, Task>> = {
    'is new': aTask(),
    'has every property': FULL,
    'has nothing left to do': aTask({ work: undefined }),
    'was sent to the only upstream': aTask({
      upstream: {
        name: 'default',
        definition: undefined,
        substitute: undefined,
        hasPlace: false,
        isIdempotent: undefined,
      },
    }),
    'has its video inside an answer': aTask({ source: { kind: 'inline' } }),
  };
  for (const [title, task] of Object.entries(TASKS))
    test(`is read back as the task when it ${title}`, () => assert.deepEqual(fromItem(toItem(task)), task));

  test('has every property of a task', () => assert.ok(!Object.values(FULL).includes(undefined)));

  test('outlives its file', () => {
    const tenYears = 3650 * DAY * 1000;
    const expiry = (task: Task) => Number(toItem(task).expires?.N);
    assert.equal(expiry(aTask({ createdAt: 0, expiresAt: tenYears })), (3650 + 90) * DAY);
    assert.equal(expiry(aTask({ createdAt: 0 })), 90 * DAY);
  });

  test('of a task that waits in line has a part of the due index, in the order of the tickets', () => {
    const { due_shard, due_at, deadline } = toItem(
      aTask({ ticket: 12, work: { kind: 'wait', dueAt: 9000 } }),
    );
    assert.deepEqual(
      [due_shard, due_at, deadline],
      [{ S: 'line/video-3.1-generate-preview' }, { N: '12' }, { N: '9000' }],
    );
  });

  test('is in the due index only while there is work', () => {
    assert.equal('due_at' in toItem(aTask()), true);
    const done = toItem(aTask({ work: undefined }));
    assert.equal('due_at' in done || 'due_shard' in done, false);
  });
});

describe('a corrupt item is refused', () => {
  const { task } = toItem(FULL);
  const whole = task?.M ?? {};
  const request = whole.request?.M ?? {};
  const changed = (change: Attributes): Attributes => ({ task: { M: { ...whole, ...change } } });
  const CORRUPT: readonly (readonly [fault: string, item: Attributes])[] = [
    ['no task', {}],
    ['a task that is text', { task: { S: '{}' } }],
    ['an unknown status', changed({ status: { S: 'lost' } })],
    ['a duration that is not offered', changed({ request: { M: { ...request, seconds: { N: '5.5' } } } })],
    ['an input that is no map', changed({ request: { M: { ...request, inputs: { L: [{ S: '' }] } } } })],
    ['an optional property of a wrong type', changed({ operation: { N: '1' } })],
    ['a price that is a number', changed({ charge: { M: { seconds: { N: '8' }, unitPrice: { N: '1' } } } })],
    ['a source without its address', changed({ source: { M: { kind: { S: 'address' } } } })],
  ];
  for (const [fault, item] of CORRUPT)
    test(`with ${fault}`, () =>
      assert.throws(() => fromItem(item), /^Error: the stored item is corrupt: \w+$/));

  const { task: least } = toItem(aTask({ work: undefined }));
  for (const name of Object.keys(least?.M ?? {}))
    test(`without ${name}`, () => {
      const { [name]: _, ...rest } = whole;
      assert.throws(() => fromItem({ task: { M: rest } }), new RegExp(`corrupt: ${name}$`));
    });
});

describe('the shards of the due index', () => {
  /** A submit that is refused immediately takes about 90 ms and four write units of the index. */
  const UNITS_OF_A_WORKER = 45;
  const UNITS_OF_A_KEY = 1000;

  test('support as many workers as Lambda allows', () => {
    const unitsOfAShard = (CONSUMER_RANGE.most / DUE_INDEX.shards.length) * UNITS_OF_A_WORKER;
    assert.ok(unitsOfAShard < UNITS_OF_A_KEY * 0.75, `${unitsOfAShard} write units a second`);
  });

  const IDS = {
    'that carry their time': () => newTaskId(1000),
    'that idempotency keys give': (number: number) => derivedTaskId('account', `key ${number}`),
  };
  for (const [title, newId] of Object.entries(IDS))
    test(`hold about the same number of tasks with ids ${title}`, () => {
      const shards = Array.from({ length: 6400 }, (_, number) => DUE_INDEX.shardFor(newId(number)));
      const counts = DUE_INDEX.shards.map((shard) => shards.filter((one) => one === shard).length);
      const total = counts.reduce((sum, count) => sum + count, 0);
      assert.equal(total, 6400);
      assert.ok(Math.min(...counts) > 55 && Math.max(...counts) < 150, counts.join(' '));
    });
});
