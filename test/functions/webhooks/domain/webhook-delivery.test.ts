import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { toWebhookEvent } from '../../../../functions/videos/domain/video-event.ts';
import {
  attemptFailed,
  claimAttempt,
  healthAfter,
  isAccepted,
  isGone,
  newDelivery,
  slotDelay,
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
    createdAt: NOW,
    expiresAt: NOW + 30 * DAY,
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

  for (const [attempts, seconds] of [5, 300, 1800, 7200, 18_000, 36_000].entries())
    test(`is retried ${seconds} s after attempt ${attempts + 1}, or up to a tenth later`, () => {
      const tried = { ...claimed, attempts: attempts + 1 };
      const [soon, late] = [0, 0.5].map((random) => attemptFailed(tried, attempt(500), NOW, random));
      const nextAt = NOW + seconds * 1000;
      assert.deepEqual(soon, { ...tried, nextAt, attemptUntil: undefined, lastAttempt: attempt(500) });
      assert.equal(late?.nextAt, NOW + seconds * 1050);
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

test('a delivery without a slot waits as long again as it has waited, between a second and five minutes', () => {
  const delays = [0, 60_000, 3_600_000].map((waited) => slotDelay(waited, 0));
  assert.deepEqual([...delays, slotDelay(60_000, 1)], [1000, 60_000, 300_000, 75_000]);
});

describe('the health of an endpoint', () => {
  const SINCE = NOW - 3 * DAY;
  const GONE = { at: 5, reason: 'gone' } as const;
  const FAILING = { at: NOW, reason: 'failing' };
  for (const [title, before, statusCode, status, after] of [
    ['is reset by a success', [NOW - 9 * DAY], 204, 'pending', []],
    ['is failing since its first failure', [], 500, 'pending', [NOW - 20]],
    ['is still failing after another failure', [NOW - 5], 500, 'pending', [NOW - 5]],
    ['is disabled by an answer of 410', [], 410, 'pending', [NOW - 20, { ...GONE, at: NOW }]],
    ['is disabled if a delivery fails after three days', [SINCE], 500, 'failed', [SINCE, FAILING]],
    ['is not disabled before', [SINCE + 1], 500, 'failed', [SINCE + 1]],
    ['is not disabled while a delivery has attempts left', [SINCE], 500, 'pending', [SINCE]],
    ['stays disabled after a success that was under way', [4, GONE], 200, 'pending', [undefined, GONE]],
    ['stays disabled after a failure that was under way', [4, GONE], 500, 'pending', [4, GONE]],
  ] as const)
    test(title, () => {
      const [failingSince, disabled] = before;
      const [since, reason] = after;
      assert.deepEqual(healthAfter({ failingSince, disabled }, attempt(statusCode), { status }, NOW), {
        failingSince: since,
        disabled: reason,
        respondsQuickly: true,
      });
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
      const { account, callbackUrl, id: taskId } = task;
      assert.deepEqual(rest, { type, createdAt, account, taskId, callbackUrl });
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
