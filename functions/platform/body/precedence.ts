import { type BodyFields, isFields, ownField, type Spellings, toParam, writtenNames } from './fields.ts';

/**
 * Fields that decide the same, in order of precedence; those of one step are equal. A field that is overridden is
 * still checked for its form and its values, so that no mistake of the client is hidden by another field.
 */
export type Precedence = readonly (readonly (readonly string[])[])[];

/** The names under which a body has the field at this path. */
export const writtenParams = (body: BodyFields, path: string, spellings: Spellings): readonly string[] => {
  const [name = '', ...places] = path.split('.').toReversed();
  let place: unknown = body;
  for (const step of places.toReversed()) place = isFields(place) ? ownField(place, step) : undefined;
  return writtenNames(name, spellings)
    .filter((written) => isFields(place) && ownField(place, written) !== undefined)
    .map((written) => toParam([...places.toReversed(), written]));
};

/** A sentence about the field that wins over the one that is wrong; empty if none does. */
export const explainPrecedence =
  (precedence: Precedence, body: BodyFields, spellings: Spellings) =>
  (param: string): string => {
    for (const steps of precedence) {
      const sent = steps.map((paths) => paths.flatMap((path) => writtenParams(body, path, spellings)));
      const step = sent.findIndex((params) => params.includes(param));
      const [winner] = sent.slice(0, Math.max(step, 0)).flat();
      if (winner !== undefined) return ` ${winner} takes precedence over it, but both are checked.`;
    }
    return '';
  };
