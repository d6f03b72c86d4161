import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { checkKey, checkToken } from './authentication.ts';
import type { FindAwsIdentity } from './aws-signature.ts';
import { Abandoned, type Generator, sendError } from './exchange.ts';
import { type GoogleIdentity, googleIdentity } from './google-identity.ts';
import { type Operation, operationStore } from './operations.ts';
import { countedFaults, type Limits, refuseWhileDown, upstreamLimits } from './refusals.ts';
import { FOREIGN_ROUTES, findRoute, GEMINI_ROUTES, TOKEN_ROUTES, VERTEX_ROUTES } from './routes.ts';
import { openStudio, type Studio, type StudioOptions } from './studio.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Kind } from './video-request.ts';

type RequestRecord = {
  readonly host: 'upstream' | 'foreign';
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
};

const MAX_RECORDS = 1000;

const requestLog = () => {
  const records: RequestRecord[] = [];
  return {
    add: (host: RequestRecord['host'], { method = '', url = '', headers }: IncomingMessage) => {
      records.push({ host, method, path: url, headers });
      if (records.length > MAX_RECORDS) records.shift();
    },
    all: (): readonly RequestRecord[] => [...records],
  };
};

type CommonOptions = {
  /** Default 0: any free port. */
  readonly port?: number;
  /** For test prompts, and to keep the operations of several upstreams apart. */
  readonly name?: string;
  /** The shortest time that an operation stays pending. */
  readonly generationSeconds?: number;
  /** The delay in RetryInfo, unless a test prompt names one. */
  readonly retryDelaySeconds?: number;
  readonly limits?: Limits;
};

export type GeminiUpstreamOptions = CommonOptions & {
  readonly apiKey: string;
  readonly keyHeader?: string;
};

export type VertexUpstreamOptions = CommonOptions & {
  readonly project: string;
  readonly location: string;
  /** The credentials of AWS whose signatures are accepted for federation; none by default. */
  readonly findAwsIdentity?: FindAwsIdentity;
};

export type SampleGeneratorOptions = GeminiUpstreamOptions & StudioOptions;
export type SampleVertexOptions = VertexUpstreamOptions & StudioOptions;

export type SampleGenerator = {
  readonly url: string;
  readonly port: number;
  /** The latest requests, oldest first, without their bodies. */
  requests(): readonly RequestRecord[];
  /** Replaces the limits from now on. */
  limit(limits: Limits): void;
  close(): Promise<void>;
};

/** Vertex AI, Cloud Storage and the token endpoints have the same URL. */
export type SampleVertex = SampleGenerator & { readonly identity: GoogleIdentity };

const sendFailure = (response: ServerResponse, error: unknown) => {
  if (error instanceof Abandoned || response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  sendError(response, error instanceof UpstreamError ? error : new UpstreamError(500));
};

const listen = async (server: Server, port: number) => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

const end = async (server: Server) => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
};

type Answer = (request: IncomingMessage, response: ServerResponse, generator: Generator) => Promise<void>;

type Protocol = {
  readonly kind: Kind;
  readonly operationName: (operation: Operation) => string;
  readonly answer: Answer;
};

const serve = async (
  options: CommonOptions,
  { folders, pictures, renderCache }: Studio,
  { kind, operationName, answer }: Protocol,
  addresses: { own: string; foreign: string },
): Promise<SampleGenerator> => {
  const { name = '', generationSeconds = 2, retryDelaySeconds = 2 } = options;
  const limits = upstreamLimits(options.limits ?? {});
  const log = requestLog();
  const generator: Generator = {
    name,
    kind,
    pictures,
    renderCache,
    operations: operationStore(
      { folder: folders.operations, upstream: name },
      renderCache,
      generationSeconds,
    ),
    faults: countedFaults(),
    retryDelaySeconds,
    limits,
    operationName,
    deletedObjects: new Set(),
    addresses: () => addresses,
  };
  const open = (host: RequestRecord['host'], answerHost: Answer) =>
    createServer((request, response) => {
      log.add(host, request);
      answerHost(request, response, generator).catch((error) => sendFailure(response, error));
    });
  const upstream = open('upstream', answer);
  const foreign = open('foreign', answerForeign);

  const port = await listen(upstream, options.port ?? 0);
  addresses.own = `http://127.0.0.1:${port}`;
  addresses.foreign = `http://localhost:${await listen(foreign, 0)}`;
  const close = async () => void (await Promise.all([end(upstream), end(foreign)]));
  return { url: addresses.own, port, requests: log.all, limit: limits.change, close };
};

