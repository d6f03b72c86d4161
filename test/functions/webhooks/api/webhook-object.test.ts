import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventObject } from '../../../../functions/webhooks/api/webhook-object.ts';
import { aBudgetEvent, aWebhookEvent } from '../../../support/builders/webhook.ts';

const CREATED = { createdAt: 1_790_000_000_999 };

test('the event of a video names its task', () => {
  assert.equal(
    JSON.stringify(eventObject(aWebhookEvent(CREATED))),
    '{"id":"evt_1","object":"event","type":"video.completed","created_at":1790000000,"data":{"id":"task_1"}}',
  );
});

test('the event of a budget names the account, the threshold, the amounts and the month', () => {
  assert.deepEqual(eventObject(aBudgetEvent(CREATED)), {
    id: 'evt_2',
    object: 'event',
    type: 'budget.threshold_reached',
    created_at: 1_790_000_000,
    data: {
      project_id: 'acme',
      threshold: 80,
      used: '80.40',
      limit: '100',
      currency: 'USD',
      month: '2026-11',
    },
  });
});
