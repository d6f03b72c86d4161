import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../../../functions/platform/aws/dynamo.ts';
import { derivedTaskId, newTaskId } from '../../../../functions/platform/domain/ids.ts';
import {
  DUE_INDEX,
  dynamoTasks,
  fromItem,
  toItem,
} from '../../../../functions/videos/adapters/dynamo-tasks.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { CONSUMER_RANGE } from '../../../../lib/concurrency.ts';
import { aTask } from '../../../support/builders/task.ts';
import { broken, ok, type Reply, refused, startFakeDynamo } from '../../platform/aws/fake-dynamo.ts';
import { answeringTable } from './answering-table.ts';

const NOTHING = { PutItem: [], GetItem: [], Query: [] };

for (const write of ['create', 'advance'] as const) {
  test(`${write} wins if its response was lost and the SDK's retry was refused`, async () => {
    let written: unknown;
    const appliedUnanswered: Reply = (input) => {
      written = input.Item;
      return broken(input);
    };
    const itself: Reply = () => ({ status: 200, body: { Item: written } });
    await using dynamo = await startFakeDynamo({
      ...NOTHING,
      PutItem: [appliedUnanswered, refused],
      GetItem: [itself],
    });
    assert.equal(await dynamoTasks(dynamo.client, 'tasks')[write](aTask()), true);
    assert.deepEqual(dynamo.calls, ['PutItem', 'PutItem', 'GetItem']);
  });

  test(`${write} loses to another write of the same step`, async () => {
    let written: unknown;
    const remember: Reply = (input) => {
      written = input.Item;
      return { status: 200, body: {} };
    };
    const another: Reply = () => ({ status: 200, body: { Item: written } });
    await using dynamo = await startFakeDynamo({
      ...NOTHING,
      PutItem: [remember, refused],
      GetItem: [another],
    });
    const tasks = dynamoTasks(dynamo.client, 'tasks');
    assert.equal(await tasks[write](aTask()), true);
    assert.equal(await tasks[write](aTask()), false);
  });

  test(`${write} reads nothing if it wins immediately`, async () => {
    await using dynamo = await startFakeDynamo({ ...NOTHING, PutItem: [ok({})] });
    assert.equal(await dynamoTasks(dynamo.client, 'tasks')[write](aTask()), true);
    assert.deepEqual(dynamo.calls, ['PutItem']);
  });
}

test('reads are consistent', async () => {
  const reads: unknown[] = [];
  const noted: Reply = ({ ConsistentRead }) => {
    reads.push(ConsistentRead);
    return { status: 200, body: {} };
  };
  await using dynamo = await startFakeDynamo({ ...NOTHING, GetItem: [noted, noted] });
  const tasks = dynamoTasks(dynamo.client, 'tasks');
  assert.deepEqual([await tasks.find('task_1'), await tasks.position('task_1')], [undefined, undefined]);
  assert.deepEqual(reads, [true, true]);
});

