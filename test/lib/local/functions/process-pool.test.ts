import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionProcess } from '../../../../lib/local/functions/function-process.ts';
import { ProcessPool } from '../../../../lib/local/functions/process-pool.ts';

type Loaded = Awaited<FunctionProcess['loaded']>;
type Exited = Awaited<FunctionProcess['exited']>;

const newProcess = (pid: number) => {
  const loaded = Promise.withResolvers<Loaded>();
  const exited = Promise.withResolvers<Exited>();
  return {
    pid,
    loaded: loaded.promise,
    exited: exited.promise,
    load: () => loaded.resolve({ type: 'ready', initMilliseconds: 1 }),
    kill: () => exited.resolve({ type: 'exited', status: 'signal: SIGKILL' }),
  };
};

/** Longer than an event waits for a busy process. */
const SHORT_WHILE = 40;

const newPool = (limit: number, loads: 'at once' | 'when told' = 'at once') => {
  let started = 0;
  const start = () => {
    started += 1;
    const process = newProcess(started);
    if (loads === 'at once') process.load();
    return process;
  };
  return new ProcessPool({ start, limit, idleMilliseconds: 1000, patienceMilliseconds: 5, loadingLimit: 1 });
};

describe('a pool of processes', () => {
  it('starts a second process only for an event that has waited for the first', async () => {
    const pool = newPool(2);
    const first = await pool.acquire();
    const short = pool.acquire();
    assert.deepEqual(pool.pids, [1]);
    pool.release(first);
    assert.equal(await short, first);
    assert.equal((await pool.acquire()).pid, 2);
    assert.deepEqual(pool.pids, [1, 2]);
    await pool.close();
  });

  it('loads one process after another for events that wait at once', async () => {
    const pool = newPool(10, 'when told');
    const first = await pool.acquire();
    const [second, third] = [pool.acquire(), pool.acquire()];
    await sleep(SHORT_WHILE);
    assert.deepEqual(pool.pids, [1]);
    first.load();
    assert.equal((await second).pid, 2);
    await sleep(SHORT_WHILE);
    assert.deepEqual(pool.pids, [1, 2]);
    pool.release(first);
    assert.equal(await third, first);
    await pool.close();
  });

  it('makes an event wait for a busy process as long as the process took to load', async () => {
    const pool = newPool(2, 'when told');
    const first = await pool.acquire();
    await sleep(2 * SHORT_WHILE);
    first.load();
    await first.loaded;
    const second = pool.acquire();
    await sleep(SHORT_WHILE);
    assert.deepEqual(pool.pids, [1]);
    assert.equal((await second).pid, 2);
    await pool.close();
  });

  it('makes further events wait for a free process', async () => {
    const pool = newPool(1);
    const first = await pool.acquire();
    const waiting = pool.acquire();
    await sleep(SHORT_WHILE);
    pool.release(first);
    assert.equal(await waiting, first);
    await pool.close();
  });

  it('replaces a lost process while events wait', async () => {
    const pool = newPool(1);
    const first = await pool.acquire();
    const waiting = pool.acquire();
    pool.discard(first);
    assert.notEqual(await waiting, first);
    await pool.close();
  });

  it('ends an idle process at once, and a busy one after its event', async () => {
    const pool = newPool(2);
    const [busy, idle] = [await pool.acquire(), await pool.acquire()];
    pool.release(idle);
    const ended = pool.endProcesses();
    assert.deepEqual(pool.pids, [busy.pid]);
    const next = pool.acquire();
    pool.release(busy);
    await ended;
    assert.equal((await next).pid, 3);
    await pool.close();
  });

  it('rejects waiting events when it closes', async () => {
    const pool = newPool(1);
    await pool.acquire();
    const turnedAway = assert.rejects(pool.acquire(), { message: 'The local cloud is closing.' });
    await pool.close();
    await turnedAway;
    assert.deepEqual(pool.pids, []);
  });
});
