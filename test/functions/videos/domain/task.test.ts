import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { derivedTaskId } from '../../../../functions/platform/domain/ids.ts';
import {
  inputKey,
  inputPosition,
  isOwnInput,
  readInputKey,
  storageName,
  videoKey,
} from '../../../../functions/videos/domain/media.ts';
import {
  isClaimed,
  isDeleted,
  matches,
  queueReason,
  WORK_KINDS,
} from '../../../../functions/videos/domain/task.ts';
import { aTask, EVERY_TASK } from '../../../support/builders/task.ts';

describe('a claim', () => {
  const CLAIMS: readonly string[] = ['submitting', 'fetching', 'retain'];

  for (const kind of WORK_KINDS)
    test(`${CLAIMS.includes(kind) ? 'is' : 'is not'} '${kind}' work, until it is due`, () => {
      const task = aTask({ work: { kind, dueAt: 500 } });
      assert.deepEqual([isClaimed(task, 499), isClaimed(task, 500)], [CLAIMS.includes(kind), false]);
    });
});

test('only a task with the work to delete it counts as deleted', () => {
  const deleted = WORK_KINDS.filter((kind) => isDeleted(aTask({ work: { kind, dueAt: 1 } })));
  assert.deepEqual([deleted, isDeleted(aTask({ work: undefined }))], [['delete'], false]);
});

describe('the objects of a task', () => {
  const ordinary = aTask();
  const repeatable = aTask({ id: derivedTaskId('account', 'a key'), createdAt: 1000 });

  test('are named after its id, which the name of the video hides', () => {
    assert.equal(storageName(ordinary), 'task_01k0000000aaaaaaaaaaaaaaaa');
    assert.match(videoKey(ordinary), /^videos\/[0-9a-hjkmnp-tv-z]{32}\.mp4$/);
    assert.notEqual(videoKey(ordinary), videoKey(repeatable));
    assert.match(
      inputKey(ordinary, 'first_frame'),
      /^inputs\/[0-9a-z]{10}\/task_01k0000000aaaaaaaaaaaaaaaa\/first_frame$/,
    );
  });

  test('are named after its id and time if the id can be reused', () => {
    assert.equal(storageName(repeatable), `${repeatable.id}.1000`);
  });

  test('name the task for which an input was stored', () => {
    for (const task of [ordinary, repeatable]) {
      const { id, createdAt } = task;
      assert.deepEqual(readInputKey(inputKey(task, 'last_frame')), { id, createdAt });
    }
    for (const key of ['videos/task_1.mp4', 'inputs/', 'inputs/0000000000', 'inputs/0000000000/task_1'])
      assert.equal(readInputKey(key), undefined, key);
  });

  test('sort by the time of creation', () => {
    const keys = [1, 999, 1000, 2 ** 40].map((createdAt) => inputKey({ id: 'task_z', createdAt }, '0'));
    assert.deepEqual(keys.toSorted(), keys);
    assert.ok(keys.slice(0, 2).every((key) => key < inputPosition(1000)));
    assert.ok(keys.slice(2).every((key) => key > inputPosition(1000)));
  });

  test('do not include files of the account', () => {
    const input = { role: 'reference', mimeType: 'image/png' } as const;
    assert.equal(isOwnInput({ ...input, key: 'inputs/task_1/reference' }), true);
    assert.equal(isOwnInput({ ...input, key: 'files/~acme/file_1' }), false);
  });
});

describe('a filter of tasks', () => {
  for (const [filter, isShown] of [
    [{}, true],
    [{ status: 'queued' }, true],
    [{ status: 'failed' }, false],
    [{ model: 'video-3.1-generate-preview' }, true],
    [{ model: 'video-3.1-fast-generate-preview' }, false],
    [{ kept: false }, true],
    [{ kept: true }, false],
    [{ keyId: 'key' }, true],
    [{ keyId: 'other' }, false],
    [{ personId: 'person' }, true],
    [{ personId: 'other' }, false],
    [{ status: 'queued', model: 'video-3.1-generate-preview', keyId: 'key' }, true],
    [{ status: 'queued', model: 'video-3.1-generate-preview', keyId: 'other' }, false],
  ] as const)
    test(`${JSON.stringify(filter)} ${isShown ? 'shows' : 'hides'} a queued one`, () => {
      assert.equal(matches(aTask({ personId: 'person' }), { ...EVERY_TASK, ...filter }), isShown);
    });
});

describe('a task is queued because', () => {
  for (const [reason, change] of [
    ['starting', { step: 0 }],
    ['starting', { work: { kind: 'submitting', dueAt: 1 } }],
    ['account_share', { attempts: 0 }],
    ['upstream_retry', { attempts: 1 }],
    ['upstream_limit', { work: { kind: 'wait', dueAt: 1 }, waitsFor: 'upstream' }],
    ['workers', { work: { kind: 'wait', dueAt: 1 }, waitsFor: 'workers' }],
    [undefined, { status: 'in_progress', work: { kind: 'check', dueAt: 1 } }],
    [undefined, { status: 'failed', work: undefined }],
  ] as const)
    test(`${reason}: ${JSON.stringify(change)}`, () => {
      const task = aTask({ status: 'queued', step: 3, work: { kind: 'submit', dueAt: 1 }, ...change });
      assert.equal(queueReason(task), reason);
    });
});
