import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoCleanUpPosition } from '../../../../functions/videos/adapters/dynamo-clean-up.ts';
import { dynamoWorkerLoads } from '../../../../functions/videos/adapters/dynamo-worker-loads.ts';
import { dynamoQueueAges } from '../../../../functions/videos/adapters/step-queue.ts';
import { NO_WORK, type QueueAges } from '../../../../functions/videos/domain/step-queue.ts';
import { NO_LOAD } from '../../../../functions/videos/domain/worker-capacity.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { describeStores } from '../../../support/contract.ts';
import { createTable } from '../../../support/create-table.ts';
import { MemoryMedia, positionPort } from '../../../support/in-memory/media.ts';
import { loadsPort, MemoryQueueAges, MemoryWorkerLoads } from '../../../support/in-memory/queue-ages.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
await createTable(client, 'records', ['id']);

const ages: Record<'memory' | 'dynamo', QueueAges> = {
  memory: new MemoryQueueAges(),
  dynamo: dynamoQueueAges(client, 'records'),
};

describeStores('the recorded ages of messages', ages, (ages) => {
  const NOTHING = { onTime: false, late: new Map<string, number>() };

  test('are unknown for a minute without a record', async () => {
    assert.equal(await ages.read(1), undefined);
  });

  test('combine the records of several workers; the latest value of a slot counts', async () => {
    await ages.record(2, { onTime: true, late: new Map([['7', 100]]) });
    const late = new Map(Object.entries({ 7: 200, 1023: 300 }));
    await ages.record(2, { ...NOTHING, late });
    assert.deepEqual(await ages.read(2), { onTime: true, late, stalledSince: undefined, work: NO_WORK });
  });

  test('add up the work of several workers', async () => {
    const work = { busyMs: 900, messages: 2, started: 1, ended: 0 };
    await ages.record(7, { ...NOTHING, onTime: true, work });
    await ages.record(7, { ...NOTHING, work: { ...work, ended: 3 } });
    assert.deepEqual((await ages.read(7))?.work, { busyMs: 1800, messages: 4, started: 2, ended: 3 });
  });

  test('include the time since which the queue is stalled', async () => {
    await ages.record(3, { ...NOTHING, stalledSince: 1000 });
    assert.deepEqual(await ages.read(3), { ...NOTHING, stalledSince: 1000, work: NO_WORK });
  });
});

const loads = { memory: loadsPort(new MemoryWorkerLoads()), dynamo: dynamoWorkerLoads(client, 'records') };

describeStores('the load of the workers', loads, (loads) => {
  test('is written as a whole, except for the time until which tasks are held', async () => {
    assert.deepEqual(await loads.read(), NO_LOAD);
    // A worker can be first.
    await loads.hold(5000);
    assert.deepEqual(await loads.read(), { ...NO_LOAD, heldUntil: 5000 });
    const load = {
      heldUntil: 9000,
      taskMs: 2500,
      rate: 40.5,
      waiting: 12,
      served: new Map([['video-3.1-generate-preview', 7]]),
      minute: 8,
      crowded: new Set(['1', '1023']),
    };
    await loads.save(load);
    await loads.hold(9500);
    assert.deepEqual(await loads.read(), { ...load, heldUntil: 9500 });
    await loads.save(NO_LOAD);
    assert.deepEqual(await loads.read(), NO_LOAD);
  });
});

const positions = {
  memory: positionPort(new MemoryMedia()),
  dynamo: dynamoCleanUpPosition(client, 'records'),
};

describeStores('the position of the clean-up', positions, (position) => {
  test('is the last key that was saved', async () => {
    assert.equal(await position.read(), undefined);
    for (const key of ['inputs/1', 'inputs/2']) await position.save(key);
    assert.equal(await position.read(), 'inputs/2');
  });
});
