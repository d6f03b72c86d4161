/** The start of a text, and never half of a character. */
export const truncate = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? most - 1 : most);
};

const MAX_LINE = 1000;

/** A text as one line of bounded length: what clients sent may be quoted in it. */
export const oneLine = (text: string): string =>
  truncate(text, MAX_LINE)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed();
