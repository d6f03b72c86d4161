/** A file of a multipart form. Its name comes from the sender; its declared type is ignored. */
export class FilePart {
  readonly bytes: Uint8Array;
  readonly name: string;

  constructor(bytes: Uint8Array, name = '') {
    this.bytes = bytes;
    this.name = name;
  }
}

/** A request body as nested fields: strings, numbers, arrays, objects without a prototype, and files. */
export type BodyFields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is BodyFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FilePart);

/** Reads an own field, never an inherited one such as `constructor`. */
export const ownField = (fields: BodyFields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export type Path = readonly PropertyKey[];

/** Names a field by its path: `images[0].data`. */
export const toParam = (path: Path): string =>
  path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');

/** Alternative names of fields, by their name in the schema. */
export type Spellings = Readonly<Record<string, readonly string[]>>;

/** Every name under which a field is read, in order of precedence: in snake_case and in camelCase. */
export const writtenNames = (name: string, spellings: Spellings): readonly string[] => {
  const others = Object.hasOwn(spellings, name) ? spellings[name] : undefined;
  const names = [name, ...(others ?? [])];
  return [...new Set([...names, ...names.map(snakeCase), ...names.map(camelCase)])];
};

/** Reads a field in camelCase or snake_case; null counts as absent. */
export const namedField = (fields: BodyFields, name: string): unknown =>
  ownField(fields, name) ?? ownField(fields, snakeCase(name)) ?? undefined;

/** The name under which an object has a field; undefined if it has none. */
export const writtenName = (place: unknown, name: string, spellings: Spellings): string | undefined =>
  writtenNames(name, spellings).find((written) => isFields(place) && Object.hasOwn(place, written));
