import { invalidField, listed } from '../domain/errors.ts';
import { isOneOf } from '../domain/models.ts';
import { FilePart } from './body-fields.ts';

/** Readers of one field's value: undefined where it is absent, an error that names it where it is wrong. */

export const readText = (param: string, value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  if (value instanceof FilePart) throw invalidField(param, `${param} must be text, not a file.`);
  if (typeof value !== 'string') throw invalidField(param, `${param} must be a string, given once.`);
  if (!value.isWellFormed()) throw invalidField(param, `${param} is not well-formed Unicode text.`);
  return value;
};

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;

/** Accepts 8 and "8", as clients of both encodings send them; not "8.0", " 8", -8, 1e1, "" or null. */
export const readWholeNumber = (param: string, value: unknown): number | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  if (typeof value === 'string' && WHOLE_NUMBER.test(value)) return Number(value);
  throw invalidField(param, `${param} must be a whole number, such as 8 or "8".`);
};

export const readChoice = <const T extends readonly string[]>(
  param: string,
  choices: T,
  value: unknown,
): T[number] | undefined => {
  const text = readText(param, value);
  if (text === undefined) return undefined;
  if (isOneOf(choices, text)) return text;
  throw invalidField(param, `${param} must be one of ${listed(choices)}.`);
};