describe('the write of a task', () => {
  const task = aTask();
  const refused = new ConditionalCheckFailedException({ $metadata: {}, message: 'no' });
  const AT_STEP = { ConditionExpression: '#step = :step', ExpressionAttributeNames: { '#step': 'step' } };

  test('creates it once', async (context) => {
    const { tasks, calls } = answeringTable(context);
    assert.equal(await tasks.create(task), true);
    const [[command, { Item, ...input }] = assert.fail()] = calls;
    const { write_id, ...item } = Object(Item);
    assert.deepEqual(
      [command, input, item],
      [
        'PutItemCommand',
        {
          TableName: 'tasks',
          ConditionExpression: 'attribute_not_exists(id) OR attribute_exists(removed_task)',
        },
        toItem(task),
      ],
    );
    assert.match(write_id.S, /^[0-9a-f-]{36}$/);
  });

  test('requires the previous step', async (context) => {
    const { tasks, calls } = answeringTable(context);
    assert.equal(await tasks.advance(task), true);
    const [[, { Item: _, ...input }] = assert.fail()] = calls;
    assert.deepEqual(input, {
      TableName: 'tasks',
      ...AT_STEP,
      ExpressionAttributeValues: { ':step': { N: '2' } },
    });
  });

  test('removes it at its step', async (context) => {
    const { tasks, calls } = answeringTable(context, {}, refused);
    assert.deepEqual([await tasks.remove(task), await tasks.remove(task)], [true, false]);
    const condition = { TableName: 'tasks', ...AT_STEP, ExpressionAttributeValues: { ':step': { N: '3' } } };
    assert.deepEqual(calls[0], ['DeleteItemCommand', { ...condition, Key: { id: { S: task.id } } }]);
  });

  test('leaves a marker if its id does not contain its time', async (context) => {
    const repeatable = { ...task, id: derivedTaskId('account', 'a key') };
    const { tasks, calls } = answeringTable(context);
    await tasks.remove(repeatable);
    const [[command, { Item }] = assert.fail()] = calls;
    const { removed_task, expires } = Object(Item);
    assert.deepEqual(
      [command, removed_task],
      ['PutItemCommand', { M: { account: { S: 'account' }, createdAt: { N: '1000' } } }],
    );
    assert.ok(Math.abs(Number(expires.N) - Date.now() / 1000 - 86_400) < 60, expires.N);
  });
});

describe('the lookup of a task', () => {
  const marker = {
    id: { S: 'task_1' },
    removed_task: { M: { account: { S: 'acme' }, createdAt: { N: '7' } } },
  };

  test('finds it, but not the marker of a removed task', async (context) => {
    const { tasks } = answeringTable(context, { Item: toItem(aTask()) }, { Item: marker }, {});
    assert.deepEqual(
      [await tasks.find('task_1'), await tasks.find('task_1'), await tasks.find('task_1')],
      [aTask(), undefined, undefined],
    );
  });

  test('returns its place in the list, also after its removal', async (context) => {
    const { tasks } = answeringTable(context, { Item: toItem(aTask()) }, { Item: marker }, {});
    const places = [
      await tasks.position('task_1'),
      await tasks.position('task_1'),
      await tasks.position('task_1'),
    ];
    assert.deepEqual(
      places.map((place) => place && [place.account, place.createdAt]),
      [['account', 1000], ['acme', 7], undefined],
    );
  });
});

const DAY = 24 * 60 * 60;

/** A task with every property. */
const FULL = aTask({
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
    inputs: [{ role: 'reference', key: 'inputs/1/0', mimeType: 'image/webp' }],
  },
  reservation: {
    id: 'r1',
    month: '2026-11',
    countsForKey: false,
    charge: { seconds: 8, unitPrice: '0.40', amount: '3.20', currency: 'USD' },
  },
  work: { kind: 'settle', dueAt: 7000 },
  ticket: 12,
  upstream: { name: 'studio', definition: '{"name":"studio"}', hasPlace: true },
  operation: 'models/m/operations/1',
  submittedAt: 2000,
  source: { kind: 'address', uri: 'https://files.test/1' },
  file: { key: 'videos/1.mp4', bytes: 1234 },
  completedAt: 6000,
  failedAt: 6500,
  expiresAt: 9000,
  charge: { seconds: 8, unitPrice: '0.40', amount: '3.20', currency: null },
  error: { code: 'internal', message: 'broken' },
});

