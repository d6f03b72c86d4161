import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  INCLUDES,
  includedParts,
  pollHints,
  videoObject,
} from '../../../../functions/videos/api/video-object.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
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

describe('include[]=file', () => {
  const { request } = aTask();
  const wanted = { ...request, seconds: 8, resolution: '1080p', aspectRatio: '9:16' } as const;
  const included = (file: Task['file']) => includedParts(aTask({ request: wanted, file }), ['file']);
  const stored = { key: 'videos/1.mp4', bytes: 9 };

  test('is null until the video is stored', () => assert.deepEqual(included(undefined), { file: null }));

  test('has what was delivered, and what differs from the request', () => {
    assert.deepEqual(included({ ...stored, width: 1080, height: 1920, seconds: 8.02 }), {
      file: { bytes: 9, width: 1080, height: 1920, seconds: 8.02, differs: [] },
    });
    assert.deepEqual(included({ ...stored, width: 1280, height: 720, seconds: 4 }), {
      file: { bytes: 9, width: 1280, height: 720, seconds: 4, differs: ['size', 'seconds'] },
    });
  });

  test('has nulls for what is unknown, as in tasks of earlier versions', () => {
    const unknown = { width: null, height: null, seconds: null, differs: null };
    assert.deepEqual(included(stored), { file: { bytes: 9, ...unknown } });
  });
});

test('the cost of the upstream is not part of a video, with any include', () => {
  const task = aTask({ upstreamCost: { amount: '1.2345', currency: 'USD' } });
  const shown = { ...videoObject(task), ...includedParts(task, INCLUDES) };
  assert.doesNotMatch(JSON.stringify(shown), /cost|1\.2345/i);
});
