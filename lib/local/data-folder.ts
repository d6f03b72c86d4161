import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { replaceFile } from './atomic-write.ts';
import { hasCode, takeLock } from './folder-lock.ts';
import { LocalCloudError } from './local-cloud-error.ts';

const ENTRIES = {
  /** Tables, queues and objects. */
  emulators: 'emulators',
  /** Rendered samples: a cache. */
  samples: 'samples',
  /** The synthesized template and the bundles. */
  assembly: 'assembly',
  functionRuntime: 'function-runtime.mjs',
  masterSecret: 'master-secret',
  /** Those that the template has made. */
  secrets: 'secrets.json',
  /** Base URL and API key of the last start. */
  summary: 'local.json',
  /** Where commands find the tables. */
  stack: 'stack.json',
} as const;

export const dataPath = (folder: string, entry: keyof typeof ENTRIES): string =>
  resolve(folder, ENTRIES[entry]);

/** Everything that a local cloud keeps. One instance at a time holds it. */
export type DataFolder = {
  readonly path: (entry: keyof typeof ENTRIES) => string;
  /** Made once: what one run signed stays valid in the next. */
  readonly masterSecret: string;
  readonly release: () => Promise<void>;
};

export const openDataFolder = async (folder: string, { reset = false } = {}): Promise<DataFolder> => {
  const path: DataFolder['path'] = (entry) => dataPath(folder, entry);
  try {
    await makeFolder(resolve(folder));
    const release = await takeLock(folder);
    if (reset) await removeEntries(folder);
    await hideEntries(folder);
    return { path, release, masterSecret: await readMasterSecret(path('masterSecret')) };
  } catch (cause) {
    if (cause instanceof LocalCloudError) throw cause;
    throw new LocalCloudError(`Cannot write to the data folder ${folder}.`, { cause });
  }
};

/** Node's own recursive way never ends where a system folder answers ENOENT to every try. */
const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, 0o700);
  }
};

/** Only what the local cloud wrote: the folder may be one that holds other things. */
const removeEntries = async (folder: string): Promise<void> => {
  const all = Object.values(ENTRIES).map((entry) => resolve(folder, entry));
  await Promise.all(all.map((entry) => rm(entry, { recursive: true, force: true })));
};

/** Earlier versions left them open to others; the folder itself may be anybody's. */
const hideEntries = async (folder: string): Promise<void> => {
  for (const name of Object.values(ENTRIES)) {
    const entry = resolve(folder, name);
    const found = await stat(entry).catch(() => undefined);
    if (found !== undefined) await chmod(entry, found.isDirectory() ? 0o700 : 0o600);
  }
};

const readMasterSecret = async (file: string): Promise<string> => {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '') return kept;
  const made = randomBytes(32).toString('hex');
  await replaceFile(file, made);
  return made;
};
