import { listed, oneLine, truncate } from '../domain/errors.ts';

/** Messages about fields that a request does not have. */

/** Longer names are not misspellings, and comparing them would take long. */
const MAX_COMPARED = 40;
const MAX_SHOWN = 64;

/** A client's name, short and on one line: it can be a megabyte of anything. */
export const shownName = (name: string): string =>
  name.length > MAX_SHOWN ? `${oneLine(truncate(name, MAX_SHOWN))}…` : oneLine(name);

/** The letters that two names must share, whatever their case and separators. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** How many letters must be added, removed or replaced to turn one name into the other. */
export const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line += 1) {
    const above = row;
    row = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row[other.length] ?? 0;
};

/** The accepted name that was probably meant; undefined if none is close. */
export const closestName = (name: string, accepted: readonly string[]): string | undefined => {
  if (name.length > MAX_COMPARED) return undefined;
  const folded = fold(name);
  // A third of the letters may differ, but short names have too many neighbours.
  const most = Math.min(3, Math.floor(folded.length / 3));
  let closest: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of accepted) {
    const letters = fold(candidate);
    if (Math.abs(letters.length - folded.length) > most) continue;
    const distance = editDistance(folded, letters);
    if (distance <= most && distance < (closest?.distance ?? Number.POSITIVE_INFINITY))
      closest = { candidate, distance };
  }
  return closest?.candidate;
};

/** Completes a sentence that begins with the name of the field. */
export const unknownFieldMessage = (
  name: string,
  advice: string | undefined,
  accepted: readonly string[],
): string => {
  if (advice !== undefined) return `is not an accepted field: ${advice}`;
  const closest = closestName(name, accepted);
  return closest === undefined
    ? `is not an accepted field. Accepted here: ${listed(accepted)}.`
    : `is not an accepted field. Did you mean ${closest}?`;
};
