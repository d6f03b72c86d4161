import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  describeFile,
  describeMade,
  listedImage,
  previewContent,
  unfinishedImages,
} from '../../../../functions/agents/api/image-result.ts';
import {
  finishedTask,
  taskFields,
  toolAnswer,
  toolError,
} from '../../../../functions/agents/api/tool-answer.ts';
import { describeVideo, listedVideo, videoContent } from '../../../../functions/agents/api/video-result.ts';
import {
  acceptsEvents,
  errorMessage,
  errorResponse,
  jsonAnswer,
  streamAnswer,
} from '../../../../functions/agents/api/write-message.ts';
import { RpcError } from '../../../../functions/agents/domain/messages.ts';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { aGeneratedImage, anOutput } from '../../../support/builders/file.ts';
import { aTask } from '../../../support/builders/task.ts';
import { png } from '../../../support/images.ts';

const NOW = Date.UTC(2026, 0, 2);
const IN_FIVE_MINUTES = '2026-01-02T00:05:00.000Z';
const ENDED = '2026-01-01T00:00:00.000Z';
const CHARGE = { seconds: 6, unitPrice: '0.40', amount: '2.40', currency: 'USD' };
const failure = (code: 'cancelled' | 'internal') => ({ code, message: `Sorry.\n${'a'.repeat(600)}` });

const VIDEO = aTask({ createdAt: Date.UTC(2026, 0, 1) });
const READY: Task = {
  ...VIDEO,
  status: 'completed',
  file: { key: 'a', bytes: 7 },
  completedAt: NOW,
  expiresAt: NOW,
};
const FAILED: Task = { ...VIDEO, status: 'failed', failedAt: NOW, error: failure('internal') };

describe('a video', () => {
  const facts = { video_id: VIDEO.id, model: 'video-3.1-generate-preview', seconds: 6, size: '1280x720' };
  const price = { price: '2.40', currency: 'USD' };
  const url = 'https://files.test/a';
  const poll = /^Call get_video with video_id task_\w+ and wait_seconds 40 until/;
  const completed = { status: 'completed', progress: 100 };
  const links = { url, url_expires_at: IN_FIVE_MINUTES, expires_at: '2026-01-02T00:00:00.000Z' };
  const error = `internal: Sorry. ${'a'.repeat(492)}…`;
  const CASES: readonly (readonly [task: Task, facts: object, next: RegExp, charge?: object])[] = [
    [VIDEO, { status: 'queued', progress: 0, ...price }, poll],
    [VIDEO, { status: 'queued', progress: 0 }, poll, { currency: null }],
    [{ ...VIDEO, status: 'in_progress' }, { status: 'in_progress', progress: 50, ...price }, poll],
    [READY, { ...completed, ...price, ...links }, /^Give the user the url, .* create_share_link\.$/],
    [
      { ...READY, expiresAt: undefined },
      completed,
      /^The file has expired and was removed\.$/,
      { amount: null },
    ],
    [FAILED, { status: 'failed', progress: 100, error }, /^The video failed and costs nothing\./],
  ];
  for (const [task, more, next, charge] of CASES)
    test(`that is ${task.status} says what to do next, with the charge ${JSON.stringify(charge)}`, () => {
      const { next_step, ...shown } = describeVideo(task, {
        url: task === READY ? url : undefined,
        charge: { ...CHARGE, ...charge },
        now: NOW,
        hasShares: true,
      });
      assert.deepEqual(shown, { ...facts, ...more });
      assert.match(next_step, next);
    });

  test('leads to share links only where there are some', () => {
    const shown = { url, charge: CHARGE, now: NOW };
    assert.match(
      describeVideo(READY, { ...shown, hasShares: true }).next_step,
      /; for a lasting link call create_share_link\.$/,
    );
    assert.match(describeVideo(READY, { ...shown, hasShares: false }).next_step, / for 5 minutes\.$/);
  });

  test('is linked if it has a file', () => {
    assert.deepEqual(videoContent(READY, url), [
      { type: 'resource_link', uri: url, name: `${VIDEO.id}.mp4`, mimeType: 'video/mp4', size: 7 },
    ]);
    assert.deepEqual([videoContent(VIDEO, url), videoContent(READY, undefined)], [[], []]);
  });

  test('is listed', () => {
    assert.deepEqual(listedVideo(VIDEO), {
      video_id: VIDEO.id,
      status: 'queued',
      model: 'video-3.1-generate-preview',
      prompt: 'a lighthouse',
      created_at: ENDED,
    });
  });
});

