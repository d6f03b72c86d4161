import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 8000;

export const listChildren = async (pid = 0): Promise<number[]> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
};

export const listDescendants = async (pid = 0): Promise<number[]> => {
  const children = await listChildren(pid);
  return [...children, ...(await Promise.all(children.map(listDescendants))).flat()];
};

/** A process that has ended and waits to be collected is gone, too. */
const isGone = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
};

/** Waits until all of them have ended; fails when one stays. */
export const allGone = async (pids: readonly number[]): Promise<void> => {
  const deadline = Date.now() + PATIENCE;
  for (const pid of pids) {
    while (!(await isGone(pid))) {
      if (Date.now() > deadline) throw new Error(`process ${pid} stays`);
      await sleep(10);
    }
  }
};

/** For what a failed test has left. */
export const endAll = (pids: readonly number[]): void => {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
};
