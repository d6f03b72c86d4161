import { hash, randomFillSync } from 'node:crypto';

export const ACCOUNT_NAME = /^[\w.@-]{1,100}$/;
export const isAccountName = (name: string): boolean => ACCOUNT_NAME.test(name);

/** Crockford's Base32: sorts like the numbers it encodes and has no ambiguous letters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;

export const encodeBytes = (bytes: Uint8Array, length = bytes.length): string => {
  let text = '';
  for (const byte of bytes.subarray(0, length)) text += ALPHABET[byte % 32];
  return text;
};

const RANDOM_LETTERS = 16;
/** Drawn for many ids at once: a draw costs as much CPU as the rest of an id ten times over. */
const drawn = new Uint8Array(64 * RANDOM_LETTERS);
let used = drawn.length;

/** 80 random bits. */
const randomLetters = (): string => {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += RANDOM_LETTERS;
  return encodeBytes(drawn.subarray(used - RANDOM_LETTERS, used));
};

/** The same parts give the same characters. */
const derive = (parts: readonly (string | number)[], length: number): string =>
  encodeBytes(hash('sha256', JSON.stringify(parts), 'buffer'), length);

/** Ten characters that sort by time. */
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

/**
 * The name of a stored object. It is part of signed URLs, which people pass on, so it contains neither the account nor
 * an id. It cannot be guessed or reversed, because ids are random.
 */
export const opaqueName = (...parts: readonly string[]): string => derive(parts, 32);

export const TASK_PREFIX = 'task_';
export const FILE_PREFIX = 'file_';

/** For clients, to whom the parts of an id mean nothing. */
export const TASK_ID = new RegExp(`^${TASK_PREFIX}[0-9a-z]{26}$`);

const TIMED_ID = new RegExp(`^${TASK_PREFIX}([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$`);
const DERIVED_ID = new RegExp(`^${TASK_PREFIX}k[0-9a-hjkmnp-tv-z]{25}$`);

/** Contains its time, so that a list can continue after a deleted task. */
export const newTaskId = (now: number): string => `${TASK_PREFIX}${encodeTime(now)}${randomLetters()}`;

/** Derived from the account's `Idempotency-Key`, so that one conditional put detects a repetition. */
export const derivedTaskId = (account: string, idempotencyKey: string): string =>
  `${TASK_PREFIX}k${derive([account, idempotencyKey], 25)}`;

export const isTaskId = (id: string): boolean => TIMED_ID.test(id) || DERIVED_ID.test(id);

/** The time in a task's id; undefined for a derived id. */
export const timeOfTaskId = (id: string): number | undefined => {
  const time = TIMED_ID.exec(id)?.[1];
  return time === undefined ? undefined : decodeTime(time);
};

/** Sorts by the time of creation. */
export const newFileId = (now: number): string => `${FILE_PREFIX}${encodeTime(now)}${randomLetters()}`;

/** Derived from its request and the position of the image in it, so that a repeated request names the same file. */
export const derivedFileId = (createdAt: number, requestId: string, index: number): string =>
  `${FILE_PREFIX}${encodeTime(createdAt)}${derive([requestId, index], 16)}`;

const RESPONSE_PREFIX = 'resp_';

/** For clients, to whom the parts of an id mean nothing. */
export const RESPONSE_ID = new RegExp(`^${RESPONSE_PREFIX}[0-9a-z]{26}$`);

export const newResponseId = (now: number): string =>
  `${RESPONSE_PREFIX}${encodeTime(now)}${randomLetters()}`;

/** Derived from the account's `Idempotency-Key`, so that a repeated request finds the response of the first one. */
export const derivedResponseId = (account: string, idempotencyKey: string): string =>
  `${RESPONSE_PREFIX}k${derive(['response', account, idempotencyKey], 25)}`;

const ENDPOINT_ID = /^we_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const DELIVERY_ID = /^wd_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Sorts by the time of creation. */
export const newEndpointId = (now: number): string => `we_${encodeTime(now)}${randomLetters()}`;

export const isEndpointId = (id: string): boolean => ENDPOINT_ID.test(id);

/** Derived from endpoint and event, so that a delivery exists once. Sorts by the time of the event. */
export const toDeliveryId = (
  endpointId: string,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
): string => `wd_${encodeTime(createdAt)}${derive([endpointId, id], 16)}`;

export const isDeliveryId = (id: string): boolean => DELIVERY_ID.test(id);