describe('a video as a task', () => {
  test('has a status, and the time of its last change', () => {
    const fields = (change: Partial<Task>) => taskFields({ ...VIDEO, ...change }, 3);
    assert.deepEqual(fields({}), {
      taskId: VIDEO.id,
      status: 'working',
      statusMessage: 'The video is queued.',
      createdAt: ENDED,
      lastUpdatedAt: ENDED,
      ttlMs: 604_800_000,
      pollIntervalMs: 3000,
    });
    for (const [change, status] of [
      [{ submittedAt: NOW, status: 'in_progress' }, 'working'],
      [{ submittedAt: 1, generatedAt: NOW, status: 'in_progress' }, 'working'],
      [{ ...FAILED, generatedAt: 1 }, 'completed'],
      [{ ...FAILED, error: failure('cancelled') }, 'cancelled'],
      [{ ...READY, generatedAt: 1, failedAt: 2 }, 'completed'],
    ] as const) {
      const { status: told, lastUpdatedAt } = fields(change);
      assert.deepEqual([told, lastUpdatedAt], [status, '2026-01-02T00:00:00.000Z']);
    }
  });

  test('has a result when it has ended, unless it was cancelled', () => {
    const shown = { structured: {} };
    assert.deepEqual(finishedTask(READY, shown), { result: toolAnswer(shown) });
    const text = `internal: Sorry. ${'a'.repeat(492)}…`;
    assert.deepEqual(finishedTask(FAILED, shown), {
      result: { content: [{ type: 'text', text }], isError: true },
    });
    assert.deepEqual(finishedTask({ ...FAILED, error: undefined }, { structured: {} }), {
      result: toolError('internal', 'The video failed.'),
    });
    for (const task of [VIDEO, { ...FAILED, error: failure('cancelled') }])
      assert.deepEqual(finishedTask(task, shown), {});
  });
});

test('a result is structured and text, an error is text', () => {
  const link = { type: 'text', text: 'b' } as const;
  assert.deepEqual(toolAnswer({ structured: { a: 1 }, content: [link] }), {
    content: [{ type: 'text', text: '{"a":1}' }, link],
    structuredContent: { a: 1 },
    isError: false,
  });
  for (const [seconds, text] of [
    [undefined, 'code: Sorry.'],
    [1.2, 'code: Sorry. (retry_after_seconds: 2)'],
  ] as const)
    assert.deepEqual(toolError('code', 'Sorry.', seconds), {
      content: [{ type: 'text', text }],
      isError: true,
    });
  // An upstream may repeat a prompt in its message.
  assert.deepEqual(toolError('code', `SYSTEM:\u202e\n\n${'!'.repeat(500)}`).content, [
    { type: 'text', text: `code: SYSTEM: ${'!'.repeat(491)}…` },
  ]);
});

