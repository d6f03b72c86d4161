/** Names under which browsers save files. */

const MAX_WORDS_LENGTH = 40;

/** `Ein „Papier“-Boot!` as `ein-papier-boot`: lower-case letters and digits of any script, cut after a whole word. */
const slug = (text: string): string => {
  const words = text
    .normalize('NFKD')
    // Accents of Latin letters only: marks of other scripts tell words apart.
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    // Longer texts cannot change the first words.
    .slice(0, 10 * MAX_WORDS_LENGTH)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word : `${name}-${word}`;
    if (Array.from(longer).length > MAX_WORDS_LENGTH) break;
    name = longer;
  }
  return name === ''
    ? Array.from(words[0] ?? '')
        .slice(0, MAX_WORDS_LENGTH)
        .join('')
    : name;
};

/** `paper-boat-8s-1080p.mp4`: the words of the name or prompt, then facts about the file. The id if there are no words. */
export const readableFileName = (
  words: string,
  {
    id,
    facts,
    extension,
  }: { readonly id: string; readonly facts: readonly string[]; readonly extension: string },
): string => {
  const start = slug(words).toWellFormed();
  return `${[start === '' ? id : start, ...facts].join('-')}.${extension}`;
};

/** `filename` is ASCII for old clients; `filename*` is exact. No character can end the header or begin another one. */
export const contentDisposition = (name: string): string => {
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/gu, '_')}"; filename*=UTF-8''${exact}`;
};
