import { createHash, randomBytes } from 'node:crypto';
import { decodeTime, encodeBytes, encodeTime } from './timed-id.ts';

const TIMED_ID = /^task_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;
const DERIVED_ID = /^task_k[0-9a-hjkmnp-tv-z]{25}$/;

/** A new identifier that carries its time, so that a list can go on from a task that is gone. */
export const newTaskId = (now: number): string =>
  `task_${encodeTime(now)}${encodeBytes(randomBytes(16), 16)}`;

/** The identifier that one account's `Idempotency-Key` always gives, so that one conditional put decides. */
export const derivedTaskId = (account: string, idempotencyKey: string): string =>
  `task_k${encodeBytes(
    createHash('sha256')
      .update(JSON.stringify([account, idempotencyKey]))
      .digest(),
    25,
  )}`;

export const isTaskId = (id: string): boolean => TIMED_ID.test(id) || DERIVED_ID.test(id);

/** When the task was created, where its identifier tells. */
export const timeOfTaskId = (id: string): number | undefined => {
  const time = TIMED_ID.exec(id)?.[1];
  return time === undefined ? undefined : decodeTime(time);
};
