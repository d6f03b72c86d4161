import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { leanSdk } from './lean-sdk.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
export const FUNCTIONS = join(PROJECT, 'functions');

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

const UNUSED_PARTS = join(FUNCTIONS, 'runtime', 'unused-sdk-parts.ts');

/** Leaves out what a function never uses of the SDK. Its default credential chain alone, with ten sources, is a third of a bundle. */
export const LEAN_SDK = {
  alias: {
    '@aws-sdk/endpoint-cache': UNUSED_PARTS,
    '@smithy/core/event-streams': UNUSED_PARTS,
    '@aws-sdk/credential-provider-node': join(FUNCTIONS, 'runtime', 'function-credentials.ts'),
  },
  plugins: [leanSdk],
} satisfies BuildOptions;
