import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';
import type { FunctionName } from '../../functions/runtime/environment.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const FUNCTIONS = join(PROJECT, 'functions');

const UNUSED_PARTS = join(FUNCTIONS, 'runtime', 'unused-sdk-parts.ts');

/** What a function never uses of the SDK. Its default credential chain alone, with ten sources, is a third of a bundle. */
export const FUNCTION_ALIAS = {
  '@aws-sdk/endpoint-cache': UNUSED_PARTS,
  '@smithy/core/event-streams': UNUSED_PARTS,
  '@aws-sdk/credential-provider-node': join(FUNCTIONS, 'runtime', 'function-credentials.ts'),
};

/** Bundled CommonJS parts call `require`, which an ES module does not have of itself. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

export const BUNDLE_OPTIONS = {
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
  banner: { js: REQUIRE },
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * Bundles every file of `functions/` in one go. NodejsFunction would start a bundler for each of them, which takes
 * most of the time between `npm start` and the first answer.
 */
export const bundleFunctions = (outdir: string): ((name: FunctionName) => Code) => {
  const folder = join(outdir, 'bundles');
  const files = readdirSync(FUNCTIONS).filter((file) => file.endsWith('.ts'));
  buildSync({
    ...BUNDLE_OPTIONS,
    entryPoints: files.map((file) => ({
      in: join(FUNCTIONS, file),
      out: join(basename(file, '.ts'), 'index'),
    })),
    outdir: folder,
    alias: FUNCTION_ALIAS,
  });
  return (name) => Code.fromAsset(join(folder, name));
};
