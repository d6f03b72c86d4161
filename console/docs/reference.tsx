import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { useQuery } from '../api/hooks.ts';
import { PREFIX } from '../environment.ts';
import { Button } from '../parts/buttons.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { LoadState } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { formatNumber } from '../parts/format.ts';
import { useCurrentSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { findObstacle, offeredSample } from './offered-sample.ts';
import {
  type Document,
  hasWords,
  type Operation,
  openApi,
  operationPath,
  type Parameter,
  type Route,
  resolveParameter,
  resolveSchema,
  routesByTag,
  routeText,
} from './operations.ts';
import { isRefused, type Schema, typeName } from './schema-text.ts';
import { TryIt } from './try-it.tsx';

type Row = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | undefined;
};

const Rows = ({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) => (
  <div class="stack stack-tight">
    <h3 class="label">{title}</h3>
    <dl class="fields stack stack-tight">
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

const sampleText = (sample: unknown): string | undefined =>
  sample === undefined ? undefined : JSON.stringify(sample, null, 2);

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

type RouteProps = {
  readonly document: Document;
  readonly route: Route;
  /** Whether the address names the operation. */
  readonly isNamed: boolean;
};

const RouteDetails = ({ document, route, isNamed }: RouteProps) => {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isNamed || box.current === null) return;
    box.current.open = true;
    box.current.scrollIntoView({ block: 'start' });
    box.current.querySelector('summary')?.focus({ preventScroll: true });
  }, [isNamed]);
  const { method, path, operation } = route;
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(document, parameter));
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const json = operation.requestBody?.content[JSON_TYPE];
  const answer = operation.responses['200']?.content?.[JSON_TYPE];
  const { offers } = useCurrentSession();
  const obstacle = findObstacle(operation, offers);
  const sample = json && obstacle === undefined ? sampleText(offeredSample(json, offers)) : undefined;
  const [isTrying, setIsTrying] = useState(false);
  return (
    <details ref={box} class="endpoint box">
      <summary>
        <span class={`method method-${method}`}>{method.toUpperCase()}</span>
        <code class="breaks">{path}</code>
        <span class="quiet small endpoint-summary">{operation.summary}</span>
      </summary>
      <div class="stack endpoint-body">
        <p class="small">
          <Link href={operationPath(route)}>{texts.docs.linkTo(`${method.toUpperCase()} ${path}`)}</Link>
        </p>
        {operation.description !== undefined && <p>{operation.description}</p>}
        {parameters.length > 0 && <Rows title={texts.task.parameters} rows={parameters.map(parameterRow)} />}
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
        <Sample title={texts.docs.sample} of={operation.summary} text={sample} />
        {answer !== undefined && (
          <Sample
            title={texts.docs.sampleResponse}
            of={operation.summary}
            text={sampleText(Object.values(answer.examples ?? {})[0]?.value)}
          />
        )}
        {obstacle !== undefined && <p>{obstacle}</p>}
        {canTry(operation) &&
          obstacle === undefined &&
          (isTrying ? (
            <TryIt
              method={method}
              path={path}
              name={operation.summary}
              parameters={parameters.filter(({ in: place }) => place !== 'header')}
              sample={json && (sample ?? '{}')}
            />
          ) : (
            <div>
              <Button onClick={() => setIsTrying(true)}>
                {texts.docs.tryIt}
                <span class="visually-hidden">
                  {' '}
                  {method.toUpperCase()} {path}
                </span>
              </Button>
            </div>
          ))}
      </div>
    </details>
  );
};

export const Reference = () => {
  const query = useQuery(openApi);
  const document = query.data;
  const [search, setSearch] = useState('');
  const named = new URLSearchParams(useSearch()).get('operation');
  if (document === undefined) return <LoadState {...query} />;
  const groups = routesByTag(document)
    .map(([tag, routes]) => [tag, routes.filter((route) => hasWords(routeText(route), search))] as const)
    .filter(([, routes]) => routes.length > 0);
  const count = groups.reduce((sum, [, routes]) => sum + routes.length, 0);
  return (
    <div class="stack">
      <search>
        <TextField
          label={texts.docs.search}
          hint={texts.docs.found(formatNumber(count))}
          type="search"
          data-search
          value={search}
          onChange={setSearch}
        />
      </search>
      <p>
        <a href={`${PREFIX}/openapi.json`}>{texts.docs.openapi}</a>
      </p>
      {groups.map(([tag, routes]) => (
        <section key={tag} class="stack stack-tight">
          <h2>{tag}</h2>
          {routes.map((route) => (
            <RouteDetails
              key={`${route.method} ${route.path}`}
              document={document}
              route={route}
              isNamed={named === route.operation.operationId}
            />
          ))}
        </section>
      ))}
    </div>
  );
};
