import { createQuery } from '../api/query.ts';
import { getJson } from '../api/request.ts';
import { useQuery } from '../api/use-query.ts';
import { PREFIX } from '../environment.ts';
import { ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { texts } from '../texts/texts.ts';

/** The parts of the OpenAPI document that the reference shows. */
type Schema = {
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

type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
};

type Operation = {
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
};

type Document = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};

const openApi = createQuery<[], Document>((signal) => getJson('/openapi.json', signal), {
  staleMs: Number.POSITIVE_INFINITY,
});

const lastSegment = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const resolveSchema = ({ components }: Document, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[lastSegment(schema.$ref)] ?? schema);

const resolveParameter = ({ components }: Document, parameter: Parameter): Parameter =>
  parameter.$ref === undefined
    ? parameter
    : (components.parameters[lastSegment(parameter.$ref)] ?? parameter);

/** Such as `string`, `4, 6, 8` or `array of ReferenceImage`. */
const typeName = (schema: Schema): string => {
  if (schema.$ref !== undefined) return lastSegment(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.items !== undefined) return `array of ${typeName(schema.items)}`;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeName))].join(' or ');
  return [schema.type ?? 'any'].flat().join(' or ');
};

type Route = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The operations of each tag, in the order of the document. */
const routesByTag = ({ paths, tags }: Document): readonly (readonly [string, readonly Route[]])[] => {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags
    .map(({ name }) => [name, routes.filter(({ operation }) => operation.tags?.includes(name))] as const)
    .filter(([, group]) => group.length > 0);
};

type Row = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | undefined;
};

const Rows = ({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) => (
  <div class="stack stack-tight">
    <h3 class="label">{title}</h3>
    <dl class="fields">
      {rows.map(({ name, type, required, description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {required && <span class="wrong"> {texts.docs.required}</span>}
          </dt>
          <dd>
            <span class="quiet small">{type}</span>
            {description !== undefined && <span>{description}</span>}
          </dd>
        </div>
      ))}
    </dl>
  </div>
);

const parameterRow = ({ name, in: location, required, description }: Parameter): Row => ({
  name,
  type: location,
  required: required === true,
  description,
});

const fieldRows = (document: Document, schema: Schema): readonly Row[] => {
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeName(property),
    required: required.includes(name),
    description: property.description ?? resolveSchema(document, property).description,
  }));
};

const RouteDetails = ({ document, route }: { readonly document: Document; readonly route: Route }) => {
  const { method, path, operation } = route;
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return (
    <details class="endpoint">
      <summary>
        <span class={`method method-${method}`}>{method.toUpperCase()}</span>
        <code class="endpoint-path">{path}</code>
        <span class="quiet small endpoint-summary">{operation.summary}</span>
      </summary>
      <div class="stack endpoint-body">
        {operation.description !== undefined && <p>{operation.description}</p>}
        {parameters.length > 0 && <Rows title={texts.docs.parameters} rows={parameters.map(parameterRow)} />}
        {bodies.map(([type, { schema }]) => (
          <Rows key={type} title={texts.docs.body(type)} rows={fieldRows(document, schema)} />
        ))}
        <Rows
          title={texts.docs.responses}
          rows={Object.entries(operation.responses).map(([status, { description }]) => ({
            name: status,
            type: '',
            required: false,
            description,
          }))}
        />
      </div>
    </details>
  );
};

/** All endpoints, rendered from the OpenAPI document of the service. */
export const Reference = () => {
  const { data: document, error, refetch } = useQuery(openApi);
  if (document === undefined)
    return error === null ? <Waiting /> : <ErrorProblem error={error} retry={refetch} />;
  return (
    <div class="stack">
      <p>
        <a href={`${PREFIX}/openapi.json`}>{texts.docs.openapi}</a>
      </p>
      {routesByTag(document).map(([tag, routes]) => (
        <section key={tag} class="stack stack-tight">
          <h2>{tag}</h2>
          {routes.map((route) => (
            <RouteDetails key={`${route.method} ${route.path}`} document={document} route={route} />
          ))}
        </section>
      ))}
    </div>
  );
};