describe('the item of a task', () => {
  const TASKS: Readonly<Record<string, Task>> = {
    'is new': aTask(),
    'has every property': FULL,
    'has nothing left to do': aTask({ work: undefined }),
    'was sent to the only upstream': aTask({
      upstream: { name: 'default', definition: undefined, hasPlace: false },
    }),
    'has its video inside an answer': aTask({ source: { kind: 'inline' } }),
  };
  for (const [title, task] of Object.entries(TASKS))
    test(`is read back as the task when it ${title}`, () => assert.deepEqual(fromItem(toItem(task)), task));

  test('has the layout of items that are already stored', () => {
    const { task, ...keys } = toItem(aTask({ charge: { ...NO_PRICE, seconds: 6 } }));
    assert.deepEqual(keys, {
      id: { S: 'task_01k0000000aaaaaaaaaaaaaaaa' },
      step: { N: '3' },
      account: { S: 'account' },
      position: { S: '000000000001000#task_01k0000000aaaaaaaaaaaaaaaa' },
      due_shard: { S: 'due-0' },
      due_at: { N: '1000' },
      expires: { N: '7776001' },
    });
    assert.deepEqual(task?.M, {
      id: { S: 'task_01k0000000aaaaaaaaaaaaaaaa' },
      account: { S: 'account' },
      keyId: { S: 'key' },
      createdAt: { N: '1000' },
      fingerprint: { S: 'fingerprint' },
      request: { M: REQUEST },
      status: { S: 'queued' },
      step: { N: '3' },
      work: { M: { kind: { S: 'submit' }, dueAt: { N: '1000' } } },
      attempts: { N: '2' },
      openSubmits: { N: '1' },
      charge: {
        M: {
          seconds: { N: '6' },
          unitPrice: { NULL: true },
          amount: { NULL: true },
          currency: { NULL: true },
        },
      },
    });
  });

  test('outlives its file', () => {
    const tenYears = 3650 * DAY * 1000;
    const expiry = (task: Task) => Number(toItem(task).expires?.N);
    assert.equal(expiry(aTask({ createdAt: 0, expiresAt: tenYears })), (3650 + 90) * DAY);
    assert.equal(expiry(aTask({ createdAt: 0 })), 90 * DAY);
  });

  test('is in the due index only while there is work', () => {
    assert.equal('due_at' in toItem(aTask()), true);
    const done = toItem(aTask({ work: undefined }));
    assert.equal('due_at' in done || 'due_shard' in done, false);
  });
});

const NO_PRICE = { unitPrice: null, amount: null, currency: null };

const REQUEST: Attributes = {
  model: { S: 'video-3.1-generate-preview' },
  prompt: { S: 'a lighthouse' },
  seconds: { N: '6' },
  resolution: { S: '720p' },
  aspectRatio: { S: '16:9' },
  seed: { N: '0' },
  mode: { S: 'text' },
  inputs: { L: [] },
};

const OPTIONAL = new Set([
  'reservation',
  'work',
  'ticket',
  'upstream',
  'operation',
  'submittedAt',
  'source',
  'file',
  'completedAt',
  'failedAt',
  'expiresAt',
  'charge',
  'error',
]);

describe('a corrupt item is refused', () => {
  const { task } = toItem(FULL);
  const whole = task?.M ?? {};
  const CORRUPT: readonly (readonly [fault: string, item: Attributes])[] = [
    ['no task', {}],
    ['a task that is text', { task: { S: '{}' } }],
    ['an unknown status', { task: { M: { ...whole, status: { S: 'lost' } } } }],
    [
      'a duration that is not offered',
      { task: { M: { ...whole, request: { M: { ...REQUEST, seconds: { N: '5' } } } } } },
    ],
    ['a number that is text', { task: { M: { ...whole, step: { S: '3' } } } }],
    ['a number that is none', { task: { M: { ...whole, step: { N: 'three' } } } }],
    [
      'an input that is no map',
      { task: { M: { ...whole, request: { M: { ...REQUEST, inputs: { L: [{ S: '' }] } } } } } },
    ],
    ['an optional property of a wrong type', { task: { M: { ...whole, operation: { N: '1' } } } }],
    [
      'a price that is a number',
      { task: { M: { ...whole, charge: { M: { seconds: { N: '8' }, unitPrice: { N: '1' } } } } } },
    ],
    [
      'a source without its address',
      { task: { M: { ...whole, source: { M: { kind: { S: 'address' } } } } } },
    ],
  ];
  for (const [fault, item] of CORRUPT)
    test(`with ${fault}`, () =>
      assert.throws(() => fromItem(item), /^Error: the stored item is corrupt: \w+$/));

  for (const name of Object.keys(whole).filter((name) => !OPTIONAL.has(name)))
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
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        6400,
      );
      assert.ok(Math.min(...counts) > 55 && Math.max(...counts) < 150, counts.join(' '));
    });
});
