import * as z from 'zod/mini';
import { DomainError, ERRORS, type ErrorCode } from '../domain/errors.ts';

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

/** A body as the gateway delivers it: text, or bytes for binary media types. */
export type RequestBody = string | Uint8Array;

const REPLACEMENT_CHARACTER = '\ufffd';

/** The gateway replaces bytes that are not UTF-8 by U+FFFD, so text that contains it is incomplete. */
export const requireUtf8 = (text: string, what: string): void => {
  if (text.includes(REPLACEMENT_CHARACTER))
    throw new DomainError('invalid_request', `${what} is not valid UTF-8.`);
};

export const bodyText = (body: RequestBody): string =>
  typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);

export const bodyBytes = (body: RequestBody): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The issue of a form that a value does not have; the error reported is that of the form it has. */
export const OTHER_FORM = 'has another form.';

/** The first issue; for a field with several forms, the first issue of the form that was sent. */
const firstIssue = (issues: readonly Issue[], around: Path = []): Issue => {
  const [first] = issues;
  if (first === undefined) throw new Error('Nothing is wrong.');
  const issue = { ...first, path: [...around, ...first.path] };
  if (issue.code !== 'invalid_union') return issue;
  const [meant, other] = issue.errors.filter(([inner]) => inner?.message !== OTHER_FORM);
  return meant !== undefined && other === undefined ? firstIssue(meant, issue.path) : issue;
};

/** The name under which an object has a field; undefined if it has none. */
export const writtenName = (place: unknown, name: string, spellings: Spellings): string | undefined =>
  writtenNames(name, spellings).find((written) => isFields(place) && Object.hasOwn(place, written));

/** A path in the client's spelling, which may be snake_case or an alternative name. */
const writtenPath = (path: Path, body: unknown, spellings: Spellings): Path => {
  let place = body;
  return path.map((step) => {
    const written = typeof step === 'number' ? step : (writtenName(place, String(step), spellings) ?? step);
    if (Array.isArray(place)) place = place[Number(step)];
    else place = isFields(place) ? ownField(place, String(written)) : undefined;
    return written;
  });
};

export const toParam = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERRORS, code);

// A body can contain a million invalid items: stop at the first.
const FIRST_ERROR: z.core.ParseContextInternal<Issue> = { abortEarly: true };

/** Parses a value; returns the data or the first issue. */
const parse = <T extends z.core.$ZodType>(schema: T, value: unknown, spellings: Spellings = {}) => {
  const { success, data, error } = z.safeParse(schema, value, FIRST_ERROR);
  if (success) return { data };
  const issue = firstIssue(error.issues);
  const params = issue.code === 'custom' ? issue.params : undefined;
  return { issue: { message: issue.message, path: writtenPath(issue.path, value, spellings), params } };
};

/** Parses a body, or throws the error of the first invalid field. */
export const parseBody = <T extends z.core.$ZodType>(
  schema: T,
  body: unknown,
  spellings?: Spellings,
): z.output<T> => {
  const { data, issue } = parse(schema, body, spellings);
  if (issue === undefined) return data;
  const { code, withoutPlace } = issue.params ?? {};
  const param = toParam(withoutPlace === true ? issue.path.slice(-1) : issue.path);
  throw new DomainError(isErrorCode(code) ? code : 'invalid_request', `${param} ${issue.message}`, { param });
};

type Refusal = {
  readonly code?: ErrorCode;
  readonly path?: Path;
  /** Names the field without the object that has it. */
  readonly withoutPlace?: boolean;
};

/** Refuses a value within a transform. The message completes a sentence that begins with the field's name. */
export const refuse = (
  { issues, value }: z.core.ParsePayload,
  message: string,
  { path = [], ...params }: Refusal = {},
): never => {
  issues.push({ code: 'custom', message, input: value, path: [...path], params });
  return z.NEVER;
};

export const parseWithin = <T extends z.core.$ZodType>(
  schema: T,
  value: unknown,
  context: z.core.ParsePayload,
  path: Path,
): z.output<T> => {
  const { data, issue } = parse(schema, value);
  return issue === undefined
    ? data
    : refuse(context, issue.message, { ...issue.params, path: [...path, ...issue.path] });
};

/**
 * Turns form names with brackets into nested fields: `metadata[resolution]` is a field of an object,
 * `reference_images[]` and a repeated name are arrays, `images[0]` is an array too.
 */
type Node = { readonly children: Map<string, Node>; readonly values: unknown[] };

const MAX_DEPTH = 6;
const SEGMENT = /\[([^[\]]*)\]/g;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const POSITION = /^\d{1,4}$/;

const newNode = (): Node => ({ children: new Map(), values: [] });

const pathSegments = (name: string): string[] => {
  const match = NAME.exec(name);
  if (match?.[1] === undefined) return [name];
  const brackets = Array.from((match[2] ?? '').matchAll(SEGMENT), ([, segment]) => segment ?? '');
  if (brackets.length > MAX_DEPTH)
    throw new DomainError(
      'invalid_request',
      `A form field's name is nested more than ${MAX_DEPTH} levels deep.`,
    );
  return [match[1], ...brackets];
};

const child = (node: Node, segment: string): Node => {
  const known = node.children.get(segment);
  if (known !== undefined) return known;
  const created = newNode();
  node.children.set(segment, created);
  return created;
};

const has = (node: Node, path: readonly string[]): boolean => {
  const [segment, ...rest] = path;
  if (segment === undefined) return node.values.length > 0;
  const below = node.children.get(segment);
  return below !== undefined && has(below, rest);
};

/** `[]` refers to the last element if that lacks the rest of the path, otherwise to a new one. */
const element = (node: Node, rest: readonly string[]): Node => {
  const last = node.children.get(String(node.children.size - 1));
  if (last !== undefined && rest.length > 0 && !has(last, rest)) return last;
  return child(node, String(node.children.size));
};

const insert = (node: Node, path: readonly string[], value: unknown): void => {
  const [segment, ...rest] = path;
  if (segment === undefined) node.values.push(value);
  else insert(segment === '' ? element(node, rest) : child(node, segment), rest, value);
};

const toFields = (node: Node): BodyFields => {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, below] of node.children) fields[name] = toValue(below);
  return fields;
};

const toValue = (node: Node): unknown => {
  if (node.children.size === 0) return node.values.length === 1 ? node.values[0] : node.values;
  const isArray = Array.from(node.children.keys()).every((name) => POSITION.test(name));
  const nested = isArray ? Array.from(node.children.values(), toValue) : toFields(node);
  return node.values.length === 0 ? nested : [...node.values, ...(Array.isArray(nested) ? nested : [nested])];
};

export const nestFields = (parts: readonly (readonly [name: string, value: unknown])[]): BodyFields => {
  const root = newNode();
  for (const [name, value] of parts) insert(root, pathSegments(name), value);
  return toFields(root);
};
