import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

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

/** Bundled CommonJS code calls `require`, which ES modules do not have. */
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

/** Writes a class that a function never uses, named after its file. */
const unusedClass = (path: string): string => {
  const name = /(\w+)\.js$/.exec(path)?.[1];
  return `export class ${name} { constructor() { throw new Error('${name} is not in the bundle'); } }`;
};

/** Modules that a function never needs, with the contents that replace them. */
const REPLACED_MODULES: readonly (readonly [path: RegExp, contents: (path: string) => string])[] = [
  // Hashes for a Node without crypto, and a retry strategy that is not the default.
  [/[\\/](Sha256Js|Sha1Js|Md5Js|util-retry[\\/]AdaptiveRetryStrategy)\.js$/, unusedClass],
  // Signs messages of event streams, which no call uses.
  [/[\\/]signature-v4[\\/]dist-es[\\/]HeaderFormatter\.js$/, () => 'export class HeaderFormatter {}'],
  // Forms are always multipart; busboy works without this parser.
  [/[\\/]busboy[\\/]lib[\\/]types[\\/]urlencoded\.js$/, () => ''],
  // Lambda has no AWS configuration files, so reading them at start-up is wasted time.
  [
    /[\\/]shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/,
    () =>
      `export { CONFIG_PREFIX_SEPARATOR } from './constants';
       export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  ],
  // Lambda sets the region in the environment and has no instance metadata.
  [
    /[\\/]regionConfig[\\/]getInstanceMetadataRegion\.js$/,
    () => 'export const getInstanceMetadataRegion = async () => undefined;',
  ],
];

/**
 * The SDK's schemas name their keys by constants, `{ [_hH]: … }`. The bundler must assume that such an object has side
 * effects and keeps every schema of a client; with literal keys it keeps those that are used.
 */
const withLiteralKeys = (source: string): string => {
  const constants = new Map(
    Array.from(source.matchAll(/^const (\w+) = ("[^"\\]*");$/gm), ([, name, text]) => [name, text]),
  );
  return source.replace(/\[(\w+)\]:/g, (key, name) =>
    constants.has(name) ? `${constants.get(name)}:` : key,
  );
};

/** Errors whose class or fields functions use; the others are known by their names. */
const USED_ERRORS = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/** An error that is not registered is an error of the service with the same name, and its class is not bundled. */
const withUsedErrors = (source: string): string =>
  source.replace(/^n0_registry\.registerError\((\w+)\$, \w+\);$/gm, (line, name) =>
    USED_ERRORS.includes(name) ? line : '',
  );

const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]/ }, async ({ path }) => ({
      contents: withUsedErrors(withLiteralKeys(await readFile(path, 'utf8'))),
    }));
    // A client reads only the version from the manifest of its package.
    onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify({ version: JSON.parse(await readFile(path, 'utf8')).version }),
      loader: 'json',
    }));
    for (const [filter, contents] of REPLACED_MODULES)
      onLoad({ filter }, ({ path }) => ({ contents: contents(path) }));
  },
};

const UNUSED_PARTS = join(FUNCTIONS, 'platform', 'aws', 'sdk-replacements.ts');

/** Leaves out parts of the SDK that a function never uses. The default credential chain alone is a third of a bundle. */
export const LEAN_SDK = {
  alias: {
    '@aws-sdk/endpoint-cache': UNUSED_PARTS,
    '@smithy/core/event-streams': UNUSED_PARTS,
    '@aws-sdk/credential-provider-node': join(FUNCTIONS, 'platform', 'aws', 'sdk-replacements.ts'),
  },
  plugins: [leanSdk],
} satisfies BuildOptions;

/** Replaces the module with the values of its exports, so that a function starts with the result of the computation. */
export const evaluatedModules: Plugin = {
  name: 'evaluated-modules',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]functions[\\/]openapi[\\/]compressed-document\.ts$/ }, async ({ path }) => ({
      contents: Object.entries(await import(path))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n'),
    })),
};
