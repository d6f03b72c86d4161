import { useQuery } from '../api/use-query.ts';
import { PREFIX } from '../environment.ts';
import { ErrorProblem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { texts } from '../texts/texts.ts';
import {
  type Document,
  openApi,
  type Parameter,
  type Route,
  resolveParameter,
  resolveSchema,
  routesByTag,
  type Schema,
  typeName,
} from './openapi.ts';

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

const parameterRow = ({ name, in: place, required, description }: Parameter): Row => ({
  name,
  type: place,
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

const Endpoint = ({ document, route }: { readonly document: Document; readonly route: Route }) => {
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
          <Rows key={type} title={texts.docs.bodyOf(type)} rows={fieldRows(document, schema)} />
        ))}
        <Rows
          title={texts.docs.answers}
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

/** Every endpoint, from the same document that tools read. */
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
            <Endpoint key={`${route.method} ${route.path}`} document={document} route={route} />
          ))}
        </section>
      ))}
    </div>
  );
};
