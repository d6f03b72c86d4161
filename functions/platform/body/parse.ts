import * as z from 'zod/mini';
import { DomainError, ERRORS, type ErrorCode } from '../domain/errors.ts';
import { isFields, ownField, type Path, type Spellings, toParam, writtenName } from './fields.ts';
import { IgnoredFields, type NotingContext } from './ignored-fields.ts';

type Issue = z.core.$ZodIssue;

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

/** A path in the client's spelling, which may be snake_case or an alternative name. */
const writtenPath = (path: Path, body: unknown, spellings: Spellings): Path => {
  let place = body;
  return path.map((step) => {
    const written = writtenName(place, String(step), spellings) ?? step;
    if (Array.isArray(place)) place = place[Number(step)];
    else place = isFields(place) ? ownField(place, String(written)) : undefined;
    return written;
  });
};

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERRORS, code);

/** Parses a value; returns the data and the ignored fields, or the first issue. */
const parse = <T extends z.core.$ZodType>(schema: T, value: unknown, spellings: Spellings = {}) => {
  const ignored = new IgnoredFields();
  // A body can contain a million invalid items: stop at the first.
  const context: NotingContext = { abortEarly: true, ignored };
  const { success, data, error } = z.safeParse(schema, value, context);
  if (success) return { data, ignored };
  const issue = firstIssue(error.issues);
  const params = issue.code === 'custom' ? issue.params : undefined;
  return { issue: { message: issue.message, path: writtenPath(issue.path, value, spellings), params } };
};

/** A parsed body, with the paths of the fields that are accepted but not applied. */
export type Parsed<T> = { readonly data: T; readonly ignored: readonly string[] };

/** Parses a body, or throws the error of the first invalid field, which `explain` may continue. */
export const parseNoting = <T extends z.core.$ZodType>(
  schema: T,
  body: unknown,
  spellings?: Spellings,
  explain: (param: string) => string = () => '',
): Parsed<z.output<T>> => {
  const { data, ignored, issue } = parse(schema, body, spellings);
  if (issue === undefined) return { data, ignored: ignored.pathsIn(body) };
  const { code, withoutPlace } = issue.params ?? {};
  const param = toParam(withoutPlace === true ? issue.path.slice(-1) : issue.path);
  const message = `${param} ${issue.message}${explain(param)}`;
  throw new DomainError(isErrorCode(code) ? code : 'invalid_request', message, { param });
};

/** The same, for a body without ignored fields. */
export const parseBody = <T extends z.core.$ZodType>(schema: T, body: unknown): z.output<T> =>
  parseNoting(schema, body).data;

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
