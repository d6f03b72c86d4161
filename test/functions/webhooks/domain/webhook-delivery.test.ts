import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  claimTry,
  delivered,
  dueOf,
  givenUp,
  healthAfter,
  isAccepted,
  isGone,
  newDelivery,
  tryFailed,
} from '../../../../functions/webhooks/domain/webhook-delivery.ts';
import type { DeliveryAttempt } from '../../../../functions/webhooks/domain/webhooks.ts';
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

test('a new delivery is due at once, and forgotten after 30 days', () => {
  assert.deepEqual(newDelivery('we_1', { ...event, createdAt: 1_800_000_000_000 }, NOW), {
    id: 'wd_01mcc5rm00r62avqxsrmk3ejt7',
    endpointId: 'we_1',
    event: { ...event, createdAt: 1_800_000_000_000 },
    status: 'pending',
    attempts: 0,
    nextAt: NOW,
    tryingUntil: undefined,
    lastAttempt: undefined,
    createdAt: NOW,
    expiresAt: NOW + 30 * DAY,
  });
});

test('a message names the delivery, its endpoint, its account and the tries so far', () => {
  assert.deepEqual(dueOf({ ...delivery, attempts: 3 }), {
    id: delivery.id,
    endpointId: 'we_1',
    attempts: 3,
    account: 'acme',
  });
});

test('a try is claimed for a minute, and counted', () => {
  assert.deepEqual(claimTry({ ...delivery, attempts: 2 }, NOW), {
    ...delivery,
    attempts: 3,
    nextAt: NOW + 60_000,
    tryingUntil: NOW + 60_000,
  });
});

describe('a delivery that has been tried', () => {
  const claimed = claimTry(delivery, NOW);
  const ended = { nextAt: undefined, tryingUntil: undefined };

  test('ends when it is accepted', () => {
    const last = attempt(200);
    assert.deepEqual(delivered(claimed, last), {
      ...claimed,
      ...ended,
      status: 'delivered',
      lastAttempt: last,
    });
  });

  test('ends as failed when it is given up, with its last attempt', () => {
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
    test(`is tried again ${seconds} s after try ${attempts}, and up to a tenth later`, () => {
      const last = attempt(500);
      for (const [random, factor] of [
        [0, 1],
        [0.5, 1.05],
      ] as const)
        assert.deepEqual(tryFailed({ ...claimed, attempts }, last, NOW, random), {
          ...claimed,
          attempts,
          nextAt: NOW + seconds * 1000 * factor,
          tryingUntil: undefined,
          lastAttempt: last,
        });
    });

  test('is given up after its seventh try', () => {
    const last = attempt(500);
    const next = tryFailed({ ...claimed, attempts: 7 }, last, NOW, 0);
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
  test(`an answer of ${statusCode} is ${accepted ? '' : 'not '}accepted, and ${gone ? '' : 'not '}gone`, () => {
    assert.deepEqual([isAccepted(attempt(statusCode)), isGone(attempt(statusCode))], [accepted, gone]);
  });

describe('the health of an endpoint', () => {
  const QUICK = { respondsQuickly: true };
  const after = (failingSince: number | undefined, statusCode: number, status: 'pending' | 'failed') =>
    healthAfter({ failingSince, disabled: undefined }, attempt(statusCode), { status }, NOW);

  test('is good again after a success', () => {
    assert.deepEqual(after(NOW - 9 * DAY, 204, 'pending'), {
      failingSince: undefined,
      disabled: undefined,
      ...QUICK,
    });
  });

  test('is bad since its first failure', () => {
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

  test('ends with an answer of 410', () => {
    assert.deepEqual(after(undefined, 410, 'pending'), {
      failingSince: NOW - 20,
      disabled: { at: NOW, reason: 'gone' },
      ...QUICK,
    });
  });

  test('ends after three days of failures, once a delivery has had all of its tries', () => {
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

  test('stays disabled whatever a try that was under way comes to', () => {
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
