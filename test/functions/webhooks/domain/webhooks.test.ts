import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as webhooks from '../../../../functions/webhooks/domain/webhooks.ts';

test('webhooks have two event types, three states and ten endpoints an account', () => {
  assert.deepEqual(
    [
      webhooks.WEBHOOK_EVENT_TYPES,
      webhooks.DELIVERY_STATUSES,
      webhooks.DISABLED_REASONS,
      webhooks.MOST_ENDPOINTS,
    ],
    [['video.completed', 'video.failed'], ['pending', 'delivered', 'failed'], ['gone', 'failing'], 10],
  );
});
