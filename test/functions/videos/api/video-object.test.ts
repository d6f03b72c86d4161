import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import {
  createdGenerationObject,
  generationObject,
} from '../../../../functions/videos/api/generation-object.ts';
import {
  createdVideoObject,
  deletedVideoObject,
  INCLUDES,
  includedParts,
  needsPosition,
  pollHints,
  readIncludes,
  requireVideoVariant,
  videoObject,
} from '../../../../functions/videos/api/video-object.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { aTask } from '../../../support/builders/task.ts';
import { refusesField } from '../../../support/queries.ts';

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

describe('a video', () => {
  const QUEUED = {
    id: 'task_01k0000000aaaaaaaaaaaaaaaa',
    object: 'video',
    model: 'video-3.1-generate-preview',
    status: 'queued',
    progress: 0,
    created_at: 1,
    expires_at: null,
    kept: false,
    name: null,
    prompt: 'a lighthouse',
    seconds: '6',
    size: '1280x720',
    error: null,
    remixed_from_video_id: null,
  };

  test('is shown with its request and its state', () => {
    assert.deepEqual(videoObject(aTask()), QUEUED);
    assert.deepEqual(createdVideoObject(aTask()), { ...QUEUED, task_id: QUEUED.id });
    const running = { ...QUEUED, status: 'in_progress', progress: 50 };
    assert.deepEqual(videoObject(aTask({ status: 'in_progress' })), running);
    const ended = { status: 'completed', completedAt: 5_999, expiresAt: 9_999 } as const;
    const upstream = { name: 'default', hasPlace: false, substitute: 'veo-3.1' };
    assert.deepEqual(videoObject(aTask({ ...ended, upstream })), {
      ...QUEUED,
      status: 'completed',
      progress: 100,
      completed_at: 5,
      expires_at: 9,
      upstream_model: 'veo-3.1',
    });
    const kept = videoObject(aTask({ ...ended, name: 'Boat', expiresAt: NEVER }));
    assert.deepEqual([kept.kept, kept.expires_at, kept.name], [true, null, 'Boat']);
    assert.deepEqual(deletedVideoObject('task_1'), { id: 'task_1', object: 'video.deleted', deleted: true });
  });

  test('is shown to clients of aggregators with other words and its URL', () => {
    const { id, model, created_at } = QUEUED;
    const created = { id, task_id: id, object: 'video', model, status: 'queued', created_at };
    assert.deepEqual(createdGenerationObject(aTask()), created);
    const error = { code: 'internal', message: 'no' } as const;
    for (const [task, status] of [
      [aTask(), 'queued'],
      [aTask({ status: 'in_progress' }), 'processing'],
      [aTask({ status: 'completed' }), 'succeeded'],
      [aTask({ status: 'failed', error }), 'failed'],
    ] as const) {
      const url = `https://media.test/v1/videos/${id}/content`;
      const rest = { format: 'mp4', url, error: task.error ?? null, metadata: null };
      const data = { status, task_id: id, ...rest };
      assert.deepEqual(generationObject(task, 'https://media.test'), { code: 'success', message: '', data });
    }
  });

  test('that has failed keeps its progress', () => {
    const error = { code: 'internal', message: 'no' } as const;
    const failed = { ...QUEUED, status: 'failed', error };
    assert.deepEqual(videoObject(aTask({ status: 'failed', error })), failed);
    const submitted = aTask({ status: 'failed', error, submittedAt: 2_000 });
    assert.deepEqual(videoObject(submitted), { ...failed, progress: 50 });
  });

  test('includes its request, charge and timeline', () => {
    const { request } = aTask();
    const inputs = [{ role: 'first_frame', mimeType: 'image/png', key: 'inputs/1' }] as const;
    const charge = { seconds: 6, unitPrice: '0.4', amount: '2.4', currency: 'USD', price: '0.4' };
    const task = aTask({
      personId: 'user_1',
      request: { ...request, negativePrompt: 'text', mode: 'first_frame', inputs },
      charge,
      submittedAt: 2_000,
      generatedAt: 3_000,
      completedAt: 4_000,
    });
    const shown = {
      mode: 'first_frame',
      seconds: 6,
      resolution: '720p',
      aspect_ratio: '16:9',
      negative_prompt: 'text',
      seed: 0,
      inputs: [{ role: 'first_frame', mime_type: 'image/png' }],
      api_key_id: 'key',
      user_id: 'user_1',
    };
    assert.deepEqual(includedParts(task, []), {});
    assert.deepEqual(includedParts(task, ['request', 'charge', 'timeline']), {
      request: shown,
      charge: { seconds: 6, unit_price: '0.4', amount: '2.4', currency: 'USD' },
      timeline: { created_at: 1, submitted_at: 2, generated_at: 3, completed_at: 4, failed_at: null },
    });
    const plain = aTask({ request: { ...request, seed: undefined }, failedAt: 5_000 });
    assert.deepEqual(includedParts(plain, INCLUDES), {
      request: { ...shown, mode: 'text', negative_prompt: null, seed: null, inputs: [], user_id: null },
      charge: null,
      timeline: { created_at: 1, submitted_at: null, generated_at: null, completed_at: null, failed_at: 5 },
      file: null,
      queue: { reason: 'upstream_retry', position: null, retry_at: 1 },
    });
  });

  for (const [reason, change, retryAt] of [
    ['starting', { step: 0 }, null],
    ['account_share', { attempts: 0 }, 2],
    ['upstream_retry', { attempts: 1 }, 2],
    ['upstream_limit', { work: { kind: 'wait', dueAt: 2000 } }, null],
    ['workers', { work: { kind: 'wait', dueAt: 2000 }, waitsFor: 'workers' }, null],
  ] as const)
    test(`in the queue for ${reason} says when it is tried again, if it is known`, () => {
      const task = aTask({ work: { kind: 'submit', dueAt: 2000 }, ...change });
      assert.deepEqual(includedParts(task, ['queue'], 7), {
        queue: { reason, position: 7, retry_at: retryAt },
      });
    });

  test('needs the position of a task in line, if its queue is included', () => {
    const task = aTask({ work: { kind: 'wait', dueAt: 1 } });
    assert.deepEqual(
      [needsPosition(task, ['queue']), needsPosition(task, ['file']), needsPosition(aTask(), ['queue'])],
      [true, false, false],
    );
  });

  test('includes only parts that exist, and has one variant', () => {
    assert.deepEqual(readIncludes(['file', 'request']), ['file', 'request']);
    refusesField(() => readIncludes(['file', 'all']), 'include', /request, charge, timeline, file/);
    for (const variant of [undefined, 'video']) requireVideoVariant(variant);
    refusesField(() => requireVideoVariant('thumbnail'), 'variant');
  });
});
