import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UpstreamError } from '../../../../functions/upstream/domain/upstream-error.ts';

const OVER = 'upstream_unavailable';

/** The consequences of each fault for a submit, a check, a fetch and an image, and the code for clients. */
const FAULTS = [
  ['rejected', 'final', 'final', 'refused', 'final', 'upstream_rejected', undefined],
  ['operator', 'final', 'refused', 'retried', 'final', OVER, 'The generator is not available.'],
  [
    'exhausted',
    'final',
    'refused',
    'retried',
    'final',
    'rate_limited',
    "The generator's daily quota is used up; try again tomorrow.",
  ],
  [
    'busy',
    'refused',
    'retried',
    'retried',
    'final',
    'rate_limited',
    'The generator is overloaded; try again later.',
  ],
  ['failing', 'refused', 'retried', 'retried', 'retried', OVER, 'The generator failed; try again later.'],
  ['unanswered', 'unanswered', 'retried', 'retried', 'final', OVER, 'The generator failed; try again later.'],
] as const;

for (const [fault, submit, check, fetch, image, code, message] of FAULTS)
  test(`after the fault ${fault}, a submit is ${submit}, a check ${check}, a fetch ${fetch}, an image ${image}`, () => {
    const { row } = new UpstreamError(fault, 'no');
    assert.deepEqual(
      [row.submit, row.check, row.fetch, row.image, row.code, row.message],
      [submit, check, fetch, image, code, message],
    );
  });

describe('the operator', () => {
  for (const [fault, taskEvent, imageEvent] of [
    ['rejected', undefined, undefined],
    ['operator', 'upstream needs the operator', 'upstream needs the operator'],
    ['exhausted', undefined, 'upstream quota used up'],
    ['busy', undefined, undefined],
    ['failing', undefined, undefined],
    ['unanswered', undefined, undefined],
  ] as const)
    test(`is told '${taskEvent}' for a task and '${imageEvent}' for an image after the fault ${fault}`, () => {
      const { row } = new UpstreamError(fault, 'no');
      assert.deepEqual([row.taskEvent, row.imageEvent], [taskEvent, imageEvent]);
    });
});

test('only an exhausted quota has its own delay: an hour', () => {
  const waits = FAULTS.map(([fault]) => new UpstreamError(fault, 'no').row.retryAfterSeconds);
  assert.deepEqual(waits, [undefined, undefined, 3600, undefined, undefined, undefined]);
});

test('an error has the status, the delay and the cause', () => {
  const cause = new Error('socket');
  const error = new UpstreamError('busy', 'slow down', { httpStatus: 429, retryAfterSeconds: 7, cause });
  assert.deepEqual(
    [error.name, error.message, error.fault, error.httpStatus, error.retryAfterSeconds, error.cause],
    ['UpstreamError', 'slow down', 'busy', 429, 7, cause],
  );
});
