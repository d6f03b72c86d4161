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
