import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

export const PROJECT = join(import.meta.dirname, '..', '..');
const FUNCTIONS = join(PROJECT, 'functions');

/** As `lib/bundles.ts` builds the functions, but for the alias: what differs between two builds stands at the call. */
const OPTIONS = {
  absWorkingDir: PROJECT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  sourcemap: 'linked',
  sourcesContent: false,
  banner: {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

export const FUNCTION_ALIAS = {
  '@aws-sdk/credential-provider-node': join(FUNCTIONS, 'runtime', 'function-credentials.ts'),
};

/** Builds each entry to `<outdir>/<name>/index.mjs`. */
export const buildBundles = async (
  entries: Readonly<Record<string, string>>,
  outdir: string,
  difference: Pick<BuildOptions, 'alias' | 'plugins'>,
): Promise<(name: string) => string> => {
  await build({
    ...OPTIONS,
    ...difference,
    entryPoints: Object.entries(entries).map(([name, file]) => ({ in: file, out: join(name, 'index') })),
    outdir,
  });
  return (name) => join(outdir, name, 'index.mjs');
};

export const functionFile = (name: string): string => join(FUNCTIONS, `${name}.ts`);

/** A module of the bench as one plain file, so that no types are stripped within a measured process. */
export const buildProbe = async (file: string, outdir: string): Promise<string> =>
  (await buildBundles({ probe: file }, outdir, {}))('probe');
