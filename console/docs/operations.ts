import { createQuery } from '../api/query.ts';
import { getJson } from '../api/request.ts';
import { lastSegment, type Schema } from './schema-text.ts';

/** The parts of the OpenAPI document that the reference shows. */
export type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
};

export type Body = {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, Body>> }>
  >;
};

export type Document = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};

export const openApi = createQuery<[], Document>((signal) => getJson('/openapi.json', signal), {
  staleMs: Number.POSITIVE_INFINITY,
});

export const resolveSchema = ({ components }: Document, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[lastSegment(schema.$ref)] ?? schema);

export const resolveParameter = ({ components }: Document, parameter: Parameter): Parameter =>
  parameter.$ref === undefined
    ? parameter
    : (components.parameters[lastSegment(parameter.$ref)] ?? parameter);

export type Route = { readonly method: string; readonly path: string; readonly operation: Operation };

export const routesByTag = ({ paths, tags }: Document): readonly (readonly [string, readonly Route[]])[] => {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags
    .map(({ name }) => [name, routes.filter(({ operation }) => operation.tags?.includes(name))] as const)
    .filter(([, group]) => group.length > 0);
};

/** The reference with this operation open. */
export const operationPath = ({ operation }: Route): string =>
  `/docs?part=reference&operation=${encodeURIComponent(operation.operationId)}`;

/** What people may type to find the operation. */
export const routeText = ({ method, path, operation }: Route): string =>
  `${method} ${path} ${operation.summary} ${operation.operationId} ${operation.tags?.join(' ') ?? ''}`;

/** Whether the text has all words, in any order. */
export const hasWords = (text: string, search: string): boolean => {
  const lower = text.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
};
