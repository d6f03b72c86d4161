import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollHints } from '../../../../functions/videos/api/video-object.ts';
import { aTask } from '../../../support/builders/task.ts';

const CREATED = 1_000_000;
const waitAfter = (milliseconds: number) => pollHints(aTask({ createdAt: CREATED }), CREATED + milliseconds);

test('clients are told to poll every 3 seconds, and every 5 seconds after half a minute', () => {
  const first = { 'openai-poll-after-ms': '3000', 'retry-after': '3' };
  const later = { 'openai-poll-after-ms': '5000', 'retry-after': '5' };
  assert.deepEqual(waitAfter(0), first);
  assert.deepEqual(waitAfter(29_999), first);
  assert.deepEqual(waitAfter(30_000), later);
  assert.deepEqual(waitAfter(3_600_000), later);
});

test('clients are not told to poll a task that has ended', () => {
  for (const status of ['completed', 'failed'] as const) assert.deepEqual(pollHints(aTask({ status })), {});
});

test('a task that waits in line for an upstream is polled every 15 seconds', () => {
  const task = aTask({ createdAt: CREATED, work: { kind: 'wait', dueAt: CREATED + 1000 } });
  assert.deepEqual(pollHints(task, CREATED), { 'openai-poll-after-ms': '15000', 'retry-after': '15' });
});
