import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again; the runner's limit ends a test whose condition never holds. */
export const until = async (holds: () => boolean | Promise<boolean>, pause = 20): Promise<void> => {
  while (!(await holds())) await sleep(pause);
};
