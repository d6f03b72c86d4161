import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineItem } from '../../../../functions/upstream/adapters/dynamo-pool.ts';
import { dynamoTasks } from '../../../../functions/videos/adapters/dynamo-tasks.ts';
import {
  dynamoLinePositions,
  dynamoWaitingLine,
} from '../../../../functions/videos/adapters/dynamo-waiting-line.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { aTask } from '../../../support/builders/task.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { createUpstreamTables } from '../../../support/upstream-tables.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;

const MODEL = 'video-3.1-generate-preview';
const FAST = 'video-3.1-fast-generate-preview';
const NOW = Date.UTC(2026, 0, 1);
const tables = await createUpstreamTables(client, 'line-items');
const line = dynamoWaitingLine(client, { ...tables, lineItem }, strictLogger);
const positions = dynamoLinePositions(client, tables.TASK_TABLE);
const tasks = dynamoTasks(client, tables.TASK_TABLE);

test('tickets are counted in the task table if the upstreams have no state', async () => {
  const alone = dynamoWaitingLine(client, { ...tables, UPSTREAM_TABLE: '', lineItem }, strictLogger);
  assert.deepEqual([await alone.ticket('alone', MODEL, 0), await alone.ticket('alone', MODEL, 0)], [1, 2]);
  assert.equal(await line.ticket('alone', MODEL, 0), 1);
  await alone.advance(MODEL, 2, undefined);
});

test('positions in the line are those of the tickets', async () => {
  for (const [id, ticket] of [
    ['task_c', 12],
    ['task_a', 2],
    ['task_b', 3],
  ] as const)
    await tasks.create(aTask({ id, ticket, account: 'acme', work: { kind: 'wait', dueAt: NOW + 9000 } }));
  const place = (ticket: number | undefined, model: typeof MODEL | typeof FAST = MODEL) =>
    positions.position(aTask({ ticket, request: { ...aTask().request, model } }));
  assert.deepEqual(
    await Promise.all([place(2), place(3), place(12), place(1), place(undefined), place(12, FAST)]),
    [1, 2, 3, undefined, undefined, undefined],
  );
});
