const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The place of the quote that ends a string, or the end of the text. */
const endOfString = (text: string, from: number): number => {
  let end = text.indexOf('"', from);
  while (end !== -1) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH && end - 1 - escapes >= from) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
};

/** True for JSON nested deeper than any request: whatever walks over it could run out of stack. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Images are strings of megabytes, so strings are passed over in one step.
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
};
