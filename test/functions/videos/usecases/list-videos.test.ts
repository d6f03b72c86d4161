import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ListedCharge } from '../../../../functions/accounts/domain/billing.ts';
import type { ChargeQuery } from '../../../../functions/accounts/domain/ports.ts';
import { pageOfCharges } from '../../../../functions/accounts/usecases/report-usage.ts';
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

describe('a page of charges', () => {
  const charge = (position: number): ListedCharge => ({
    kind: 'image',
    id: `img_${position}`,
    account: 'acme',
    keyId: 'key',
    model: 'image',
    size: '1K',
    images: 1,
    unitPrice: null,
    amount: null,
    currency: null,
    time: position,
  });
  const query = { from: 1, to: 9, newestFirst: true, after: undefined };

  for (const [stored, limit, shown, hasMore] of [
    [0, 2, 0, false],
    [2, 2, 2, false],
    [3, 2, 2, true],
    [1, 2, 1, false],
  ] as const)
    test(`of ${limit} shows ${shown} of ${stored}, and that there are ${hasMore ? '' : 'no '}more`, async () => {
      const asked: ChargeQuery[] = [];
      const charges = {
        list: async function* (_: string, wanted: ChargeQuery) {
          asked.push(wanted);
          for (let position = 0; position < stored; position += 1) yield charge(position);
        },
      };
      assert.deepEqual(await pageOfCharges(charges, 'acme', { ...query, limit }), {
        charges: Array.from({ length: shown }, (_, position) => charge(position)),
        hasMore,
      });
      assert.deepEqual(asked, [{ ...query, atOnce: 3 }]);
    });
});
