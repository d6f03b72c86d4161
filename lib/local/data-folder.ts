import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasCode, LocalCloudError } from './errors.ts';

const ENTRIES = {
  /** Tables, queues and objects. */
  emulators: 'emulators',
  /** The cache of rendered samples. */
  samples: 'samples',
  samplePorts: 'sample-ports.json',
  /** The synthesized template and the bundles. */
  assembly: 'assembly',
  functionRuntime: 'function-runtime.mjs',
  masterSecret: 'master-secret',
  /** Secrets that the template generates. */
  secrets: 'secrets.json',
  /** Base URL and API key of the last start. */
  summary: 'local.json',
  /** Outputs of the stack, for commands. */
  stack: 'stack.json',
} as const;

export const dataPath = (folder: string, entry: keyof typeof ENTRIES): string =>
  resolve(folder, ENTRIES[entry]);

/** Everything that a local cloud stores. Only one process at a time can open it. */
export type DataFolder = {
  readonly path: (entry: keyof typeof ENTRIES) => string;
  /** Generated once, so that signatures stay valid after a restart. */
  readonly masterSecret: string;
  readonly release: () => Promise<void>;
};

export const openDataFolder = async (folder: string, { reset = false } = {}): Promise<DataFolder> => {
  const path: DataFolder['path'] = (entry) => dataPath(folder, entry);
  try {
    await makeFolder(resolve(folder));
    const unlock = takeLock(folder);
    if (reset) await removeEntries(folder);
    return {
      path,
      release: async () => unlock(),
      masterSecret: await readMasterSecret(path('masterSecret')),
    };
  } catch (cause) {
    if (cause instanceof LocalCloudError) throw cause;
    throw new LocalCloudError(`Cannot write to the data folder ${folder}.`, { cause });
  }
};

/** Node's recursive mkdir never returns if a system folder always answers ENOENT. */
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

/** Removes only files of the local cloud, because the folder may contain others. */
const removeEntries = async (folder: string): Promise<void> => {
  const all = Object.values(ENTRIES).map((entry) => resolve(folder, entry));
  await Promise.all(all.map((entry) => rm(entry, { recursive: true, force: true })));
};

const readMasterSecret = async (file: string): Promise<string> => {
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (stored !== '') return stored;
  const generated = randomBytes(32).toString('hex');
  await replaceFile(file, generated);
  return generated;
};

/** Replaces a private file atomically and durably: even after a crash it has the old text or the new one. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.new`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

export class FolderInUse extends LocalCloudError {}

const LOCK = `
PRAGMA synchronous = OFF;
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS holder (pid INTEGER);
DELETE FROM holder;
INSERT INTO holder VALUES (${process.pid});
COMMIT;
BEGIN IMMEDIATE;
`;
const SQLITE_BUSY = 5;
/** A process that was killed holds its files until its last thread has ended. */
const EXIT_MILLISECONDS = 2000;

/** An open transaction locks the folder: the system ends it with the process, however the process ends. */
const takeLock = (folder: string): (() => void) => {
  const lock = new DatabaseSync(resolve(folder, 'lock.sqlite'), { timeout: EXIT_MILLISECONDS });
  try {
    lock.exec(LOCK);
    return () => lock.close();
  } catch (error) {
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    const pid = isHeld && lock.prepare('SELECT pid FROM holder').get()?.pid;
    lock.close();
    if (!isHeld) throw error;
    throw new FolderInUse(
      `The data folder ${folder} is in use by process ${pid}: choose another folder with --data, or stop that process.`,
    );
  }
};
