import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

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

/**
 * The SDK's schemas name their keys by constants, `{ [_hH]: … }`. For all the bundler knows, making such an object has
 * effects, and every schema of a client stays; with the names themselves it keeps those that are used.
 */
const withLiteralKeys = (source: string): string => {
  const constants = new Map(
    Array.from(source.matchAll(/^const (\w+) = ("[^"\\]*");$/gm), ([, name, text]) => [name, text]),
  );
  return source.replace(/\[(\w+)\]:/g, (key, name) =>
    constants.has(name) ? `${constants.get(name)}:` : key,
  );
};

/** Of its package a client needs the version alone. */
const versionOf = (manifest: string): string => JSON.stringify({ version: JSON.parse(manifest).version });

/** Hashes for a Node without its own, and a way to try again that must be asked for. */
const UNUSED_CLASS = /[\\/](Sha256Js|Sha1Js|Md5Js|util-retry[\\/]AdaptiveRetryStrategy)\.js$/;

const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]/ }, async ({ path }) => ({
      contents: withLiteralKeys(await readFile(path, 'utf8')),
    }));
    onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: versionOf(await readFile(path, 'utf8')),
      loader: 'json',
    }));
    // Forms come as multipart alone, and busboy leaves out a parser that is not there.
    onLoad({ filter: /[\\/]busboy[\\/]lib[\\/]types[\\/]urlencoded\.js$/ }, () => ({ contents: '' }));
    onLoad({ filter: UNUSED_CLASS }, ({ path }) => {
      const name = /(\w+)\.js$/.exec(path)?.[1];
      const refuse = `throw new Error('${name} is not in the bundle')`;
      return { contents: `export class ${name} { constructor() { ${refuse}; } }` };
    });
  },
};

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
