import * as z from 'zod/mini';
import { listed } from '../domain/errors.ts';
import { isName, MAX_NAME_CHARACTERS, NAME_RULE } from '../domain/text.ts';
import { type FieldRules, fieldReader } from './field-names.ts';
import { FilePart } from './fields.ts';
import { EFFECTLESS, notingTransform } from './ignored-fields.ts';
import { OTHER_FORM, refuse } from './parse.ts';

/** Schemas of single fields: each parses a value and describes it in the OpenAPI document. */

/** The message for a missing field, for a file and for any other invalid value. */
export const says = (message: string, missing = 'is required.') => ({
  error: ({ input }: { readonly input?: unknown }) => {
    if (input === undefined) return missing;
    return input instanceof FilePart ? 'must be text, not a file.' : message;
  },
});

/** The description belongs to the field, so that fields with the same schema can differ in it. */
export const optional = <T extends z.core.$ZodType>(schema: T, description: string) =>
  z.optional(schema).check(z.describe(description));

export const text = (missing?: string) =>
  z
    .string(says('must be a string, given once.', missing))
    .check(
      z.refine((value) => value.isWellFormed(), { error: 'is not well-formed Unicode text.', abort: true }),
    );

/** Text of limited length, counted in code points. */
export const limitedText = (most: number, missing?: string) =>
  text(missing).check(
    z.refine(
      (value) => value.length <= most || (value.length <= 2 * most && Array.from(value).length <= most),
      `is longer than ${most} characters.`,
    ),
    z.meta({ maxLength: most }),
  );

export const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, says(`must be one of ${listed(values)}.`));

export const flag = () => z.boolean(says('must be true or false.'));

export const numberFrom = (low: number, high: number) => {
  const message = says(`must be a number from ${low} to ${high}.`);
  return z.number(message).check(z.gte(low, message), z.lte(high, message));
};

/** Refuses a list that is too long before parsing its items: a body can contain a million of them. */
const bounded = <T extends z.core.$ZodType>(most: number, refusal: string | undefined, items: T) =>
  z.nonoptional(
    z.pipe(
      z.transform((value, context) =>
        Array.isArray(value) && value.length > most
          ? refuse(
              context,
              refusal ?? `must be a list of at most ${most} items, but ${value.length} were sent.`,
            )
          : value,
      ),
      items,
    ),
  );

export const list = <T extends z.core.$ZodType>(item: T, most: number, refusal?: string) =>
  bounded(most, refusal, z.array(item, says('must be a list.')).check(z.maxLength(most)));

export const filledList = <T extends z.core.$ZodType>(item: T, most: number, refusal?: string) => {
  const message = 'must be a list with at least one item.';
  return bounded(
    most,
    refusal,
    z
      .array(item, says(message, message))
      .check(z.minLength(1, { error: message, abort: true }), z.maxLength(most)),
  );
};

type Value = string | number | boolean;

/** Forms send all values as text. */
const withText = <T extends Value>(values: readonly T[]): (T | string)[] => [
  ...values,
  ...values.filter((value) => typeof value !== 'string').map(String),
];

/** Accepts only what happens anyway: for any other value, the client would not get what it expects. */
export const only = <const T extends Value>(values: readonly T[], reason: string) => {
  const accepted = `${values.length === 1 ? '' : 'one of '}${listed(values.map(String))}`;
  return optional(
    z.literal(withText(values), says(`must be ${accepted}: ${reason}`)),
    `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`,
  );
};

/** A field that is refused with any value. */
export const forbidden = (refusal: (context: z.core.ParsePayload) => never, description: string) => {
  const field = optional(
    z.pipe(
      z.transform((_, context) => refusal(context)),
      z.never(),
    ),
    description,
  );
  EFFECTLESS.add(field, { as: 'refused' });
  return field;
};

export const map = <T extends z.core.$ZodType, Changed>(
  schema: T,
  change: (value: z.output<T>, context: z.core.ParsePayload) => Changed,
) => z.pipe(schema, z.transform(change));

/** A value that is parsed by code, with its schema in the OpenAPI document. */
export const leaf = <T>(
  read: (value: unknown, context: z.core.ParsePayload) => T,
  document: Readonly<Record<string, unknown>>,
) => {
  const passed: z.ZodMiniType<T> = z.any().check(z.meta(document));
  return z.nonoptional(
    z.pipe(
      z.transform((value, context): unknown => read(value, context)),
      passed,
    ),
  );
};

