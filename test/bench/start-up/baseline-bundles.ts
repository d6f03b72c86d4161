import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { buildBundles, functionFile } from '../build.ts';

const IMPORT_MINI = /import \* as z from 'zod\/mini'/g;

/** The very same sources, with the import of zod that its documentation shows; the namespace has all that they use. */
const classicZod: Plugin = {
  name: 'classic-zod',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /[\\/]functions[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(IMPORT_MINI, "import { z } from 'zod'"),
      loader: 'ts',
    }));
    onResolve({ filter: /^zod\/mini$/ }, ({ importer }) => ({
      errors: [{ text: `${importer} still imports zod/mini, so the baseline would not be one` }],
    }));
  },
};

/** Every function as it would be with the SDK's default credential chain and `import { z }`. */
export const buildBaselines = (names: readonly string[], outdir: string) =>
  buildBundles(Object.fromEntries(names.map((name) => [name, functionFile(name)])), outdir, {
    plugins: [classicZod],
  });
