import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LocalCloudError } from './local-cloud-error.ts';

export class FolderInUse extends LocalCloudError {}

/** Holds the folder for this process; a lock whose process has gone counts for nothing. */
export const takeLock = async (folder: string): Promise<() => Promise<void>> => {
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
