import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as webhooks from '../../../../functions/webhooks/domain/webhooks.ts';

test('an account has at most ten webhook endpoints; events have two types, deliveries three states', () => {
  assert.deepEqual(
    [
      webhooks.WEBHOOK_EVENT_TYPES,
      webhooks.DELIVERY_STATUSES,
      webhooks.DISABLED_REASONS,
      webhooks.MAX_ENDPOINTS,
    ],
    [['video.completed', 'video.failed'], ['pending', 'delivered', 'failed'], ['gone', 'failing'], 10],
  );
});
