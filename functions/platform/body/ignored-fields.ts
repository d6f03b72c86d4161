import { type BodyFields, isFields } from './fields.ts';
import { toParam } from './parse.ts';

/** Collects the fields that a request may have but that are not applied, to name them in the response. */

/** Names by the object that has them. Parsing is synchronous, so there is only one collection at a time. */
let collected: Map<BodyFields, Set<string>> | undefined;

export const noteIgnored = (place: BodyFields, name: string): void => {
  const names = collected?.get(place);
  if (names === undefined) collected?.set(place, new Set([name]));
  else names.add(name);
};

type Step = string | number;

/** A list's items are not numbered, because each of them may have the same field. */
const toName = (path: readonly Step[]): string =>
  toParam(
    path.map((step) => (typeof step === 'number' ? step : encodeURIComponent(step.toWellFormed()))),
  ).replace(/\[\d+\]/g, '[]');

const findNames = (
  value: unknown,
  path: readonly Step[],
  notes: Map<BodyFields, Set<string>>,
  names: Set<string>,
): void => {
  if (notes.size === 0) return;
  if (Array.isArray(value)) {
    value.forEach((item, position) => {
      findNames(item, [...path, position], notes, names);
    });
    return;
  }
  if (!isFields(value)) return;
  for (const name of notes.get(value) ?? []) names.add(toName([...path, name]));
  notes.delete(value);
  for (const [name, item] of Object.entries(value))
    if (typeof item === 'object') findNames(item, [...path, name], notes, names);
};

/** Reads a body, and names the fields that were accepted without an effect: `metadata.campaign`. */
export const collectIgnored = <Result>(
  body: BodyFields,
  read: () => Result,
): { readonly result: Result; readonly ignored: readonly string[] } => {
  const notes = new Map<BodyFields, Set<string>>();
  collected = notes;
  try {
    const result = read();
    const names = new Set<string>();
    findNames(body, [], notes, names);
    return { result, ignored: [...names] };
  } finally {
    collected = undefined;
  }
};

const MAX_NAMES = 50;
const MAX_CHARACTERS = 1000;

/** A header of limited length: names that do not fit are left out. */
export const ignoredHeaders = (names: readonly string[]): Record<string, string> => {
  let list = '';
  for (const name of names.slice(0, MAX_NAMES)) {
    const longer = list === '' ? name : `${list}, ${name}`;
    if (longer.length <= MAX_CHARACTERS) list = longer;
  }
  return list === '' ? {} : { 'x-ignored-parameters': list };
};
