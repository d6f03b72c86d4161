/** Both alphabets, each by what it lacks: a search for a foreign character never goes back. */
const FOREIGN = [/[^A-Za-z0-9+/]/, /[^A-Za-z0-9_-]/];

/** What the document says of Base64 text. */
export const BASE64_PATTERN = '[A-Za-z0-9+/_-]+={0,2}';

const paddingOf = (text: string): number => {
  if (!text.endsWith('=')) return 0;
  return text.endsWith('==') ? 2 : 1;
};

/** The bytes of Base64 in either alphabet, padded or not; undefined for anything else. */
export const decodeBase64 = (text: string): Uint8Array | undefined => {
  const padding = paddingOf(text);
  const digits = text.slice(0, text.length - padding);
  const isWhole = digits.length % 4 !== 1 && (padding === 0 || text.length % 4 === 0);
  return isWhole && FOREIGN.some((foreign) => !foreign.test(digits))
    ? Buffer.from(digits, 'base64')
    : undefined;
};
