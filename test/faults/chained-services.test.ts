import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, MODEL, readId } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { readFreePort } from '../support/server.ts';
import { awaitCharges, awaitOutcomes, KillableService, pause } from './killable-service.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20_261_117);
const KILLS = 10;
const TASKS = 20;

/** Every run kills one service, and tests that a repeated submit has the same idempotency key. */
const skip = !longOr(false, true) && 'runs with LONG_TESTS=1';

test(`${TASKS} videos are generated once and charged once at each of two chained services while either is killed (${KILLS} times, FAULT_SEED=${SEED})`, {
  skip,
}, async () => {
  const random = seededRandom(SEED);
  // It is found again at the same address.
  const hub = await KillableService.create(['--port', String(await readFreePort()), '--upstreams', '4']);
  after(() => hub.close());
  const front = await KillableService.create(['--port', '0'], await hub.start());
  after(() => front.close());
  let client = await front.start();

  const ids = await fewAtOnce(TASKS, async () => {
    // The answer to the submit takes a while, so that a kill can lose it.
    const json = { model: MODEL, prompt: 'a quiet harbour [sample: delay 3s]', seconds: 4 };
    return readId(await call(client, 'POST', '/v1/videos', { json }));
  });
  for (let kills = 0; kills < KILLS; kills += 1) {
    await pause(300 + random() * 3000);
    if (kills % 2 === 0) {
      await hub.kill();
      await pause(random() * 2000);
      await hub.start();
    } else {
      await front.kill();
      client = await front.start();
    }
  }
  const ended = await awaitOutcomes(client, TASKS);
  assert.deepEqual(
    ids.map((id) => ended.get(id)),
    ids.map(() => 'completed'),
  );
  const charged = (await awaitCharges(front, TASKS)).map(({ taskId }) => taskId);
  assert.deepEqual(charged.toSorted(), ids.toSorted());
  // Every submit that was repeated after a lost answer found the same task there.
  const there = (await awaitCharges(hub, TASKS)).map(({ taskId }) => taskId);
  assert.deepEqual([there.length, new Set(there).size], [TASKS, TASKS]);
});
