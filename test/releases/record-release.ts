import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { readOptions, runCommand } from '../../lib/command.ts';

const USAGE = `Records the functions of this release that are deployed gradually, for the tests of the next one.

Usage: npm run record-release`;

const packageFile = join(import.meta.dirname, '..', '..', 'package.json');

await runCommand(USAGE, async (args) => {
  readOptions({ args, options: {} });
  // Imported late, so that wrong options are reported without loading CDK.
  const [{ synthesizeInto }, { recordStack, writeRelease }] = await Promise.all([
    import('../support/synthesize.ts'),
    import('./previous-release.ts'),
  ]);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8')));
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const release = await recordStack(synthesizeInto(join(folder, 'assembly')), version);
    await writeRelease(release);
    console.log(`Recorded ${Object.keys(release.functions).length} functions of ${version}.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
