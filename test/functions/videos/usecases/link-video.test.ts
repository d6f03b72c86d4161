import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { linkVideo } from '../../../../functions/videos/usecases/manage-videos.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

const completed = aTask({
  status: 'completed',
  work: undefined,
  file: { key: 'videos/1.mp4', bytes: 9 },
  expiresAt: NOW,
});

const link = (task: Task, now: number, account = task.account, method?: 'GET' | 'HEAD'): Promise<string> => {
  const { worker } = buildWorker(task);
  const links = {
    sign: async (key: string, fileName: string, method: string) => `${method} ${key} as ${fileName}`,
  };
  return linkVideo({ tasks: worker.tasks, links, now: () => now }, account, task.id, method);
};

test('a file can be downloaded under the name of its task until it expires', async () => {
  assert.equal(await link(completed, NOW - 1), 'GET videos/1.mp4 as task_01k0000000aaaaaaaaaaaaaaaa.mp4');
});

for (const [name, code, answer] of [
  ['a file that has expired', 'video_expired', () => link(completed, NOW)],
  ['a video that is not ready', 'video_not_ready', () => link(aTask(), NOW)],
  ['a video that failed', 'video_failed', () => link(aTask({ status: 'failed' }), NOW)],
  ["another account's video", 'video_not_found', () => link(completed, NOW - 1, 'another')],
] as const)
  test(`${name} is ${code}`, () => assert.rejects(answer, { code }));

test('a link can be for the headers alone, and a file without an end has one at any time', async () => {
  const kept = { ...completed, expiresAt: undefined };
  assert.equal(
    await link(kept, NOW * 2, kept.account, 'HEAD'),
    'HEAD videos/1.mp4 as task_01k0000000aaaaaaaaaaaaaaaa.mp4',
  );
});

for (const [name, task, message] of [
  [
    'why it failed',
    aTask({ status: 'failed', error: { code: 'content_blocked', message: 'blocked' } }),
    /failed: blocked$/,
  ],
  ['that no reason is known', aTask({ status: 'failed' }), /failed: no reason is known$/],
  ['how far it is', aTask({ status: 'in_progress' }), /is in_progress; download it once it is completed\.$/],
] as const)
  test(`a video without a file tells ${name}`, () => assert.rejects(link(task, NOW), { message }));

for (const [name, task] of [
  ['that is being deleted', { ...completed, work: { kind: 'delete', dueAt: NOW } }],
  ['whose id is none', { ...completed, id: 'video_1' }],
] as const)
  test(`a video ${name} is not found`, () =>
    assert.rejects(link(task, NOW - 1), { code: 'video_not_found', param: 'task_id' }));

test('the name of a video that is not found is shortened to 64 characters', () =>
  assert.rejects(link({ ...completed, id: `ab${'c'.repeat(99)}` }, NOW - 1), {
    message: `Video ab${'c'.repeat(62)} was not found.`,
  }));
