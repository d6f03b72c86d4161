import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { leanSdk } from './lean-sdk.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const FUNCTIONS = join(PROJECT, 'functions');

/** The Lambdas: every file at the root of a slice, such as `functions/videos/create-video.ts`, that exports a handler. */
export const functionFiles = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(FUNCTIONS)
      .flatMap((slice) => readdirSync(join(FUNCTIONS, slice)).map((file) => join(FUNCTIONS, slice, file)))
      .filter((file) => file.endsWith('.ts') && /^export const handler\b/m.test(readFileSync(file, 'utf8')))
      .map((file) => [basename(file, '.ts'), file]),
  );

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

const UNUSED_PARTS = join(FUNCTIONS, 'platform', 'aws', 'unused-sdk-parts.ts');

/** Leaves out what a function never uses of the SDK. Its default credential chain alone, with ten sources, is a third of a bundle. */
export const LEAN_SDK = {
  alias: {
    '@aws-sdk/endpoint-cache': UNUSED_PARTS,
    '@smithy/core/event-streams': UNUSED_PARTS,
    '@aws-sdk/credential-provider-node': join(FUNCTIONS, 'platform', 'aws', 'function-credentials.ts'),
  },
  plugins: [leanSdk],
} satisfies BuildOptions;
