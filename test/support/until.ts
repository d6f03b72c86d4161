import { setTimeout as sleep } from 'node:timers/promises';

/** Twice the minute after which functions read some settings again. */
export const PATIENCE = 120_000;

const PAUSES = { least: 100, most: 1000 };

/** Asks again and again, and fails when the condition does not hold in time. */
export const until = async (holds: () => boolean | Promise<boolean>, firstPause = 20): Promise<void> => {
  const deadline = Date.now() + PATIENCE;
  for (let pause = firstPause; ; ) {
    const answer = holds();
    if (await answer) return;
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE / 1000} s: ${holds}`);
    await sleep(pause);
    // A service is asked less and less often, because each answer keeps several processes busy.
    if (typeof answer !== 'boolean')
      pause = Math.max(pause, PAUSES.least, Math.min(pause * 1.5, PAUSES.most));
  }
};
