import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { derivedTaskId, newTaskId } from '../../../../functions/platform/domain/ids.ts';
import type { PageQuery, TaskPages, TaskRepository } from '../../../../functions/videos/domain/ports.ts';
import { listVideos } from '../../../../functions/videos/usecases/manage-videos.ts';
import { aTask } from '../../../support/builders/task.ts';
import { buildWorker } from '../../../support/builders/worker.ts';

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
  const FILTER = {
    status: 'failed',
    model: undefined,
    keyId: undefined,
    createdFrom: 1,
    createdBefore: undefined,
  } as const;
  const QUERY = { limit: 7, newestFirst: true, filter: FILTER };

  test('asks for what is wanted', async () => {
    const { page, asked } = await list(undefined);
    assert.deepEqual(page, { tasks: [aTask()], hasMore: true });
    assert.deepEqual(asked, [['acme', { ...QUERY, after: undefined }]]);
  });

  test('goes on after the time in an identifier, without a look-up', async () => {
    const id = newTaskId(1_800_000_000_000);
    const { asked } = await list(id);
    assert.deepEqual(asked, [['acme', { ...QUERY, after: { id, createdAt: 1_800_000_000_000 } }]]);
  });

  const id = derivedTaskId('acme', 'a key');

  test('goes on after a task whose time is looked up', async () => {
    const { asked } = await list(id, { account: 'acme', createdAt: 5 });
    assert.deepEqual(asked, [['acme', { ...QUERY, after: { id, createdAt: 5 } }]]);
  });

  for (const [name, position] of [
    ['that is unknown', undefined],
    ['of another account', { account: 'other', createdAt: 5 }],
  ] as const)
    test(`does not go on after a task ${name}`, async () => {
      await assert.rejects(list(id, position), { code: 'invalid_request', param: 'after' });
    });
});
