import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import { derivedTaskId, newTaskId } from '../../../../functions/platform/domain/ids.ts';
import { NEVER } from '../../../../functions/platform/domain/retention.ts';
import type { PageQuery, Task, TaskPages, TaskRepository } from '../../../../functions/videos/domain/task.ts';
import { linkInput, linkVideo, listVideos } from '../../../../functions/videos/usecases/read-videos.ts';
import { aFile } from '../../../support/builders/file.ts';
import { aTask, EVERY_TASK } from '../../../support/builders/task.ts';
import { buildWorker, NOW } from '../../../support/builders/worker.ts';

describe('a list of videos', () => {
  const list = async (after: string | undefined, position?: { account: string; createdAt: number }) => {
    const asked: (readonly [account: string, query: PageQuery])[] = [];
    const tasks: TaskRepository & TaskPages = {
      ...buildWorker().worker.tasks,
      position: async () => position,
      page: async (account, query) => {
        asked.push([account, query]);
        return { tasks: [aTask()], hasMore: true };
      },
    };
    const page = await listVideos(tasks, 'acme', { limit: 7, newestFirst: true, after, filter: FILTER });
    return { page, asked };
  };
  const FILTER = { ...EVERY_TASK, status: 'failed', createdFrom: 1 } as const;
  const QUERY = { limit: 7, newestFirst: true, filter: FILTER };

  test('continues after the time in an id without a lookup', async () => {
    const id = newTaskId(1_800_000_000_000);
    const { asked } = await list(id);
    assert.deepEqual(asked, [['acme', { ...QUERY, after: { id, createdAt: 1_800_000_000_000 } }]]);
  });

  const id = derivedTaskId('acme', 'a key');

  test('looks up the time of an id that does not contain it', async () => {
    const { asked } = await list(id, { account: 'acme', createdAt: 5 });
    assert.deepEqual(asked, [['acme', { ...QUERY, after: { id, createdAt: 5 } }]]);
  });

  for (const [name, position] of [
    ['that is unknown', undefined],
    ['of another account', { account: 'other', createdAt: 5 }],
  ] as const)
    test(`refuses to continue after a task ${name}`, async () => {
      await assert.rejects(list(id, position), { code: 'invalid_request', param: 'after' });
    });
});

describe('a link to a video', () => {
  const file = { key: 'videos/1.mp4', bytes: 9 };
  const completed = aTask({ status: 'completed', work: undefined, file, expiresAt: NOW });

  const link = (task: Task, now: number, account = task.account, method?: 'GET' | 'HEAD') => {
    const { worker } = buildWorker(task);
    const links = {
      sign: async (key: string, fileName: string, method: string) => `${method} ${key} as ${fileName}`,
    };
    return linkVideo({ tasks: worker.tasks, links, now: () => now }, account, task.id, method);
  };

  test('downloads the file under a name made of its prompt until it expires', async () => {
    assert.equal(await link(completed, NOW - 1), 'GET videos/1.mp4 as a-lighthouse-6s-720p.mp4');
  });

  const running = aTask({ status: 'in_progress' });
  const failed = { code: 'content_blocked', message: 'blocked' } as const;
  for (const [name, code, message, task, account] of [
    ['a file that has expired', 'video_expired', /has expired/, completed],
    ['a video that is not ready', 'video_not_ready', /is in_progress; .* once it is completed\.$/, running],
    ['a video that failed', 'video_failed', /failed: blocked$/, aTask({ status: 'failed', error: failed })],
    ["another account's video", 'video_not_found', /not found/, completed, 'another'],
  ] as const)
    test(`${name} is ${code}`, () => assert.rejects(link(task, NOW, account), { code, message }));

  test('can be for HEAD, and does not expire if the file does not', async () => {
    const kept = { ...completed, name: 'Harbour', expiresAt: undefined };
    const found = await link(kept, NOW * 2, kept.account, 'HEAD');
    assert.equal(found, 'HEAD videos/1.mp4 as harbour-6s-720p.mp4');
  });

  for (const [name, task] of [
    ['that is being deleted', { ...completed, work: { kind: 'delete', dueAt: NOW } }],
    ['whose id is invalid', { ...completed, id: 'video_1' }],
  ] as const)
    test(`a video ${name} is not found`, () =>
      assert.rejects(link(task, NOW - 1), { code: 'video_not_found', param: 'task_id' }));

  test('truncates an id that is not found to 64 characters', () =>
    assert.rejects(link({ ...completed, id: `ab${'c'.repeat(99)}` }, NOW - 1), {
      message: `Video ab${'c'.repeat(62)} was not found.`,
    }));
});

describe('a link to an input image', () => {
  const FILE_ID = 'file_01kf0xw3g0a1b2c3d4e5f6g7h8';
  const inputs = [
    { role: 'first_frame', key: 'inputs/task/0-x', mimeType: 'image/png' },
    { role: 'last_frame', key: 'files/opaque', mimeType: 'image/jpeg', fileId: FILE_ID },
  ] as const;
  const withInputs = (change: Partial<Task> = {}): Task =>
    aTask({ request: { ...aTask().request, inputs: [...inputs] }, ...change });
  const file = aFile({ id: FILE_ID, account: 'account', mimeType: 'image/jpeg', expiresAt: NOW + 1 });
  const link = (task: Task, index: string, [stored]: readonly StoredFile[] = [file]) =>
    linkInput(
      {
        tasks: buildWorker(task).worker.tasks,
        files: {
          find: async (account, id) => (account === file.account && id === FILE_ID ? stored : undefined),
        },
        links: { sign: async (...signed) => signed.join(' ') },
        now: () => NOW,
      },
      task.account,
      { id: task.id, index },
    );

  test('has the type of the image, whether it is a file or not', async () => {
    const { id } = withInputs();
    for (const change of [{}, { expiresAt: NOW + 1 }, { expiresAt: NOW, inputsExpireAt: NOW + 1 }])
      assert.equal(await link(withInputs(change), '0'), `inputs/task/0-x ${id}-0.png GET image/png`);
    assert.equal(await link(withInputs(), '1'), `files/opaque ${id}-1.jpeg GET image/jpeg`);
  });

  const gone = (index: number) => `Input image ${index} of video ${aTask().id} has expired or was deleted.`;
  for (const [name, task, index, message] of [
    ['of a task without images', aTask(), '0', `Video ${aTask().id} has no input images.`],
    ['beyond the last one', withInputs(), '2', 'index must be a whole number from 0 to 1.'],
    ['that is no number', withInputs(), '1.0', 'index must be a whole number from 0 to 1.'],
    ['of an expired video', withInputs({ expiresAt: NOW }), '0', gone(0)],
    ['of a kept video', withInputs({ expiresAt: NEVER, inputsExpireAt: NOW }), '0', gone(0)],
  ] as const)
    test(`is refused for an image ${name}`, () =>
      assert.rejects(link(task, index), { code: 'file_not_found', param: 'index', message }));

  test('is refused for a file that has expired or was deleted', async () => {
    const message = gone(1);
    for (const files of [[{ ...file, expiresAt: NOW }], []])
      await assert.rejects(link(withInputs(), '1', files), { message });
  });
});
