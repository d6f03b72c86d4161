import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, evaluatedModules, functionFiles } from '../../lib/lambda/bundle-options.ts';
import { existingBundles } from '../../lib/lambda/bundling.ts';
import { hasCode } from '../../lib/local/errors.ts';

/**
 * The functions as one process loads them: the code of each in a file of its own, as when it is deployed, with packages
 * that all of them share. A hundred copies of the SDK take longer to load than most tests take, and none of them runs
 * often enough to be optimized.
 */

/** Names the folder with the functions, in which the hash of a deployed bundle is a link to its function. */
const FUNCTIONS = 'TEST_FUNCTIONS';

const CODE = /^index\.mjs(\.map)?$/;

const hashFile = async (bundle: string): Promise<string> =>
  hash('sha256', await readFile(join(bundle, 'index.mjs')));

/** For the runner, after the functions were bundled for their deployment. */
export const sharePackages = async (): Promise<() => Promise<void>> => {
  // Within the project, where functions find the packages.
  const folder = await mkdtemp(resolve(import.meta.dirname, '..', '..', '.local', 'functions-'));
  const deployed = existingBundles();
  if (deployed !== undefined) {
    const entryPoints = [...functionFiles()].map(([name, file]) => ({ in: file, out: join(name, 'index') }));
    const plugins = [evaluatedModules];
    await build({ ...BUNDLE_OPTIONS, packages: 'external', plugins, entryPoints, outdir: folder });
    for (const name of functionFiles().keys()) {
      const [bundle, copy] = [join(deployed, name), join(folder, name)];
      // Files that the function reads, such as those of the console.
      for (const file of await readdir(bundle))
        if (!CODE.test(file)) await symlink(join(bundle, file), join(copy, file));
      await symlink(copy, join(folder, await hashFile(bundle)));
    }
    process.env[FUNCTIONS] = folder;
  }
  return () => rm(folder, { recursive: true, force: true });
};

/** The folder of the function with this bundle; the bundle itself if it is not one of the project's. */
export const withSharedPackages = async (bundle: string): Promise<string> => {
  const folder = process.env[FUNCTIONS];
  if (folder === undefined) return bundle;
  return realpath(join(folder, await hashFile(bundle))).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return bundle;
    throw error;
  });
};
