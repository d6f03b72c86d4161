import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { openFixture } from './fixture/open-fixture.ts';

const SCENARIO = fileURLToPath(new URL('./fixture/full-disk.ts', import.meta.url));
/** A separate file system that only the scenario's processes see. */
const SMALL_DISK = 'mount -t tmpfs -o size=12m none "$3" && exec "$0" "$1" "$2" "$3"';

const resultSchema = z.object({
  errors: z.string(),
  code: z.number().optional(),
  errorsOfSecond: z.string(),
  secondCode: z.number().optional(),
  acknowledged: z.number(),
  lost: z.number(),
});

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

const fixture = await openFixture();

describe('a full disk', {
  skip: canMount ? false : 'this system does not allow mounting a small disk',
}, () => {
  let result: z.infer<typeof resultSchema>;
  before(async () => {
    const disk = join(fixture.folder, 'disk');
    await mkdir(disk);
    const command = ['-rm', 'sh', '-c', SMALL_DISK, process.execPath, SCENARIO, fixture.templateFile, disk];
    const { stdout } = await promisify(execFile)('unshare', command);
    result = resultSchema.parse(JSON.parse(stdout));
  });

  it('stops the service with a message', () => {
    assert.match(
      result.errors,
      /^The disk is full: the local cloud stopped to avoid losing data\. [^\n]*\n$/m,
    );
    assert.equal(result.code, 1);
  });

  it('loses no acknowledged write', () => {
    assert.ok(result.acknowledged > 0);
    assert.equal(result.lost, 0);
  });

  it('is reported at start', () => {
    assert.match(result.errorsOfSecond, /^The disk is full: [^\n]*\n$/);
    assert.equal(result.secondCode, 1);
  });
});
