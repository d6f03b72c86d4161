import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseBody } from '../../../../functions/platform/body/parse.ts';
import {
  deliveryObject,
  endpointObject,
  eventObject,
  readDeliveryQuery,
  readEndpointQuery,
} from '../../../../functions/webhooks/api/webhook-object.ts';
import {
  endpointChangeSchema,
  newEndpointSchema,
  rotationSchema,
} from '../../../../functions/webhooks/api/webhook-schema.ts';
import {
  aBudgetEvent,
  aWebhookDelivery,
  aWebhookEndpoint,
  aWebhookEvent,
} from '../../../support/builders/webhook.ts';
import { refusesField, toQuery } from '../../../support/queries.ts';

const CREATED = { createdAt: 1_790_000_000_999 };

test('the event of a video names its task', () => {
  assert.equal(
    JSON.stringify(eventObject(aWebhookEvent(CREATED))),
    '{"id":"evt_1","object":"event","type":"video.completed","created_at":1790000000,"data":{"id":"task_1"}}',
  );
});

test('the event of a budget names the account, the threshold, the amounts and the month', () => {
  const { budget } = aBudgetEvent();
  assert.deepEqual(eventObject(aBudgetEvent(CREATED)), {
    id: 'evt_2',
    object: 'event',
    type: 'budget.threshold_reached',
    created_at: 1_790_000_000,
    data: { project_id: 'acme', ...budget },
  });
});

test('a disabled endpoint says why, and since when it fails', () => {
  const { secret: _, ...endpoint } = aWebhookEndpoint({
    ...CREATED,
    failingSince: 5_999,
    disabled: { at: 7_000, reason: 'failing' },
  });
  assert.deepEqual(endpointObject({ ...endpoint, secretHint: 'hint' }), {
    id: endpoint.id,
    object: 'webhook_endpoint',
    name: endpoint.name,
    url: endpoint.url,
    event_types: ['video.completed', 'video.failed'],
    signing_secret_hint: 'hint',
    created_at: 1_790_000_000,
    updated_at: 1_790_000_000,
    status: 'disabled',
    disabled_reason: 'failing',
    failing_since: 5,
  });
});

test('a delivery is shown with its event and its last attempt', () => {
  const event = aWebhookEvent(CREATED);
  const lastAttempt = { at: 8_999, durationMs: 12.4, statusCode: 503, answer: 'no', error: undefined };
  const ended = { status: 'failed', attempts: 7, nextAt: undefined } as const;
  const failed = aWebhookDelivery('we_1', event, { ...ended, lastAttempt });
  const facts = { id: failed.id, object: 'webhook_delivery', created_at: 1_790_000_000 };
  const shown = { ...facts, event: eventObject(event) };
  assert.deepEqual(deliveryObject(failed), {
    ...shown,
    status: 'failed',
    attempts: 7,
    next_attempt_at: null,
    last_attempt: { at: 8, status_code: 503, duration_ms: 12, answer: 'no', error: null },
  });
  assert.deepEqual(deliveryObject(aWebhookDelivery('we_1', event)), {
    ...shown,
    status: 'pending',
    attempts: 0,
    next_attempt_at: 1_790_000_000,
    last_attempt: null,
  });
});

describe('the settings of an endpoint', () => {
  const NEW = { name: 'Hook', url: 'https://hooks.example.com/v', event_types: ['video.completed'] };
  const TYPES = /one of (?:video\.[a-z]+, )+budget\.threshold_reached\.$/;

  for (const [param, value, message] of [
    ['name', '  ', /1 to 100 characters/],
    ['name', null, /must be a string/],
    ['name', 'x'.repeat(101), /longer than 100 characters/],
    ['name', 'a\r\nb', /control character/],
    ['name', '\ud800', /Unicode/],
    ['url', ['https://hooks.example.com'], /must be a string/],
    ['url', 'https://10.0.0.1/', /private/],
    ['event_types', [], /at least one/],
    ['event_types', 'video.completed', /list/],
    ['event_types', ['video.failed', 'video.failed'], /twice/],
    ['event_types[0]', ['batch.completed'], TYPES],
    ['event_types[1]', ['video.failed', 7], TYPES],
  ] as const)
    test(`are refused with ${param} ${JSON.stringify(value).slice(0, 60)}`, () => {
      const given = { [param.replace(/\[.*/, '')]: value };
      refusesField(() => parseBody(newEndpointSchema, { ...NEW, ...given }), param, message);
      refusesField(() => parseBody(endpointChangeSchema, given), param, message);
    });

  test('are all required at first, and optional in a change', () => {
    for (const name of Object.keys(NEW))
      refusesField(() => parseBody(newEndpointSchema, { ...NEW, [name]: undefined }), name);
    assert.deepEqual(parseBody(newEndpointSchema, NEW), NEW);
    assert.deepEqual(parseBody(endpointChangeSchema, {}), {});
  });
});

test('a rotation takes true or false', () => {
  const name = 'keep_old_secret_active_for_24_hours';
  assert.deepEqual(parseBody(rotationSchema, { [name]: true }), { [name]: true });
  for (const value of ['true', 1, null])
    refusesField(() => parseBody(rotationSchema, { [name]: value }), name, /must be true or false/);
});

test('a page goes on after an id of its kind', () => {
  const [endpoint, delivery] = [`we_${'0'.repeat(26)}`, `wd_${'0'.repeat(26)}`];
  for (const [read, own, other, named] of [
    [readEndpointQuery, endpoint, delivery, /a webhook endpoint \(we_…\)/],
    [readDeliveryQuery, delivery, endpoint, /a delivery \(wd_…\)/],
  ] as const) {
    assert.deepEqual(read(toQuery(`limit=2&after=${own}`).query), { limit: 2, after: own });
    for (const after of [other, 'x'])
      refusesField(() => read(toQuery(`after=${after}`).query), 'after', named);
    refusesField(() => read(toQuery('limit=101').query), 'limit');
  }
});
