import { createHash, randomBytes } from 'node:crypto';

/** Crockford's alphabet: sorts as the numbers do, and has no letters that look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const TIMED_ID = /^task_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;
const DERIVED_ID = /^task_k[0-9a-hjkmnp-tv-z]{25}$/;

const encode = (bytes: Uint8Array, length: number): string =>
  Array.from(bytes.subarray(0, length), (byte) => ALPHABET[byte % 32]).join('');

const encodeTime = (milliseconds: number): string => {
  let rest = milliseconds;
  let text = '';
  for (let position = 0; position < TIME_LENGTH; position += 1) {
    text = `${ALPHABET[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
};

/** A new identifier that carries its time, so that a list can go on from a task that is gone. */
export const newTaskId = (now: number): string => `task_${encodeTime(now)}${encode(randomBytes(16), 16)}`;

/** The identifier that one account's `Idempotency-Key` always gives, so that one conditional put decides. */
export const derivedTaskId = (account: string, idempotencyKey: string): string =>
  `task_k${encode(
    createHash('sha256')
      .update(JSON.stringify([account, idempotencyKey]))
      .digest(),
    25,
  )}`;

export const isTaskId = (id: string): boolean => TIMED_ID.test(id) || DERIVED_ID.test(id);

/** When the task was created, where its identifier tells. */
export const timeOfTaskId = (id: string): number | undefined => {
  const time = TIMED_ID.exec(id)?.[1];
  if (time === undefined) return undefined;
  return Array.from(time).reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0);
};
