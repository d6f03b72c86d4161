/** dynalite parses the same few expressions for every request; its grammar backtracks, which takes most of its time. */

type AttributeValue = Readonly<Record<string, unknown>>;
type Unused = Record<string, true>;

type Context = {
  readonly attrNames?: Names;
  readonly attrVals?: Values;
  /** The parser removes the names and values that it meets. */
  readonly unusedAttrNames: Unused;
  readonly unusedAttrVals: Unused;
};

export type Parser = { parse(text: string, options: { readonly context: Context }): unknown };

type Names = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, AttributeValue>>;
type FillIn = (values: Values) => unknown;

type Remembered = {
  readonly fillIn: FillIn;
  readonly names: readonly string[];
  readonly values: readonly string[];
};

const MAX_REMEMBERED = 500;

/** The parser compares these values, or looks at more of them than their types. */
const DEPENDS_ON_VALUES = /between|attribute_type/i;

/** Turns a parsed expression into a function that builds it with the values of another request. */
const template = (parsed: unknown, placeholders: ReadonlyMap<unknown, string>): FillIn => {
  const placeholder = placeholders.get(parsed);
  if (placeholder !== undefined) return (values) => values[placeholder];
  if (Array.isArray(parsed)) {
    const parts = parsed.map((part) => template(part, placeholders));
    return (values) => parts.map((part) => part(values));
  }
  if (typeof parsed !== 'object' || parsed === null) return () => parsed;
  const members = Object.entries(parsed).map(([key, part]) => [key, template(part, placeholders)] as const);
  const prototype: object | null = Object.getPrototypeOf(parsed);
  return (values) => {
    const copy: Record<string, unknown> = Object.create(prototype);
    for (const [key, part] of members) copy[key] = part(values);
    return copy;
  };
};

const allUnused = (names: object): Unused =>
  Object.fromEntries(Object.keys(names).map((name) => [name, true as const]));

const listUsed = (names: object, unused: Unused): string[] =>
  Object.keys(names).filter((name) => !(name in unused));

/** Makes the parser remember expressions that differ only in values of the same types, but no errors. */
export const rememberExpressions = (parser: Parser): void => {
  const remembered = new Map<string, Remembered>();
  const parse = parser.parse.bind(parser);
  parser.parse = (text, { context }) => {
    const { attrNames = {}, attrVals = {}, unusedAttrNames, unusedAttrVals } = context;
    if (DEPENDS_ON_VALUES.test(text)) return parse(text, { context });
    const types = Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)]);
    const key = JSON.stringify([text, attrNames, types]);
    let found = remembered.get(key);
    if (found === undefined) {
      const all = { unusedAttrNames: allUnused(attrNames), unusedAttrVals: allUnused(attrVals) };
      const parsed = parse(text, { context: { ...context, ...all } });
      if (typeof parsed === 'string') return parsed;
      const placeholders = new Map<unknown, string>(
        Object.entries(attrVals).map(([name, value]) => [value, name]),
      );
      found = {
        fillIn: template(parsed, placeholders),
        names: listUsed(attrNames, all.unusedAttrNames),
        values: listUsed(attrVals, all.unusedAttrVals),
      };
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, found);
    }
    for (const name of found.names) delete unusedAttrNames[name];
    for (const name of found.values) delete unusedAttrVals[name];
    return found.fillIn(attrVals);
  };
};
