const OPENING = /\]\(data:image\//gi;
const END = /[)\s]/g;

const search = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from;
  return pattern.exec(text);
};

/** Where the image begins whose label ends at this place; undefined if no label does. */
const startOf = (text: string, from: number, labelEnd: number): number | undefined => {
  const after = Math.max(from, labelEnd === 0 ? 0 : text.lastIndexOf(']', labelEnd - 1) + 1);
  const offset = text.slice(after, labelEnd).indexOf('![');
  return offset === -1 ? undefined : after + offset;
};

/**
 * Takes `![label](data:image/…)` out of a text. One pattern for all of it could be made to read the text
 * again from each of its brackets, so each search here goes on where the last one ended.
 */
export const splitMarkdownImages = (text: string): { words: string; addresses: string[] } => {
  const words: string[] = [];
  const addresses: string[] = [];
  let taken = 0;
  let from = 0;
  for (;;) {
    const opening = search(OPENING, text, from);
    if (opening === null) break;
    const start = startOf(text, taken, opening.index);
    from = opening.index + opening[0].length;
    if (start === undefined) continue;
    const end = search(END, text, from);
    if (end === null) break;
    if (end[0] === ')' && end.index > from) {
      words.push(text.slice(taken, start));
      addresses.push(text.slice(opening.index + 2, end.index));
      taken = end.index + 1;
    }
    from = end.index;
  }
  return { words: [...words, text.slice(taken)].join(''), addresses };
};
