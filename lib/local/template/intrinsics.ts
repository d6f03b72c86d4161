import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';

/** Marks a property that AWS::NoValue removes. */
const NO_VALUE = Symbol('AWS::NoValue');

export type Lookups = {
  /** Undefined for an unknown name; `null` for AWS::NoValue. */
  readonly ref: (name: string) => unknown;
  readonly attribute: (logicalId: string, attribute: string) => unknown;
  /** Undefined for an unknown name. */
  readonly condition: (name: string) => boolean | undefined;
};

type Evaluate = (argument: unknown, context: Context) => unknown;

type Context = {
  readonly lookups: Lookups;
  readonly fail: (reason: string) => never;
  readonly value: (expression: unknown) => unknown;
  readonly text: (expression: unknown) => string;
};

const pair = z.tuple([z.unknown(), z.unknown()]);
const list = z.array(z.unknown());
const string = z.string();
const strings = z.array(string);
const substitution = z.union([
  z.string().transform((text) => ({ text, variables: {} })),
  z
    .tuple([z.string(), z.record(z.string(), z.unknown())])
    .transform(([text, variables]) => ({ text, variables })),
]);

const ref: Evaluate = (name, { lookups, fail }) => {
  const value = lookups.ref(string.parse(name));
  if (value === undefined) fail(`refers to ${name}, which the template does not have`);
  return value === null ? NO_VALUE : value;
};

const attribute: Evaluate = (argument, { lookups, fail }) => {
  const path = typeof argument === 'string' ? argument.split('.') : strings.parse(argument);
  const [logicalId = '', ...rest] = path;
  return (
    lookups.attribute(logicalId, rest.join('.')) ??
    fail(`refers to ${path.join('.')}, which has no local value`)
  );
};

const substitute: Evaluate = (argument, context) => {
  const { text, variables } = substitution.parse(argument);
  const own: Readonly<Record<string, unknown>> = variables;
  return text.replace(/\$\{(!?)([^}]+)\}/g, (_match, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`;
    if (Object.hasOwn(own, name)) return context.text(own[name]);
    return context.text(name.includes('.') ? { 'Fn::GetAtt': name } : { Ref: name });
  });
};

const choose: Evaluate = (argument, { lookups, fail, value }) => {
  const [name, whenTrue, whenFalse] = z.tuple([string, z.unknown(), z.unknown()]).parse(argument);
  const chosen =
    lookups.condition(name) ?? fail(`names the condition ${name}, which the template does not have`);
  return value(chosen ? whenTrue : whenFalse);
};

const truth = (argument: unknown, { lookups, fail, value }: Context): readonly boolean[] =>
  list.parse(argument).map((one) => {
    const named = z.strictObject({ Condition: string }).safeParse(one);
    const found = named.success ? lookups.condition(named.data.Condition) : value(one);
    return typeof found === 'boolean' ? found : fail('is not a condition');
  });

const FUNCTIONS: Readonly<Record<string, Evaluate>> = {
  Ref: ref,
  'Fn::If': choose,
  'Fn::Equals': (argument, { value }) => {
    const [one, other] = pair.parse(argument).map(value);
    return JSON.stringify(one) === JSON.stringify(other);
  },
  'Fn::Not': (argument, context) => truth(argument, context).every((one) => !one),
  'Fn::And': (argument, context) => truth(argument, context).every((one) => one),
  'Fn::Or': (argument, context) => truth(argument, context).some((one) => one),
  'Fn::GetAtt': attribute,
  'Fn::Sub': substitute,
  'Fn::Join': (argument, { text, value }) => {
    const [separator, parts] = pair.parse(argument);
    return list.parse(value(parts)).map(text).join(text(separator));
  },
  'Fn::Split': (argument, { text }) => {
    const [separator, whole] = pair.parse(argument);
    return text(whole).split(text(separator));
  },
  'Fn::Select': (argument, { value, fail }) => {
    const [index, items] = pair.parse(argument);
    return list.parse(value(items))[Number(value(index))] ?? fail('selects an item that does not exist');
  },
};

/** Evaluates CloudFormation's intrinsic functions; `where` names the value in errors. */
export const evaluate = (expression: unknown, where: string, lookups: Lookups): unknown => {
  const fail = (reason: string): never => {
    throw new LocalCloudError(`${where} ${reason}.`);
  };
  const value = (inner: unknown): unknown => visit(inner, context);
  const text = (inner: unknown): string => {
    const result = value(inner);
    return typeof result === 'string' || typeof result === 'number' ? String(result) : fail('is not text');
  };
  const context: Context = { lookups, fail, value, text };
  const result = value(expression);
  return result === NO_VALUE ? undefined : result;
};

const visit = (expression: unknown, context: Context): unknown => {
  if (Array.isArray(expression)) return expression.map(context.value).filter((item) => item !== NO_VALUE);
  if (typeof expression !== 'object' || expression === null) return expression;
  const entries = Object.entries(expression);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) {
    const [key, argument] = only;
    const known = FUNCTIONS[key];
    if (known !== undefined) return known(argument, context);
    if (key.startsWith('Fn::')) return context.fail(`uses ${key}, which the local cloud does not evaluate`);
  }
  const visited = entries.map(([key, inner]) => [key, context.value(inner)] as const);
  return Object.fromEntries(visited.filter(([, inner]) => inner !== NO_VALUE));
};
