import { listed } from '../domain/errors.ts';
import { oneLine, truncate } from '../domain/text.ts';
import { type BodyFields, ownField, writtenNames } from './fields.ts';
import type { NotingPayload } from './ignored-fields.ts';
import { refuse } from './parse.ts';

/** Longer names are not misspellings, and comparing them would take long. */
const MAX_COMPARED = 40;
const MAX_SHOWN = 64;

/** Shortens the client's name for a field to one line: it can be a megabyte of any characters. */
export const shownName = (name: string): string =>
  name.length > MAX_SHOWN ? `${oneLine(truncate(name, MAX_SHOWN))}…` : oneLine(name);

/** The letters that two names must share, whatever their case and separators. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** How many letters must be added, removed or replaced to turn one name into the other. */
const editDistance = (one: string, other: string): number => {
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
const unknownFieldMessage = (
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

/** Names of other services, with how to send the same here. */
export type Advice = readonly (readonly [names: readonly string[], advice: string])[];

export type UnknownFieldRules = {
  readonly advice?: Advice;
  /**
   * Unknown fields are refused unless this is given: `notes` accepts those with a short plain value, which clients
   * keep for themselves, and `ignored` accepts all.
   */
  readonly unknown?: 'notes' | 'ignored';
};

/** As in OpenAI's `metadata`; far more than clients send. */
const MAX_NOTES = 64;
const MAX_NOTE_CHARACTERS = 512;
/** Shorter names of notes are often close to an option by chance, such as feed to seed. */
const MISSPELLED_CHARACTERS = 6;
const HOLDS_IMAGE = /^data:|^(?:files\/)?file_[0-9A-Za-z]/i;

const isPlain = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_NOTE_CHARACTERS && !HOLDS_IMAGE.test(value)
    : typeof value === 'number' || typeof value === 'boolean' || value === null;

/** Notes fields that are not read, and refuses those that could hold an image: for objects that are read by hand. */
export const noteUnread = (
  place: BodyFields,
  { read, harmless = [], advice }: { read: readonly string[]; harmless?: readonly string[]; advice: string },
  context: NotingPayload,
): void => {
  for (const [name, value] of Object.entries(place)) {
    if (value === null || value === undefined || read.includes(name)) continue;
    if (!isPlain(value) && !harmless.includes(name)) {
      refuse(context, `is not an accepted field: ${advice}`, {
        code: 'unknown_parameter',
        path: [shownName(name)],
      });
      return;
    }
    context.ignored.note(place, name);
  }
};

const indexAdvice = (advice: Advice): ReadonlyMap<string, string> =>
  new Map(
    advice.flatMap(([names, text]) =>
      names.flatMap((name) => writtenNames(name, {}).map((written) => [written, text] as const)),
    ),
  );

/** Refuses unknown fields, or notes those that cannot be a misspelled option. */
export const unknownFieldReader = (
  accepted: readonly string[],
  { advice = [], unknown }: UnknownFieldRules,
) => {
  const advised = indexAdvice(advice);
  const isMisspelled = (name: string): boolean =>
    name.length >= MISSPELLED_CHARACTERS && closestName(name, accepted) !== undefined;
  const isNote = (name: string, value: unknown): boolean =>
    unknown === 'notes' && isPlain(value) && !advised.has(name) && !isMisspelled(name);

  return (place: BodyFields, names: readonly string[], context: NotingPayload): void => {
    if (unknown === 'ignored') return;
    if (unknown === 'notes' && names.length > MAX_NOTES) {
      refuse(context, `has more than ${MAX_NOTES} unknown fields.`);
      return;
    }
    const stranger = names.find((name) => !isNote(name, ownField(place, name)));
    if (stranger !== undefined)
      refuse(context, unknownFieldMessage(stranger, advised.get(stranger), accepted), {
        code: 'unknown_parameter',
        path: [shownName(stranger)],
      });
    else for (const name of names) context.ignored.note(place, name);
  };
};
