import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LocalCloudError } from './local-cloud-error.ts';

/** Holds the folder for this process; a lock whose process has gone counts for nothing. */
export async function takeLock(folder: string): Promise<() => Promise<void>> {
  const lock = resolve(folder, 'lock');
  while (!(await create(lock))) {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (isAlive(holder)) {
      throw new LocalCloudError(
        `The data folder ${folder} is in use by process ${holder}: choose another with --data, or end that process.`,
      );
    }
    await rm(lock, { force: true });
  }
  return () => rm(lock, { force: true });
}

async function create(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;
