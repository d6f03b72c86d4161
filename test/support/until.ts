import { setTimeout as sleep } from 'node:timers/promises';

/** Shorter than the runner's limit for a file, so that the test that waits in vain is named. */
const PATIENCE = 150_000;

/** Asks again and again, and fails when the condition does not hold in time. */
export const until = async (holds: () => boolean | Promise<boolean>, pause = 20): Promise<void> => {
  const deadline = Date.now() + PATIENCE;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE / 1000} s: ${holds}`);
    await sleep(pause);
  }
};
