import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Attributes, encode } from '../../../functions/platform/aws/attributes.ts';
import { NEVER } from '../../../functions/platform/domain/retention.ts';
import { toItem } from '../../../functions/videos/adapters/task-item.ts';
import type { Task } from '../../../functions/videos/domain/task.ts';
import { COUNTED, RULES, withdrawnName } from '../../../lib/operator/restore-rules.ts';
import { aTask } from '../../support/builders/task.ts';
import { sharedTemplate } from '../stack/synthesized-template.ts';

const NOW = Date.UTC(2026, 10, 17);

const decide = (
  output: string,
  live: Attributes | undefined,
  earlier: Attributes | undefined,
  given: { withdrawn?: string[]; returned?: Set<string>; task?: Attributes } = {},
) => {
  const [, rule = assert.fail(output)] = RULES.find(([name]) => name === output) ?? [];
  const { withdrawn = [], returned = new Set(), task } = given;
  const situation = { withdrawn: new Set(withdrawn), returned, now: NOW, findTask: async () => task };
  return rule({ key: {}, live, earlier }, situation);
};

test('every table has a rule, is counted anew, or is not restored', async () => {
  const outputs = Object.keys((await sharedTemplate()).Outputs).filter((name) => name.endsWith('TableName'));
  const derived = ['ReservationTableName', ...COUNTED];
  const known = [...RULES.map(([output]) => output), ...derived, 'SessionTableName'];
  assert.deepEqual(outputs.toSorted(), known.toSorted());
});

const queued = aTask({ id: 'task_1', step: 1 });
const upstream = { name: 'sample', definition: undefined, hasPlace: false };
const SUBMITTED = { status: 'in_progress', step: 3, upstream, submittedAt: NOW, operation: 'op' } as const;

describe('a task that was queued at the moment', () => {
  const LATER: readonly (readonly [fact: string, later: Partial<Task>, isKept: boolean])[] = [
    ['keeps its later state if it was submitted since', SUBMITTED, true],
    ['keeps its later state if it has completed since', { ...SUBMITTED, status: 'completed' }, true],
    [
      'keeps its later state if a submit is on its way',
      { step: 2, upstream, work: { kind: 'submitting', dueAt: NOW } },
      true,
    ],
    [
      'stays cancelled',
      { step: 2, status: 'failed', error: { code: 'cancelled', message: 'Cancelled.' } },
      true,
    ],
    [
      'is queued again if it failed before its submit',
      { step: 2, status: 'failed', error: { code: 'internal', message: 'No.' } },
      false,
    ],
    [
      'is queued again if its later state belongs to another request',
      { ...SUBMITTED, fingerprint: 'x' },
      false,
    ],
  ];
  for (const [fact, later, isKept] of LATER)
    test(fact, async () => {
      const [live, earlier] = [toItem({ ...queued, ...later }), toItem(queued)];
      const returned = new Set<string>();
      assert.equal(await decide('TaskTableName', live, earlier, { returned }), isKept ? live : earlier);
      assert.deepEqual([...returned], isKept ? [] : [queued.id]);
    });

  test('is queued again if its later state cannot be read', async () => {
    const { task: _, ...rest } = toItem({ ...queued, ...SUBMITTED });
    const earlier = toItem(queued);
    assert.equal(await decide('TaskTableName', { ...rest, task: { S: 'damaged' } }, earlier), earlier);
  });
});

test('a task that had ended at the moment gets that end', async () => {
  const earlier = toItem({ ...queued, ...SUBMITTED, status: 'completed' });
  const live = toItem({ ...queued, ...SUBMITTED, status: 'failed', step: 9 });
  assert.equal(await decide('TaskTableName', live, earlier), earlier);
});

