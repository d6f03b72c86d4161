import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { prepareCache, removeOldFiles } from './cache-folders.ts';
import { Abandoned, type Generator, type Handler, sendError } from './exchange.ts';
import { countedFaults } from './faults.ts';
import { generateContent, streamGenerateContent } from './image-handlers.ts';
import { operationStore } from './operations.ts';
import { pictureStore } from './pictures.ts';
import { renderCache } from './render-cache.ts';
import { renderQueue } from './render-queue.ts';
import { UpstreamError } from './upstream-error.ts';
import { createVideo, getOperation, redirectToFile, sendFile } from './video-handlers.ts';

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

type Route = { readonly method: 'GET' | 'POST'; readonly path: RegExp; readonly handle: Handler };

const MODEL = '/v1beta/models/(?<model>[^/:]+)';
const FILE = '/v1beta/files/(?<file>[a-z0-9]{12}):download';
const path = (source: string) => new RegExp(`^${source}$`);

/** Routes of the upstream's own host, all of which require the key. */
const UPSTREAM_ROUTES: readonly Route[] = [
  { method: 'POST', path: path(`${MODEL}:predictLongRunning`), handle: createVideo },
  { method: 'GET', path: path(`${MODEL}/operations/(?<operation>[a-z0-9]{11})`), handle: getOperation },
  { method: 'GET', path: path(FILE), handle: redirectToFile },
  { method: 'GET', path: path(`/download${FILE}`), handle: sendFile },
  { method: 'POST', path: path(`${MODEL}:generateContent`), handle: generateContent },
  { method: 'POST', path: path(`${MODEL}:streamGenerateContent`), handle: streamGenerateContent },
];

/** Routes of a foreign host to which downloads can redirect; it must never see the key. */
const FOREIGN_ROUTES: readonly Route[] = [
  { method: 'GET', path: path('/storage/(?<file>[a-z0-9]{12})'), handle: sendFile },
];

const INVALID_KEY = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
};

const checkKey = (request: IncomingMessage, keyHeader: string, apiKey: string) => {
  const given = request.headers[keyHeader];
  if (given === undefined) {
    throw new UpstreamError(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (given !== apiKey)
    throw new UpstreamError(400, 'API key not valid. Please pass a valid API key.', [INVALID_KEY]);
};

export type SampleGeneratorOptions = {
  /** Default 0: any free port. */
  readonly port?: number;
  readonly apiKey: string;
  readonly keyHeader?: string;
  readonly cacheDir: string;
  /** The shortest time that an operation stays pending. */
  readonly generationSeconds?: number;
  /** The delay in RetryInfo, unless a test prompt names one. */
  readonly retryDelaySeconds?: number;
  /** For tests, which render less: few frames, and the same picture for all prompts, models and seeds. */
  readonly drafts?: boolean;
};

export type SampleGenerator = {
  readonly url: string;
  readonly port: number;
  /** The latest requests, oldest first, without their bodies. */
  requests(): readonly RequestRecord[];
  close(): Promise<void>;
};

const CLEANUP_MILLISECONDS = 3600 * 1000;

const answer = async (
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
  generator: Generator,
) => {
  const { pathname } = new URL(request.url ?? '/', 'http://sample');
  for (const route of routes) {
    const match = request.method === route.method ? route.path.exec(pathname) : null;
    if (match !== null) return route.handle({ request, response, groups: { ...match.groups } }, generator);
  }
  throw new UpstreamError(404);
};

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

/** A local upstream that speaks the upstream's protocol and renders real media, marked as samples. */
export const startSampleGenerator = async (options: SampleGeneratorOptions): Promise<SampleGenerator> => {
  const { apiKey, keyHeader = 'x-goog-api-key', generationSeconds = 2, retryDelaySeconds = 2 } = options;
  const folders = await prepareCache(options.cacheDir);
  await removeOldFiles(folders);
  const cleanup = setInterval(() => removeOldFiles(folders).catch(() => {}), CLEANUP_MILLISECONDS).unref();
  const queue = renderQueue();
  const pictures = pictureStore(folders.pictures);
  const clips = renderCache(folders, pictures, queue, options.drafts);
  const log = requestLog();
  const addresses = { own: '', foreign: '' };
  const generator: Generator = {
    pictures,
    renderCache: clips,
    operations: operationStore(folders.operations, clips, generationSeconds),
    faults: countedFaults(),
    retryDelaySeconds,
    addresses: () => addresses,
  };

  const upstream = createServer((request, response) => {
    log.add('upstream', request);
    const authorized = async () => {
      checkKey(request, keyHeader.toLowerCase(), apiKey);
      await answer(UPSTREAM_ROUTES, request, response, generator);
    };
    authorized().catch((error) => sendFailure(response, error));
  });
  const foreign = createServer((request, response) => {
    log.add('foreign', request);
    answer(FOREIGN_ROUTES, request, response, generator).catch((error) => sendFailure(response, error));
  });

  const port = await listen(upstream, options.port ?? 0);
  addresses.own = `http://127.0.0.1:${port}`;
  addresses.foreign = `http://localhost:${await listen(foreign, 0)}`;
  const close = async () => {
    clearInterval(cleanup);
    queue.close();
    await Promise.all([end(upstream), end(foreign)]);
  };
  return { url: addresses.own, port, requests: log.all, close };
};
