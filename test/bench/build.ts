import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE_OPTIONS, functionFiles } from '../../lib/lambda/bundle-options.ts';

export const PROJECT = join(import.meta.dirname, '..', '..');

/** Bundles as the stack does, except for `difference`; each entry becomes `<outdir>/<name>/index.mjs`. */
export const buildBundles = async (
  entries: Readonly<Record<string, string>>,
  outdir: string,
  difference: Pick<BuildOptions, 'alias' | 'plugins'>,
): Promise<(name: string) => string> => {
  await build({
    ...BUNDLE_OPTIONS,
    ...difference,
    entryPoints: Object.entries(entries).map(([name, file]) => ({ in: file, out: join(name, 'index') })),
    outdir,
  });
  return (name) => join(outdir, name, 'index.mjs');
};

export const functionFile = (name: string): string => {
  const file = functionFiles().get(name);
  if (file === undefined) throw new Error(`there is no function ${name}`);
  return file;
};

/** Bundles a module of the bench, so that a measured process does not strip types. */
export const buildProbe = async (file: string, outdir: string): Promise<string> =>
  (await buildBundles({ probe: file }, outdir, {}))('probe');
