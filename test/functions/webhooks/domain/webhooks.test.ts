import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as webhooks from '../../../../functions/webhooks/domain/webhooks.ts';

test('an account has at most ten webhook endpoints; events have three types, deliveries three states', () => {
  assert.equal(webhooks.MAX_ENDPOINTS, 10);
  assert.deepEqual(webhooks.WEBHOOK_EVENT_TYPES, [
    'video.completed',
    'video.failed',
    'budget.threshold_reached',
  ]);
  assert.deepEqual(webhooks.DELIVERY_STATUSES, ['pending', 'delivered', 'failed']);
  assert.deepEqual(webhooks.DISABLED_REASONS, ['gone', 'failing']);
});
