import * as z from 'zod/mini';
import { DomainError, ERRORS, type ErrorCode } from '../domain/errors.ts';
import { fieldOf, isFields, type Spellings, snakeCase } from './fields.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Says that a value has another form than this one of several; the error is that of the form it has. */
export const OTHER_FORM = 'has another form.';

/** The first issue, that of the form which the client meant where a field has several. */
const firstIssue = (issues: readonly Issue[], around: Path = []): Issue => {
  const [first] = issues;
  if (first === undefined) throw new Error('Nothing is wrong.');
  const issue = { ...first, path: [...around, ...first.path] };
  if (issue.code !== 'invalid_union') return issue;
  const [meant, other] = issue.errors.filter(([inner]) => inner?.message !== OTHER_FORM);
  return meant !== undefined && other === undefined ? firstIssue(meant, issue.path) : issue;
};

const nameIn = (place: unknown, name: string, spellings: Spellings): string =>
  [name, snakeCase(name), ...(spellings[name] ?? [])].find(
    (written) => isFields(place) && Object.hasOwn(place, written),
  ) ?? name;

/** A path with the names that the client used, which may be in snake_case or others of the schema's. */
const writtenPath = (path: Path, body: unknown, spellings: Spellings): Path => {
  let place = body;
  return path.map((step) => {
    const written = typeof step === 'number' ? step : nameIn(place, String(step), spellings);
    if (Array.isArray(place)) place = place[Number(step)];
    else place = isFields(place) ? fieldOf(place, String(written)) : undefined;
    return written;
  });
};

/** A path as clients write it: `contents[0].inline_data`. */
export const paramOf = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERRORS, code);

// A body can hold a million wrong items: the first is enough.
const FIRST_ERROR: z.core.ParseContextInternal<Issue> = { abortEarly: true };

/** What a schema reads from a value, or the first thing that is wrong with it. */
const parse = <T extends z.core.$ZodType>(schema: T, value: unknown, spellings: Spellings = {}) => {
  const { success, data, error } = z.safeParse(schema, value, FIRST_ERROR);
  if (success) return { data };
  const issue = firstIssue(error.issues);
  const params = issue.code === 'custom' ? issue.params : undefined;
  return { issue: { message: issue.message, path: writtenPath(issue.path, value, spellings), params } };
};

/** What a schema reads from a body, or the error of the first field that is wrong. */
export const parseBody = <T extends z.core.$ZodType>(
  schema: T,
  body: unknown,
  spellings?: Spellings,
): z.output<T> => {
  const { data, issue } = parse(schema, body, spellings);
  if (issue === undefined) return data;
  const { code, param = paramOf(issue.path) } = issue.params ?? {};
  throw new DomainError(isErrorCode(code) ? code : 'invalid_request', `${param} ${issue.message}`, { param });
};

type Refusal = { readonly code?: ErrorCode; readonly path?: Path; readonly param?: string };

/** Refuses a value within a transform. A message is the rest of a sentence that begins with the field's name. */
export const refuse = (
  { issues, value }: z.core.ParsePayload,
  message: string,
  { path = [], ...params }: Refusal = {},
): never => {
  issues.push({ code: 'custom', message, input: value, path: [...path], params });
  return z.NEVER;
};

/** Parses, within a transform, what was found at a path of the value. */
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
