import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { prepareCache, removeOldFiles } from './cache-folders.ts';
import { Abandoned, sendError } from './exchange.ts';
import { countedFaults } from './faults.ts';
import type { Generator } from './generator.ts';
import { operationStore } from './operations.ts';
import { pictureStore } from './pictures.ts';
import { renderCache } from './render-cache.ts';
import { renderQueue } from './render-queue.ts';
import { type RequestRecord, requestLog } from './request-log.ts';
import { FOREIGN_ROUTES, type Route, UPSTREAM_ROUTES } from './routes.ts';
import { UpstreamError } from './upstream-error.ts';

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
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly apiKey: string;
  readonly keyHeader?: string;
  readonly cacheDir: string;
  /** How long an operation stays pending at least. */
  readonly generationSeconds?: number;
  /** What RetryInfo says where the prompt does not. */
  readonly retryDelaySeconds?: number;
  /** For tests, which render less: all prompts, models and seeds give the same picture. */
  readonly ignorePrompts?: boolean;
};

export type SampleGenerator = {
  readonly url: string;
  readonly port: number;
  /** The latest requests, oldest first, without their bodies. */
  requests(): readonly RequestRecord[];
  close(): Promise<void>;
};

const CLEARING_MILLISECONDS = 3600 * 1000;

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

const refuse = (response: ServerResponse, error: unknown) => {
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

/** An upstream on one machine: it speaks the upstream's protocol and renders real media, marked as samples. */
export const startSampleGenerator = async (options: SampleGeneratorOptions): Promise<SampleGenerator> => {
  const { apiKey, keyHeader = 'x-goog-api-key', generationSeconds = 2, retryDelaySeconds = 2 } = options;
  const folders = await prepareCache(options.cacheDir);
  await removeOldFiles(folders);
  const clearing = setInterval(() => removeOldFiles(folders).catch(() => {}), CLEARING_MILLISECONDS).unref();
  const queue = renderQueue();
  const pictures = pictureStore(folders.pictures);
  const clips = renderCache(folders, pictures, queue, options.ignorePrompts);
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
    const keyed = async () => {
      checkKey(request, keyHeader.toLowerCase(), apiKey);
      await answer(UPSTREAM_ROUTES, request, response, generator);
    };
    keyed().catch((error) => refuse(response, error));
  });
  const foreign = createServer((request, response) => {
    log.add('foreign', request);
    answer(FOREIGN_ROUTES, request, response, generator).catch((error) => refuse(response, error));
  });

  const port = await listen(upstream, options.port ?? 0);
  addresses.own = `http://127.0.0.1:${port}`;
  addresses.foreign = `http://localhost:${await listen(foreign, 0)}`;
  const close = async () => {
    clearInterval(clearing);
    queue.close();
    await Promise.all([end(upstream), end(foreign)]);
  };
  return { url: addresses.own, port, requests: log.all, close };
};
