/** Tables in the format of RFC 4180. */

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
