/** Records the functions of this release for the tests of the next one. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { synthesizeInto } from '../support/synthesize.ts';
import { recordStack, writeRelease } from './previous-release.ts';

const packageFile = join(import.meta.dirname, '..', '..', 'package.json');
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8')));

const folder = mkdtempSync(join(tmpdir(), 'release-'));
try {
  const release = await recordStack(synthesizeInto(join(folder, 'assembly')), version);
  await writeRelease(release);
  console.log(`Recorded ${Object.keys(release.functions).length} functions of ${version}.`);
} finally {
  rmSync(folder, { recursive: true });
}
