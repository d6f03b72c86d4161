import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { hasCode, LocalCloudError } from './errors.ts';

const ENTRIES = {
  /** Tables, queues and objects. */
  emulators: 'emulators',
  /** The cache of rendered samples. */
  samples: 'samples',
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
    const release = await takeLock(folder);
    if (reset) await removeEntries(folder);
    return { path, release, masterSecret: await readMasterSecret(path('masterSecret')) };
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

/** Locks the folder for this process. A lock whose process no longer runs is ignored. */
const takeLock = async (folder: string): Promise<() => Promise<void>> => {
  const lock = resolve(folder, 'lock');
  const holder = `${process.pid} ${await processStart(process.pid)}`;
  while (!(await createLock(lock, holder))) {
    const [pid = '', started] = (await readFile(lock, 'utf8').catch(() => '')).split(' ');
    if (isAlive(Number(pid)) && (await processStart(Number(pid))) === started) {
      throw new FolderInUse(
        `The data folder ${folder} is in use by process ${pid}: choose another folder with --data, or stop that process.`,
      );
    }
    await rm(lock, { force: true });
  }
  return () => rm(lock, { force: true });
};

/** Identifies a process by its start time where the system reports it, since containers reuse process ids. */
const processStart = async (pid: number): Promise<string> => {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    const fieldsAfterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie, as in a container without an init process.
    if (fieldsAfterName[0] === 'Z') return 'gone';
    return `${boot.trim()}/${fieldsAfterName[19]}`;
  } catch {
    return 'unknown';
  }
};

const createLock = async (lock: string, holder: string): Promise<boolean> => {
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