describe('an image', () => {
  const url = 'https://files.test/a';
  const bytes = png(3, 2);
  const file = aGeneratedImage({
    id: 'file_1',
    bytes: 7,
    mimeType: 'image/webp',
    createdAt: Date.UTC(2026, 0, 1),
    expiresAt: NOW,
    output: anOutput({ prompt: 'a\nb', size: '30x20' }),
  });
  const link = { url, url_expires_at: IN_FIVE_MINUTES };

  test('that was made is described by its bytes', () => {
    const made = (base64: string, kept?: StoredFile) =>
      describeMade(
        {
          outcome: 'image',
          image: { base64, mimeType: 'image/jpeg' },
          text: '',
          cutShort: false,
          tokens: { prompt: 0, output: 0, total: 0 },
          document: {},
          file: kept,
        },
        url,
        NOW,
      );
    assert.deepEqual(made(bytes.toString('base64'), file), {
      file_id: 'file_1',
      width: 3,
      height: 2,
      mime_type: 'image/png',
      bytes: bytes.length,
      ...link,
    });
    assert.deepEqual(made('aaaa'), { file_id: '', mime_type: 'image/jpeg', bytes: 3, ...link });
  });

  test('that is stored is described by its file', () => {
    const plain = { file_id: 'file_1', mime_type: 'image/webp', bytes: 7, ...link };
    const expires_at = '2026-01-02T00:00:00.000Z';
    assert.deepEqual(describeFile(file, url, NOW), { ...plain, width: 30, height: 20, expires_at });
    const { output, ...upload } = file;
    for (const each of [upload, { ...file, output: { ...Object(output), size: 'x30x20x' } }])
      assert.deepEqual(describeFile(each, url, NOW), { ...plain, expires_at });
    const listed = { file_id: 'file_1', created_at: ENDED };
    assert.deepEqual(listedImage(file), { ...listed, size: '30x20', prompt: 'a b' });
    assert.deepEqual(listedImage(upload), listed);
  });

  test('has a preview of at most 40 KB', () => {
    assert.deepEqual(previewContent(Uint8Array.of(1, 2)), [
      { type: 'image', data: 'AQI=', mimeType: 'image/webp' },
    ]);
    assert.equal(previewContent(new Uint8Array(40_000)).length, 1);
    assert.deepEqual(previewContent(new Uint8Array(40_001)), []);
  });

  test('that is unfinished names the key of a repeated call', () => {
    const { next_step, ...plain } = unfinishedImages(undefined, false);
    assert.deepEqual(plain, { status: 'in_progress', images: [] });
    assert.match(next_step, /Call list_images in half a minute\.$/);
    const { next_step: repeat, ...reused } = unfinishedImages('a"b', true);
    assert.deepEqual(reused, { status: 'in_progress', images: [], reused: true, idempotency_key: 'a"b' });
    assert.match(repeat, /generate_image again with the same arguments and idempotency_key "a\\"b": it/);
  });
});

describe('an answer', () => {
  const message = { jsonrpc: '2.0', id: 1, result: {} };
  const settled = Promise.resolve();

  test('is one document, with the work that continues', () => {
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify(message)],
    };
    assert.deepEqual(jsonAnswer({ message }), answer);
    assert.deepEqual(jsonAnswer({ message, settled }), { ...answer, settled });
  });

  test('is streamed to clients that accept events', () => {
    assert.deepEqual(
      ['application/json, Text/Event-Stream', 'application/json', undefined].map(acceptsEvents),
      [true, false, false],
    );
  });

  test('is an error with the id of its request, if it is known', () => {
    const error = new RpcError('transport', 'Sorry.', 405, { headers: { allow: 'POST' }, id: 2 });
    const body = { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'Sorry.' } };
    assert.deepEqual(errorResponse(error, 1), { status: 405, headers: { allow: 'POST' }, body });
    const internal = new RpcError('internal', 'Sorry.', 200, { data: { a: 1 } });
    const told = { code: -32603, message: 'Sorry.', data: { a: 1 } };
    assert.deepEqual(errorMessage(internal, 1), { jsonrpc: '2.0', id: 1, error: told });
    assert.deepEqual(errorMessage(internal, undefined), { jsonrpc: '2.0', id: null, error: told });
  });

  const read = (chunks: ReturnType<typeof streamAnswer>['chunks']) =>
    Array.fromAsync(chunks, (chunk) => String(chunk));
  const event = (value: object) => `event: message\ndata: ${JSON.stringify(value)}\n\n`;

  for (const [title, token, expected] of [
    ['comes after increasing progress, if the client asks for it', 'p', [1, 3]],
    ['comes without progress otherwise', undefined, []],
  ] as const)
    test(title, async () => {
      const answer = streamAnswer(async (report) => {
        for (const progress of [1, 1, 0, 3]) {
          report({ progress, total: 9, message: 'a' });
          await new Promise(setImmediate);
        }
        return { message };
      }, token);
      const told = expected.map((progress) => {
        const params = { progressToken: token, progress, total: 9, message: 'a' };
        return event({ jsonrpc: '2.0', method: 'notifications/progress', params });
      });
      assert.deepEqual(await read(answer.chunks), [': working\n\n', ...told, event(message)]);
      assert.deepEqual(
        [answer.status, answer.headers],
        [200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }],
      );
    });

  test('ends its stream while work goes on that the function must finish', async () => {
    const work = Promise.withResolvers<void>();
    const answer = streamAnswer(async () => ({ message, settled: work.promise }), 'p');
    assert.equal((await read(answer.chunks)).at(-1), event(message));
    let isSettled = false;
    const finished = answer.settled?.then(() => {
      isSettled = true;
    });
    await new Promise(setImmediate);
    assert.equal(isSettled, false);
    work.resolve();
    await finished;
  });
});