const answerForeign: Answer = async (request, response, generator) => {
  const route = findRoute(FOREIGN_ROUTES, request, response);
  if (route === undefined) throw new UpstreamError(404);
  await route.handle(route.exchange, generator);
};

const startGemini = (options: GeminiUpstreamOptions, studio: Studio): Promise<SampleGenerator> => {
  const { apiKey, keyHeader = 'x-goog-api-key' } = options;
  const answer: Answer = async (request, response, generator) => {
    refuseWhileDown(generator.limits);
    checkKey(request, { apiKey, keyHeader }, generator);
    const route = findRoute(GEMINI_ROUTES, request, response);
    if (route === undefined) throw new UpstreamError(404);
    await route.handle(route.exchange, generator);
  };
  const operationName = ({ id, spec }: Operation) => `models/${spec.model}/operations/${id}`;
  return serve(options, studio, { kind: 'gemini', operationName, answer }, { own: '', foreign: '' });
};

const startVertex = async (options: VertexUpstreamOptions, studio: Studio): Promise<SampleVertex> => {
  const { project, location, findAwsIdentity = () => undefined } = options;
  const addresses = { own: '', foreign: '' };
  const identity = googleIdentity({ url: () => addresses.own, project, findAwsIdentity });
  const answer: Answer = async (request, response, generator) => {
    const token = findRoute(TOKEN_ROUTES, request, response);
    if (token !== undefined) return token.handle(token.exchange, identity);
    refuseWhileDown(generator.limits);
    const route = findRoute(VERTEX_ROUTES, request, response);
    if (route === undefined) throw new UpstreamError(404);
    checkToken(route.exchange, identity, { project, location }, generator);
    await route.handle(route.exchange, generator);
  };
  const operationName = ({ id, spec }: Operation) =>
    `projects/${project}/locations/${location}/publishers/google/models/${spec.model}/operations/${id}`;
  const generator = await serve(options, studio, { kind: 'vertex', operationName, answer }, addresses);
  return { ...generator, identity };
};

/** Starts one upstream with a studio of its own, which is closed with it. */
const startAlone = async <Options extends StudioOptions, Started extends SampleGenerator>(
  options: Options,
  start: (options: Options, studio: Studio) => Promise<Started>,
): Promise<Started> => {
  const studio = await openStudio(options);
  const generator = await start(options, studio);
  const close = async () => {
    studio.close();
    await generator.close();
  };
  return { ...generator, close };
};

/** A local upstream that speaks the Gemini API's protocol and renders real media, marked as samples. */
export const startSampleGenerator = (options: SampleGeneratorOptions): Promise<SampleGenerator> =>
  startAlone(options, startGemini);

/** The same as Vertex AI, with Cloud Storage and the endpoints that issue access tokens. */
export const startSampleVertex = (options: SampleVertexOptions): Promise<SampleVertex> =>
  startAlone(options, startVertex);

type PoolOptions = StudioOptions & {
  readonly gemini: readonly (GeminiUpstreamOptions & { readonly name: string })[];
  readonly vertex: readonly (VertexUpstreamOptions & { readonly name: string })[];
};

/** Several upstreams that share one studio; the lists are in the order of the options. */
export const startSamplePool = async ({ gemini, vertex, ...options }: PoolOptions) => {
  const studio = await openStudio(options);
  const started = {
    gemini: await Promise.all(gemini.map((one) => startGemini(one, studio))),
    vertex: await Promise.all(vertex.map((one) => startVertex(one, studio))),
  };
  const close = async () => {
    studio.close();
    await Promise.all([...started.gemini, ...started.vertex].map((one) => one.close()));
  };
  return { ...started, close };
};
