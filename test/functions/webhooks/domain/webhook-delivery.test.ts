import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { toWebhookEvent } from '../../../../functions/videos/domain/video-event.ts';
import {
  attemptFailed,
  claimAttempt,
  delivered,
  givenUp,
  healthAfter,
  isAccepted,
  isGone,
  newDelivery,
  toDueDelivery,
} from '../../../../functions/webhooks/domain/webhook-delivery.ts';
import type { DeliveryAttempt } from '../../../../functions/webhooks/domain/webhooks.ts';
import { aTask } from '../../../support/builders/task.ts';
import { aWebhookDelivery, aWebhookEvent } from '../../../support/builders/webhook.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const event = aWebhookEvent({ createdAt: NOW - 500 });
const delivery = aWebhookDelivery('we_1', event);
const attempt = (statusCode: number | undefined): DeliveryAttempt => ({
  at: NOW - 20,
  durationMs: 20,
  statusCode,
  answer: undefined,
  error: undefined,
});

test('a new delivery is due at once, and expires after 30 days', () => {
  assert.deepEqual(newDelivery('we_1', { ...event, createdAt: 1_800_000_000_000 }, NOW), {
    id: 'wd_01mcc5rm00r62avqxsrmk3ejt7',
    endpointId: 'we_1',
    event: { ...event, createdAt: 1_800_000_000_000 },
    status: 'pending',
    attempts: 0,
    nextAt: NOW,
    attemptUntil: undefined,
    lastAttempt: undefined,
    createdAt: NOW,
    expiresAt: NOW + 30 * DAY,
  });
});

test('a message has the delivery, its endpoint, its account and the attempts so far', () => {
  assert.deepEqual(toDueDelivery({ ...delivery, attempts: 3 }), {
    id: delivery.id,
    endpointId: 'we_1',
    attempts: 3,
    account: 'acme',
  });
});

test('a claim lasts a minute and counts the attempt', () => {
  assert.deepEqual(claimAttempt({ ...delivery, attempts: 2 }, NOW), {
    ...delivery,
    attempts: 3,
    nextAt: NOW + 60_000,
    attemptUntil: NOW + 60_000,
  });
});

describe('a delivery that has been tried', () => {
  const claimed = claimAttempt(delivery, NOW);
  const ended = { nextAt: undefined, attemptUntil: undefined };

  test('is delivered when the endpoint accepts it', () => {
    const last = attempt(200);
    assert.deepEqual(delivered(claimed, last), {
      ...claimed,
      ...ended,
      status: 'delivered',
      lastAttempt: last,
    });
  });

  test('fails when it is given up, and keeps its last attempt', () => {
    const last = attempt(500);
    assert.deepEqual(givenUp(claimed, last), { ...claimed, ...ended, status: 'failed', lastAttempt: last });
    assert.deepEqual(givenUp({ ...claimed, lastAttempt: last }).lastAttempt, last);
  });

  for (const [attempts, seconds] of [
    [1, 5],
    [2, 300],
    [3, 1800],
    [4, 7200],
    [5, 18_000],
    [6, 36_000],
  ] as const)
    test(`is retried ${seconds} s after attempt ${attempts}, or up to a tenth later`, () => {
      const last = attempt(500);
      for (const [random, factor] of [
        [0, 1],
        [0.5, 1.05],
      ] as const)
        assert.deepEqual(attemptFailed({ ...claimed, attempts }, last, NOW, random), {
          ...claimed,
          attempts,
          nextAt: NOW + seconds * 1000 * factor,
          attemptUntil: undefined,
          lastAttempt: last,
        });
    });

  test('is given up after its seventh attempt', () => {
    const last = attempt(500);
    const next = attemptFailed({ ...claimed, attempts: 7 }, last, NOW, 0);
    assert.deepEqual([next.status, next.nextAt, next.lastAttempt], ['failed', undefined, last]);
  });
});

