import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './emulated.ts';

const SCRIPT = fileURLToPath(new URL('./limited-blobs.ts', import.meta.url));

test('does not accept a partially written file', async () => {
  const folder = await temporaryFolder();
  const command = ['-c', 'ulimit -f 32; exec "$0" "$@"', process.execPath, SCRIPT, folder];
  const { stdout } = await promisify(execFile)('sh', command);
  assert.equal(stdout, 'EFBIG\n');
  assert.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
});
