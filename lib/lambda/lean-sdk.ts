import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

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

/**
 * Errors of calls that manage tables, queues, buckets and secrets. No function makes such a call, and an error that
 * is not registered still comes with its name, as the client's base exception.
 */
const MANAGEMENT_ERROR = new RegExp(
  [
    'Backup|Export|Import|GlobalTable|Replica(?!ted)|Recovery|RestoreTime|^Table|^Index|ResourceInUse|DuplicateItem',
    'Annotation|EncryptionTypeMismatch|^Bucket|ActiveTier',
    'PurgeQueue|QueueDeleted|QueueNameExists',
    'EncryptionFailure|Policy|ResourceExists|NextToken|PreconditionNotMet',
  ].join('|'),
);

const withoutManagementErrors = (source: string): string =>
  source.replace(/^\w+_registry\.registerError\((\w+)\$, \w+\);$/gm, (line, name) =>
    MANAGEMENT_ERROR.test(name) ? '' : line,
  );

const refusal = (path: string): string => {
  const name = /(\w+)\.js$/.exec(path)?.[1];
  return `export class ${name} { constructor() { throw new Error('${name} is not in the bundle'); } }`;
};

/** Files of the SDK that a function never needs, and what stands in for each. */
const REPLACED: readonly (readonly [RegExp, (path: string) => string])[] = [
  // Hashes for a Node without its own, and a way to try again that must be asked for.
  [/[\\/](Sha256Js|Sha1Js|Md5Js|util-retry[\\/]AdaptiveRetryStrategy)\.js$/, refusal],
  // Forms come as multipart alone, and busboy leaves out a parser that is not there.
  [/[\\/]busboy[\\/]lib[\\/]types[\\/]urlencoded\.js$/, () => ''],
  // Lambda has no files of settings, so that reading them at each start finds nothing.
  [
    /[\\/]shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/,
    () =>
      `export { CONFIG_PREFIX_SEPARATOR } from './constants';
       export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  ],
  // Lambda gives the region in the environment, and has no instance to ask.
  [
    /[\\/]regionConfig[\\/]getInstanceMetadataRegion\.js$/,
    () => 'export const getInstanceMetadataRegion = async () => undefined;',
  ],
  // It signs messages of event streams, which no call of ours has.
  [
    /[\\/]signature-v4[\\/]dist-es[\\/]HeaderFormatter\.js$/,
    () =>
      "export class HeaderFormatter { format() { throw new Error('event streams are not in the bundle'); } }",
  ],
];

type Edit = { readonly filter: RegExp; readonly edit: (source: string) => string; readonly loader?: 'json' };

const EDITED: readonly Edit[] = [
  {
    filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]/,
    edit: (source) => withoutManagementErrors(withLiteralKeys(source)),
  },
  // Of its package a client needs the version alone.
  {
    filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/,
    edit: (manifest) => JSON.stringify({ version: JSON.parse(manifest).version }),
    loader: 'json',
  },
  // Of a region an endpoint needs the partition, not the name for people.
  {
    filter: /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/,
    edit: (source) => source.replaceAll(/"description": "[^"]*"/g, ''),
  },
  // Every client of ours would take these two out of its stack before the first call.
  {
    filter: /[\\/](user-agent-middleware|loggerMiddleware)\.js$/,
    edit: (source) => source.replace(/^ *clientStack\.add\(.*\);$/m, ''),
  },
];

export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup: ({ onLoad }) => {
    for (const { filter, edit, loader = 'js' } of EDITED)
      onLoad({ filter }, async ({ path }) => ({ contents: edit(await readFile(path, 'utf8')), loader }));
    for (const [filter, replacement] of REPLACED)
      onLoad({ filter }, ({ path }) => ({ contents: replacement(path) }));
  },
};
