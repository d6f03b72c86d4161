const MOST_CHARACTERS = 80;

/** What a client sent, short enough and plain enough to stand in a message. */
export const shortened = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * MOST_CHARACTERS + 2));
  const line = characters
    .slice(0, MOST_CHARACTERS)
    .join('')
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed();
  return characters.length > MOST_CHARACTERS ? `${line}…` : line;
};