describe('an item that was kept or released since', () => {
  const ended = { ...queued, ...SUBMITTED, status: 'completed', work: undefined } as const;
  const limited = { ...ended, file: { key: 'v', bytes: 5 }, expiresAt: NOW + 5, inputsExpireAt: NOW + 5 };
  const kept = { ...limited, expiresAt: NEVER, step: 9 };

  for (const [name, earlier, live] of [
    ['kept', limited, kept],
    ['released', kept, { ...limited, step: 11 }],
  ] as const)
    test(`gets the retention of the moment, as a video that was ${name}`, async () => {
      const wanted = toItem({
        ...earlier,
        step: earlier.step + 1,
        work: { kind: 'retain', dueAt: queued.createdAt },
      });
      assert.deepEqual(await decide('TaskTableName', toItem(live), toItem(earlier)), wanted);
      assert.deepEqual(await decide('TaskTableName', wanted, toItem(earlier)), wanted, 'once');
      const renamed = toItem({ ...earlier, name: 'x', step: 20 });
      assert.deepEqual(await decide('TaskTableName', renamed, toItem(earlier)), toItem(earlier));
      assert.deepEqual(await decide('TaskTableName', undefined, toItem(earlier)), toItem(earlier));
    });

  test('gets the retention of the moment, as an image', async () => {
    const image = { account: 'a', id: 'file-1', createdAt: 3, due_shard: '1' };
    const earlier = encode({ ...image, expiresAt: NEVER, due_at: NEVER });
    const live = encode({ ...image, expiresAt: NOW, due_at: NOW });
    const wanted = { ...earlier, unsettled: { BOOL: true }, due_at: { N: '3' } };
    assert.deepEqual(await decide('FileTableName', live, earlier), wanted);
    assert.deepEqual(await decide('FileTableName', wanted, earlier), wanted, 'once');
    assert.deepEqual(await decide('FileTableName', { ...earlier, title: { S: 'x' } }, earlier), earlier);
  });
});

test('a task that its owner deleted stays deleted; a deletion without an audit entry is undone', async () => {
  const earlier = toItem(queued);
  const withdrawn = [withdrawnName(queued.account, queued.id)];
  assert.equal(await decide('TaskTableName', undefined, earlier, { withdrawn }), undefined);
  assert.equal(await decide('TaskTableName', undefined, earlier), earlier);
});

test('records of the queue stay as they are', async () => {
  const live = encode({ id: 'ages#1' });
  assert.equal(await decide('TaskTableName', live, undefined), live);
});

describe('a charge', () => {
  const charge = encode({ id: 'c', taskId: queued.id });

  test('that was lost or changed comes back', async () => {
    assert.equal(await decide('ChargeTableName', undefined, charge), charge);
    assert.equal(await decide('ChargeTableName', encode({ id: 'c', taskId: 'x' }), charge), charge);
  });

  test('that was recorded since stays for an image, a task that has ended, or none', async () => {
    const image = encode({ id: 'img' });
    const task = toItem({ ...queued, ...SUBMITTED, status: 'completed' });
    assert.equal(await decide('ChargeTableName', image, undefined), image);
    assert.equal(await decide('ChargeTableName', charge, undefined, { task }), charge);
    assert.equal(await decide('ChargeTableName', charge, undefined), charge);
  });

  test('that was recorded since is removed if its task will be charged again', async () => {
    const returned = new Set([queued.id]);
    assert.equal(await decide('ChargeTableName', charge, undefined, { returned }), undefined);
    assert.equal(await decide('ChargeTableName', charge, undefined, { task: toItem(queued) }), undefined);
  });
});

test('a revoked key stays revoked in its own account; other changes are undone', async () => {
  const [earlier, live] = [
    encode({ account: 'a', id: 'key_1' }),
    encode({ account: 'a', id: 'key_1', revokedAt: 1 }),
  ];
  assert.equal(
    await decide('KeyTableName', live, earlier, { withdrawn: [withdrawnName('a', 'key_1')] }),
    live,
  );
  assert.equal(
    await decide('KeyTableName', live, earlier, { withdrawn: [withdrawnName('b', 'key_1')] }),
    earlier,
  );
});

test('a deleted file whose item is gone comes back as expired', async () => {
  const earlier = encode({
    account: 'a',
    id: 'file-1',
    expiresAt: NOW + 1000,
    due_shard: '1',
    due_at: NOW + 1000,
  });
  const withdrawn = [withdrawnName('a', 'file-1')];
  assert.deepEqual(
    await decide('FileTableName', undefined, earlier, { withdrawn }),
    encode({ account: 'a', id: 'file-1', expiresAt: NOW - 1, due_shard: '1', due_at: NOW - 1 }),
  );
});

test('entries of the audit log are never changed or removed', async () => {
  const [entry, other] = [encode({ id: 'e', type: 'x' }), encode({ id: 'e', type: 'y' })];
  assert.equal(await decide('AuditTableName', entry, undefined), entry);
  assert.equal(await decide('AuditTableName', entry, other), entry);
  assert.equal(await decide('AuditTableName', undefined, other), other);
});
