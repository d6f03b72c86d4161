import * as z from 'zod/mini';
import { type BodyFields, isFields, toParam } from './fields.ts';

/** The fields that are accepted but not applied, and those that are refused with any value. */
export const EFFECTLESS = z.registry<{ readonly as: 'ignored' | 'refused' }>();

type Step = string | number;

/** A list's items are not numbered, because each of them may have the same field. */
const toName = (path: readonly Step[]): string =>
  toParam(
    path.map((step) => (typeof step === 'number' ? step : encodeURIComponent(step.toWellFormed()))),
  ).replace(/\[\d+\]/g, '[]');

/** The fields of a body that are accepted but not applied, by the object that has them. */
export class IgnoredFields {
  readonly #names = new Map<BodyFields, Set<string>>();

  note(place: BodyFields, name: string): void {
    const names = this.#names.get(place);
    if (names === undefined) this.#names.set(place, new Set([name]));
    else names.add(name);
  }

  /** Names the fields by their path in the body: `metadata.campaign`. */
  pathsIn(body: unknown): readonly string[] {
    const left = new Map(this.#names);
    const paths = new Set<string>();
    const visit = (value: unknown, path: readonly Step[]): void => {
      if (left.size === 0) return;
      if (Array.isArray(value)) {
        for (const [position, item] of value.entries()) visit(item, [...path, position]);
        return;
      }
      if (!isFields(value)) return;
      for (const name of left.get(value) ?? []) paths.add(toName([...path, name]));
      left.delete(value);
      for (const [name, item] of Object.entries(value)) visit(item, [...path, name]);
    };
    visit(body, []);
    return [...paths];
  }
}

/** The context of a parse that notes ignored fields. */
export type NotingContext = z.core.ParseContextInternal<z.core.$ZodIssue> & {
  readonly ignored: IgnoredFields;
};

export type NotingPayload = z.core.ParsePayload & { readonly ignored: IgnoredFields };

const ignoredIn = (context: object): IgnoredFields =>
  'ignored' in context && context.ignored instanceof IgnoredFields ? context.ignored : new IgnoredFields();

/** A transform that can note ignored fields: zod passes the context of a parse to schemas, but not to their functions. */
export const notingTransform = <T>(read: (value: unknown, payload: NotingPayload) => T) => {
  const apply = (payload: z.core.ParsePayload, context: object): T =>
    read(payload.value, { ...payload, ignored: ignoredIn(context) });
  const schema = z.transform((_: unknown, payload) => apply(payload, {}));
  schema._zod.parse = (payload, context) => Object.assign(payload, { value: apply(payload, context) });
  schema._zod.run = schema._zod.parse;
  return schema;
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
