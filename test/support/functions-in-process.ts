import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock } from 'node:test';
import { functionFiles } from '../../lib/lambda/bundle-options.ts';
import { type ClientConfig, HOME, startEmulators } from '../../lib/local/emulators/start.ts';
import { readFunctions } from '../../lib/local/functions/definition.ts';
import { awslambda, openResponseStream, readStreaming } from '../../lib/local/functions/runtime-handler.ts';
import { readBuckets } from '../../lib/local/provision/buckets.ts';
import { readQueues } from '../../lib/local/provision/queues.ts';
import { provisionTables } from '../../lib/local/provision/tables.ts';
import { createStack } from '../../lib/local/template/stack.ts';
import { readSynthesizedStack, type TemplateFiles } from '../../lib/local/template/template.ts';
import { assemblyFor } from './assembly.ts';

/** The stores of the stack, and its functions in this very process, for tests that need no gateway and no queue. */

type LogLine = Readonly<Record<string, unknown>> & { readonly message: string };

/** Keeps the lines that functions log, and lets everything else through to the test runner. */
export const captureLog = (): LogLine[] => {
  const lines: LogLine[] = [];
  const write = process.stdout.write.bind(process.stdout);
  mock.method(process.stdout, 'write', (chunk: string | Uint8Array) => {
    if (typeof chunk !== 'string' || !chunk.startsWith('{"level":')) return write(chunk);
    lines.push(JSON.parse(chunk));
    return true;
  });
  return lines;
};

type Handler = (event: unknown, ...rest: readonly unknown[]) => Promise<unknown>;

const context = { getRemainingTimeInMillis: () => 60_000 };

/** Runs a handler that streams, and returns what a function that does not would. */
const collect = async (handler: Handler, event: unknown) => {
  const chunks: Uint8Array[] = [];
  const { stream, sent } = openResponseStream(async (chunk) => void chunks.push(chunk));
  await handler(event, stream, context);
  await sent;
  return readStreamedAnswer(Buffer.concat(chunks).toString());
};

type Query = Readonly<Record<string, string>>;
type Request = {
  readonly key: string;
  readonly path?: Query;
  readonly query?: Query;
  readonly headers?: Query;
  /** GET, unless given. */
  readonly method?: string;
  readonly json?: unknown;
};

type RawRequest = Pick<Request, 'path' | 'query' | 'method'> & {
  readonly headers: Query;
  readonly body?: string | undefined;
};

/** The event of a request, as API Gateway passes it to a function. */
export const gatewayEvent = ({ path, query = {}, headers, method = 'GET', body }: RawRequest) => ({
  httpMethod: method,
  resource: '/',
  path: '/',
  headers: { Host: 'service.test', ...headers },
  queryStringParameters: query,
  multiValueQueryStringParameters: Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, [value]]),
  ),
  pathParameters: path ?? null,
  body: body ?? null,
  isBase64Encoded: false,
  requestContext: { requestId: 'in-process', path: '/', domainName: 'service.test', stage: 'prod' },
});

const toEvent = ({ key, headers, json, ...request }: Request) =>
  gatewayEvent({
    ...request,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? undefined : JSON.stringify(json),
  });

/** The answer of a function that streams: its status and headers, eight zero bytes, and its body. */
export const readStreamedAnswer = (text: string) => {
  const end = text.indexOf('\0');
  return { ...JSON.parse(text.slice(0, end)), body: text.slice(end).replace(/^\0+/, '') };
};

/** The functions of a stack in this process, with all their variables and the rights of the given client. */
export const loadFunctions = async (
  files: TemplateFiles,
  { endpoint, region, credentials }: ClientConfig,
) => {
  const { template, assetPath } = await readSynthesizedStack(files);
  const stack = createStack(template, { ...HOME, stackName: 'MediaGeneration', endpoint });
  const variables: Readonly<Record<string, string>> = Object.assign(
    {},
    ...readFunctions(stack, assetPath).map((each) => each.variables),
  );
  Object.assign(process.env, variables, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  Object.assign(globalThis, { awslambda });
  const sources = functionFiles();
  const load = async (name: string): Promise<Handler> =>
    (await import(sources.get(name) ?? assert.fail(name))).handler;
  return {
    stack,
    variables,
    log: captureLog(),
    invoke: async (name: string, event: unknown) => (await load(name))(event, context),
    /** Answers a request to a function of the API. */
    answer: async (name: string, event: unknown): Promise<unknown> => {
      const handler = await load(name);
      return readStreaming(handler) === undefined ? handler(event, context) : collect(handler, event);
    },
  };
};

export const openFunctions = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'functions-'));
  const files = await assemblyFor('http://127.0.0.1:9', folder);
  const { template } = await readSynthesizedStack(files);
  const named = createStack(template, { ...HOME, stackName: 'MediaGeneration' });
  const emulators = await startEmulators({
    ...HOME,
    queues: readQueues(named),
    buckets: readBuckets(named),
    dataDir: join(folder, 'data'),
    masterSecret: 'master',
    secrets: {},
  });
  after(async () => {
    await emulators.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { endpoint } = emulators;
  const clientConfig = { endpoint, region: HOME.region, credentials: emulators.credentials('operator') };
  const { stack, variables, log, invoke, answer } = await loadFunctions(files, clientConfig);
  await provisionTables(stack, clientConfig);
  return {
    clientConfig,
    variable: (name: string): string => variables[name] ?? assert.fail(`no function has ${name}`),
    /** The lines since the last look. */
    takeLog: () => log.splice(0),
    invoke: (name: string, event: unknown = {}) => invoke(name, event),
    /** Sends a request to a function of the API. */
    get: async (name: string, request: Request) =>
      JSON.parse(JSON.stringify(await answer(name, toEvent(request)))),
  };
};

export type Functions = Awaited<ReturnType<typeof openFunctions>>;
