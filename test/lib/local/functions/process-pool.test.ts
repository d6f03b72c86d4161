import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FunctionProcess } from '../../../../lib/local/functions/function-process.ts';
import { ProcessPool } from '../../../../lib/local/functions/process-pool.ts';

/** Processes that exit at once. */
const start = () =>
  new FunctionProcess({
    runtimeFile: '/dev/null',
    bundle: '/',
    environment: {},
    memoryMegabytes: 128,
    onLine: () => {},
  });

const OPTIONS = { start, idleMilliseconds: 1000, patienceMilliseconds: 5 };

describe('a pool of processes', () => {
  it('starts a second process only for an event that has waited for the first', async () => {
    const pool = new ProcessPool({ ...OPTIONS, limit: 2 });
    const first = await pool.acquire();
    const short = pool.acquire();
    assert.deepEqual(pool.pids, [first.pid]);
    pool.release(first);
    assert.equal(await short, first);
    const second = await pool.acquire();
    assert.deepEqual(pool.pids, [first.pid, second.pid]);
    await pool.close();
  });

  it('makes further events wait for a free process', async () => {
    const pool = new ProcessPool({ ...OPTIONS, limit: 1 });
    const first = await pool.acquire();
    const waiting = pool.acquire();
    pool.release(first);
    assert.equal(await waiting, first);
    await pool.close();
  });

  it('replaces a lost process while events wait', async () => {
    const pool = new ProcessPool({ ...OPTIONS, limit: 1 });
    const first = await pool.acquire();
    const waiting = pool.acquire();
    pool.discard(first);
    assert.notEqual(await waiting, first);
    await pool.close();
  });

  it('rejects waiting events when it closes', async () => {
    const pool = new ProcessPool({ ...OPTIONS, limit: 1 });
    await pool.acquire();
    const turnedAway = assert.rejects(pool.acquire(), { message: 'The local cloud is closing.' });
    await pool.close();
    await turnedAway;
    assert.deepEqual(pool.pids, []);
  });
});
