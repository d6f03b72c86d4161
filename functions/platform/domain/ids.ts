import { createHash, randomBytes } from 'node:crypto';

/** Crockford's alphabet: sorts as the numbers do, and has no letters that look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;

export const encodeBytes = (bytes: Uint8Array, length: number): string =>
  Array.from(bytes.subarray(0, length), (byte) => ALPHABET[byte % 32]).join('');

/** Ten letters that sort as the times do. */
export const encodeTime = (milliseconds: number): string => {
  let rest = milliseconds;
  let text = '';
  for (let position = 0; position < TIME_LENGTH; position += 1) {
    text = `${ALPHABET[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
};

export const decodeTime = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0);

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

/** Carries its time, so that the identifiers of an account sort as its files came. */
export const newFileId = (now: number): string =>
  `file_${encodeTime(now)}${encodeBytes(randomBytes(16), 16)}`;

const ENDPOINT_ID = /^we_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const DELIVERY_ID = /^wd_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Sorts by the time at which the endpoint was made. */
export const newEndpointId = (now: number): string =>
  `we_${encodeTime(now)}${encodeBytes(randomBytes(16), 16)}`;

export const isEndpointId = (id: string): boolean => ENDPOINT_ID.test(id);

/** One endpoint and one event always give the same, so that a delivery exists once; it sorts by the event's time. */
export const deliveryIdOf = (
  endpointId: string,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
): string =>
  `wd_${encodeTime(createdAt)}${encodeBytes(
    createHash('sha256')
      .update(JSON.stringify([endpointId, id]))
      .digest(),
    16,
  )}`;

export const isDeliveryId = (id: string): boolean => DELIVERY_ID.test(id);