/** Any value: for fields that are not applied. */
export const anything = (example: unknown) => leaf((value) => value, { examples: [example] });

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;

/** Accepts 8 and "8", as JSON and forms send them; not "8.0", " 8", -8, 1e1, "" or null. */
export const wholeNumber = (minimum = 0, maximum?: number, refusal?: string) => {
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const example = minimum <= 8 && (maximum ?? 8) >= 8 ? 8 : minimum;
  const message = refusal ?? `must be a whole number ${range}, such as ${example} or "${example}".`;
  return leaf(
    (value, context) => {
      const number = typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : value;
      return typeof number === 'number' &&
        Number.isSafeInteger(number) &&
        number >= minimum &&
        number <= (maximum ?? Number.MAX_SAFE_INTEGER)
        ? number
        : refuse(context, message);
    },
    {
      anyOf: [
        { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) },
        { type: 'string', pattern: WHOLE_NUMBER.source, examples: [String(example)] },
      ],
    },
  );
};

/** Clients send few combinations of fields, but could send any. */
const MAX_PARTS = 100;

/** Parses like `z.object`, which would also run the schemas of all absent fields: most of the forty of a request. */
const sentFields = <T extends z.core.$ZodShape>(shape: T) => {
  const whole = z.object(shape);
  const names = Object.keys(shape);
  const required = new Set(names.filter((name) => shape[name]?._zod.optin !== 'optional'));
  const parts = new Map<string, z.core.$ZodType>();
  /** In the order of the shape, which is that of the errors. */
  const createPart = (given: object): z.core.$ZodType => {
    const sent = names.filter((name) => required.has(name) || Object.hasOwn(given, name));
    return z.object(Object.fromEntries(sent.map((name) => [name, shape[name]])));
  };
  whole._zod.parse = (payload, context) => {
    const given: object = Object(payload.value);
    const key = Object.keys(given).join();
    let part = parts.get(key);
    if (part === undefined) {
      part = createPart(given);
      if (parts.size < MAX_PARTS) parts.set(key, part);
    }
    return part._zod.run(payload, context);
  };
  whole._zod.run = whole._zod.parse;
  return whole;
};

/** An object whose fields may have alternative names, in snake_case or camelCase; unknown fields are refused. */
export const fields = <T extends z.core.$ZodShape>(shape: T, rules: FieldRules = {}) =>
  z.nonoptional(z.pipe(notingTransform(fieldReader(shape, rules)), sentFields(shape)));

/** The same, but null counts as absent. */
export const lenientFields = <T extends z.core.$ZodShape>(shape: T, rules: FieldRules = {}) =>
  fields(shape, { ...rules, nullIsAbsent: true });

/** An object whose unknown fields are ignored. */
export const openFields = <T extends z.core.$ZodShape>(shape: T) => fields(shape, { unknown: 'ignored' });

/** A field that is accepted but not applied; the response names it in `x-ignored-parameters`. */
export const ignored = <T extends z.core.$ZodType>(schema: T, reason = '') => {
  const field = optional(schema, `Accepted but not applied.${reason === '' ? '' : ` ${reason}`}`);
  EFFECTLESS.add(field, { as: 'ignored' });
  return field;
};

type Form<T> = readonly [applies: (value: unknown) => boolean, schema: z.core.$ZodType<T>];

/** One of several forms. The first that applies is parsed, so that errors refer to it. */
export const forms = <T>(options: readonly Form<T>[], message: string) => {
  const findForm = (value: unknown) => options.findIndex(([applies]) => applies(value));
  const guarded = options.map(([, schema], position) =>
    z.pipe(
      z.transform((value: unknown, context) =>
        findForm(value) === position ? value : refuse(context, OTHER_FORM),
      ),
      schema,
    ),
  );
  return z.nonoptional(z.union(guarded, says(message)));
};

export const name = () =>
  limitedText(MAX_NAME_CHARACTERS).check(z.refine(isName, { error: NAME_RULE }), z.meta({ minLength: 1 }));

export const timestamp = (meaning: string) =>
  z.int().check(z.gte(0), z.describe(`${meaning} Unix timestamp in seconds.`));
