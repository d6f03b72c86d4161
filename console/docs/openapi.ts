import { createQuery } from '../api/query.ts';
import { getJson } from '../api/request.ts';

/** As much of an OpenAPI document as the reference shows. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

export type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
};

export type Operation = {
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
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

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export const resolveSchema = ({ components }: Document, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? schema);

export const resolveParameter = ({ components }: Document, parameter: Parameter): Parameter =>
  parameter.$ref === undefined ? parameter : (components.parameters[nameIn(parameter.$ref)] ?? parameter);

/** A type in a few words: `string`, `4, 6, 8`, `array of ReferenceImage`. */
export const typeName = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.items !== undefined) return `array of ${typeName(schema.items)}`;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeName))].join(' or ');
  return [schema.type ?? 'any'].flat().join(' or ');
};

export type Route = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The operations of each tag, in the document's order. */
export const routesByTag = ({ paths, tags }: Document): readonly (readonly [string, readonly Route[]])[] => {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags
    .map(({ name }) => [name, routes.filter(({ operation }) => operation.tags?.includes(name))] as const)
    .filter(([, group]) => group.length > 0);
};
