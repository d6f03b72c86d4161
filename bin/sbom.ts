import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal, readOptions, runCommand } from '../lib/command.ts';

const USAGE = `Writes the software bill of materials of the functions and the console as CycloneDX 1.6.

Usage: npm run sbom -- [--output FILE]

  --output FILE  default: sbom.cdx.json

SOURCE_DATE_EPOCH in the environment sets the time of the document.`;

const OPTIONS = { output: { type: 'string', default: 'sbom.cdx.json' } } as const;

/** Reproducible builds set their time in SOURCE_DATE_EPOCH; without it, the document has no time. */
const readBuildTime = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,11}$/.test(text))
    throw new Refusal('SOURCE_DATE_EPOCH must be a whole number of seconds since 1970.');
  return Number(text);
};

/** Uses the bundles of an earlier run if no source has changed. */
const withBundles = async (use: (folder: string) => void): Promise<void> => {
  // Imported late, so that wrong options are reported without loading CDK.
  const { bundleInto, keptBundles } = await import('../lib/lambda/bundling.ts');
  const kept = keptBundles(bundleInto);
  if (kept !== undefined) {
    use(kept);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    bundleInto(folder);
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

await runCommand(USAGE, async (args) => {
  const { output } = readOptions({ args, options: OPTIONS }).values;
  const builtAt = readBuildTime(process.env.SOURCE_DATE_EPOCH);
  const { createSbom } = await import('../lib/sbom.ts');
  await withBundles((folder) => {
    const document = createSbom(folder, builtAt);
    writeFileSync(output, `${JSON.stringify(document, undefined, 2)}\n`);
    const packages = document.components.filter(({ type }) => type === 'library').length;
    const bundles = document.components.length - packages;
    console.log(`${output}: ${packages} packages in ${bundles - 1} functions and the console.`);
  });
});