for (const [statusCode, accepted, gone] of [
  [199, false, false],
  [200, true, false],
  [299, true, false],
  [300, false, false],
  [409, false, false],
  [410, false, true],
  [411, false, false],
  [undefined, false, false],
] as const)
  test(`an answer of ${statusCode} means ${accepted ? '' : 'not '}accepted and ${gone ? '' : 'not '}gone`, () => {
    assert.deepEqual([isAccepted(attempt(statusCode)), isGone(attempt(statusCode))], [accepted, gone]);
  });

describe('the health of an endpoint', () => {
  const QUICK = { respondsQuickly: true };
  const after = (failingSince: number | undefined, statusCode: number, status: 'pending' | 'failed') =>
    healthAfter({ failingSince, disabled: undefined }, attempt(statusCode), { status }, NOW);

  test('is reset by a success', () => {
    assert.deepEqual(after(NOW - 9 * DAY, 204, 'pending'), {
      failingSince: undefined,
      disabled: undefined,
      ...QUICK,
    });
  });

  test('is failing since its first failure', () => {
    assert.deepEqual(after(undefined, 500, 'pending'), {
      failingSince: NOW - 20,
      disabled: undefined,
      ...QUICK,
    });
    assert.deepEqual(after(NOW - 5, 500, 'pending'), {
      failingSince: NOW - 5,
      disabled: undefined,
      ...QUICK,
    });
  });

  test('is disabled by an answer of 410', () => {
    assert.deepEqual(after(undefined, 410, 'pending'), {
      failingSince: NOW - 20,
      disabled: { at: NOW, reason: 'gone' },
      ...QUICK,
    });
  });

  test('is disabled after three days of failures, once a delivery has used up its attempts', () => {
    const since = NOW - 3 * DAY;
    assert.deepEqual(after(since, 500, 'failed'), {
      failingSince: since,
      disabled: { at: NOW, reason: 'failing' },
      ...QUICK,
    });
    assert.deepEqual(after(since + 1, 500, 'failed'), {
      failingSince: since + 1,
      disabled: undefined,
      ...QUICK,
    });
    assert.deepEqual(after(since, 500, 'pending'), { failingSince: since, disabled: undefined, ...QUICK });
  });

  test('stays disabled after an attempt that was under way', () => {
    const disabled = { at: 5, reason: 'gone' } as const;
    const states = [200, 500].map((statusCode) =>
      healthAfter({ failingSince: 4, disabled }, attempt(statusCode), { status: 'pending' }, NOW),
    );
    assert.deepEqual(states, [
      { failingSince: undefined, disabled, ...QUICK },
      { failingSince: 4, disabled, ...QUICK },
    ]);
  });
});

const ID = /^evt_[0-9a-f]{32}$/;
const COMPLETED = aTask({ status: 'completed', completedAt: 7000 });

describe('toWebhookEvent', () => {
  for (const [name, change, type, createdAt] of [
    ['a completed task', { status: 'completed', completedAt: 7000 }, 'video.completed', 7000],
    ['a failed task', { status: 'failed', failedAt: 8000 }, 'video.failed', 8000],
    ['a task that failed in an earlier version', { status: 'failed' }, 'video.failed', 1000],
  ] as const satisfies readonly (readonly [string, Partial<Task>, string, number])[])
    test(`returns the type and the time of ${name}`, () => {
      const task = aTask(change);
      const { id, ...rest } = toWebhookEvent(task);
      assert.match(id, ID);
      assert.deepEqual(rest, { type, createdAt, account: task.account, taskId: task.id });
    });

  test('returns the same id each time', () => {
    assert.equal(toWebhookEvent({ ...COMPLETED, completedAt: 9000 }).id, toWebhookEvent(COMPLETED).id);
  });

  for (const [name, other] of [
    ['another task', { ...COMPLETED, id: 'task_01k0000000bbbbbbbbbbbbbbbb' }],
    ['a later task with the same id', { ...COMPLETED, createdAt: 2000 }],
  ] as const)
    test(`returns another id for ${name}`, () => {
      assert.notEqual(toWebhookEvent(other).id, toWebhookEvent(COMPLETED).id);
    });
});
