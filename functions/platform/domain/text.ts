/** Cuts a text without splitting a surrogate pair. */
export const truncate = (text: string, most: number): string => {
  const last = text.charCodeAt(most - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? most - 1 : most);
};

const MAX_LINE = 1000;

/** Turns a message into one line of limited length, because it may quote what a client sent. */
export const oneLine = (text: string): string =>
  truncate(text, MAX_LINE)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed();

export const MAX_NAME_CHARACTERS = 100;

/** Commands and pages print names, which must neither break a line nor reverse it. Joiners remain, for emoji. */
export const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

export const nameRule = (most: number): string =>
  `must have 1 to ${most} characters, none of them a control character, a line separator or a mark that changes the direction of text.`;
export const NAME_RULE = /* @__PURE__ */ nameRule(MAX_NAME_CHARACTERS);

export const nameCheck =
  (most: number) =>
  (text: string): boolean =>
    text.trim() !== '' && Array.from(text).length <= most && text.search(UNPRINTABLE) === -1;
export const isName = /* @__PURE__ */ nameCheck(MAX_NAME_CHARACTERS);

/** The start of a text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;
const SPECIAL = /[",\r\n]/;

const field = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line with its line break; null becomes an empty field. */
export const csvLine = (fields: readonly (string | number | null)[]): string =>
  `${fields.map((value) => field(String(value ?? ''))).join(',')}\r\n`;

/** `one, two and three`. The first use of `Intl` takes 20 ms, a quarter of a cold start. */
export const joinWords = (words: readonly (string | number)[], conjunction: 'and' | 'or'): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;

/** Such as `14.7 MB`. Rounded up, so that a size above a limit never reads like the limit. */
export const formatMegabytes = (bytes: number): string => `${Math.ceil(bytes / 100_000) / 10} MB`;

/** Narrows a value to the entries of a table. */
export const isOneOf = <const T extends readonly unknown[]>(table: T, value: unknown): value is T[number] =>
  table.includes(value);
