import { DomainError } from '../domain/errors.ts';

/** A file of a multipart form; its name is the sender's word, and so is its type, which nobody asks for. */
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

/** A field's value if the body itself has it, never one that every object inherits. */
export const fieldOf = (fields: BodyFields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Other names that fields may come under, by the name that the schema has. */
export type Spellings = Readonly<Record<string, readonly string[]>>;

/** A field that may be named in camelCase or in snake_case; null is absence. */
export const namedField = (fields: BodyFields, name: string): unknown =>
  fieldOf(fields, name) ?? fieldOf(fields, snakeCase(name)) ?? undefined;

/** A body as the gateway hands it over: text, or bytes for the declared binary types. */
export type RequestBody = string | Uint8Array;

const REPLACEMENT_CHARACTER = '\ufffd';

/** The gateway turns bytes that are not UTF-8 into U+FFFD; text that has it raw lost something on the way. */
export const requireUtf8 = (text: string, what: string): void => {
  if (text.includes(REPLACEMENT_CHARACTER))
    throw new DomainError('invalid_request', `${what} is not valid UTF-8.`);
};

export const bodyText = (body: RequestBody): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

export const bodyBytes = (body: RequestBody): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;
