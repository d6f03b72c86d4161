import { useState } from 'preact/hooks';
import { useQuery } from '../api/hooks.ts';
import { createQuery } from '../api/query.ts';
import { getJson } from '../api/request.ts';
import { PREFIX } from '../environment.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { texts } from '../texts/texts.ts';
import { isRefused, lastSegment, type Schema, typeName } from './schema-text.ts';
import { TryIt } from './try-it.tsx';

/** The parts of the OpenAPI document that the reference shows. */
type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
};

type Body = {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};

type Operation = {
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

const resolveSchema = ({ components }: Document, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[lastSegment(schema.$ref)] ?? schema);

const resolveParameter = ({ components }: Document, parameter: Parameter): Parameter =>
  parameter.$ref === undefined
    ? parameter
    : (components.parameters[lastSegment(parameter.$ref)] ?? parameter);

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

/** The fields of a body; those that are refused come last. */
const fieldRows = (document: Document, schema: Schema): readonly Row[] => {
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  const fields = Object.entries(properties);
  return [false, true].flatMap((refused) =>
    fields
      .filter(([, property]) => isRefused(property) === refused)
      .map(([name, property]) => ({
        name,
        type: refused ? texts.docs.refused : typeName(property),
        required: required.includes(name),
        description: property.description ?? resolveSchema(document, property).description,
      })),
  );
};

/** The first example, indented. */
const sampleText = ({ examples = {} }: Body): string | undefined => {
  const [first] = Object.values(examples);
  return first?.value === undefined ? undefined : JSON.stringify(first.value, null, 2);
};

type SampleProps = {
  readonly title: string;
  /** Distinguishes the samples of several operations. */
  readonly of: string;
  readonly text: string | undefined;
};

const Sample = ({ title, of, text }: SampleProps) =>
  text === undefined ? null : (
    <div class="stack stack-tight">
      <h3 class="label">{title}</h3>
      <CodeBlock code={text} label={`${title}: ${of}`} />
    </div>
  );

const JSON_TYPE = 'application/json';

/** A redirect leads to a file, and a form needs one; the session of the page must be allowed. */
const canTry = ({ requestBody, responses, security = [] }: Operation): boolean =>
  security.some((scheme) => 'session' in scheme) &&
  responses['302'] === undefined &&
  (requestBody === undefined || requestBody.content[JSON_TYPE] !== undefined);

const RouteDetails = ({ document, route }: { readonly document: Document; readonly route: Route }) => {
  const { method, path, operation } = route;
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const json = operation.requestBody?.content[JSON_TYPE];
  const answer = operation.responses['200']?.content?.[JSON_TYPE];
  const [isTrying, setIsTrying] = useState(false);
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
        {json !== undefined && (
          <Sample title={texts.docs.sample} of={operation.summary} text={sampleText(json)} />
        )}
        {answer !== undefined && (
          <Sample title={texts.docs.sampleResponse} of={operation.summary} text={sampleText(answer)} />
        )}
        {canTry(operation) &&
          (isTrying ? (
            <TryIt
              method={method}
              path={path}
              name={operation.summary}
              parameters={parameters.filter(({ in: place }) => place !== 'header')}
              sample={json && (sampleText(json) ?? '{}')}
            />
          ) : (
            <div>
              <button type="button" class="button" onClick={() => setIsTrying(true)}>
                {texts.docs.tryIt}
                <span class="visually-hidden">
                  {' '}
                  {method.toUpperCase()} {path}
                </span>
              </button>
            </div>
          ))}
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
