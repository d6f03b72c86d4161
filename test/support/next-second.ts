import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the next full second has begun and returns it: tables are restored to whole seconds. */
export const nextSecond = async (): Promise<Date> => {
  const second = Math.floor(Date.now() / 1000) + 1;
  while (Date.now() <= second * 1000) await sleep(second * 1000 - Date.now() + 1);
  return new Date(second * 1000);
};
