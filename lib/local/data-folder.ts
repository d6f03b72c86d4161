import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LocalCloudError } from './errors.ts';

export class FolderInUse extends LocalCloudError {}

/** Holds the folder for this process; a lock whose process has gone counts for nothing. */
const takeLock = async (folder: string): Promise<() => Promise<void>> => {
  const lock = resolve(folder, 'lock');
  const holder = `${process.pid} ${await birth(process.pid)}`;
  while (!(await create(lock, holder))) {
    const [pid = '', born] = (await readFile(lock, 'utf8').catch(() => '')).split(' ');
    if (isAlive(Number(pid)) && (await birth(Number(pid))) === born) {
      throw new FolderInUse(
        `The data folder ${folder} is in use by process ${pid}: choose another with --data, or end that process.`,
      );
    }
    await rm(lock, { force: true });
  }
  return () => rm(lock, { force: true });
};

/** When a process was started, where the system tells: containers give the same number to one process after another. */
const birth = async (pid: number): Promise<string> => {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    const fieldsAfterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Killed but never collected, as in a container without an init: it holds nothing any more.
    if (fieldsAfterName[0] === 'Z') return 'gone';
    return `${boot.trim()}/${fieldsAfterName[19]}`;
  } catch {
    return 'unknown';
  }
};

const create = async (lock: string, holder: string): Promise<boolean> => {
  try {
    await writeFile(lock, holder, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
};

const isAlive = (pid: number): boolean => {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

export const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/** Replaces a private file as a whole: a reader, or a start after a crash, finds the old text or the new. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const beside = `${path}.new`;
  try {
    const file = await open(beside, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
};

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
