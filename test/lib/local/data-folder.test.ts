import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '../../../lib/local/data-folder.ts';
import { readStoredKey, writeSummary } from '../../../lib/local/start/start.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const HOLDER = fileURLToPath(new URL('./fixture/hold-folder.ts', import.meta.url));

const folder = await temporaryFolder('data-folder');

describe('the data folder', () => {
  it('is unlocked when its process was killed and became a zombie', async () => {
    const data = join(folder, 'held');
    // The shell becomes a process that never waits for its child.
    const script = '"$0" "$1" "$2" & exec sleep 60';
    const parent = spawn('sh', ['-c', script, process.execPath, HOLDER, data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(parent.stdout, 'data');
      const holder = Number(String(line));
      await assert.rejects(openDataFolder(data), { message: new RegExp(`in use by process ${holder}:`) });
      process.kill(holder, 'SIGKILL');
      const state = async () =>
        (await readFile(`/proc/${holder}/stat`, 'utf8')).replace(/^.*\) /, '').charAt(0);
      await until(async () => (await state()) === 'Z');
      const { release } = await openDataFolder(data);
      await release();
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('replaces local.json atomically: an open file keeps the old text', async () => {
    const [file, old] = [join(folder, 'local.json'), join(folder, 'old.json')];
    const addresses = { baseUrl: 'http://127.0.0.1:1', signInUrl: '' };
    await writeSummary(file, { ...addresses, apiKey: 'first' });
    await link(file, old);
    await writeSummary(file, { ...addresses, apiKey: 'second' });
    assert.deepEqual([await readStoredKey(old), await readStoredKey(file)], ['first', 'second']);
  });
});
