import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Abandoned, type Generator, type Handler } from './exchange.ts';
import { operationStore } from './operations.ts';
import { countedFaults, type Limits, refuseWhileDown, upstreamLimits } from './refusals.ts';
import { type Dialect, FOREIGN_ROUTES, findRoute } from './routes.ts';
import type { Studio } from './studio.ts';
import { UpstreamError } from './upstream-error.ts';

export type RequestRecord = {
  readonly host: 'upstream' | 'foreign';
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** With `recordBodies`: the JSON, or the fields and files of the form, of a create request. */
  readonly body?: unknown;
};

export type HostOptions = {
  /** Default 0: any free port. */
  readonly port?: number;
  /** For test prompts, and to keep the operations of several upstreams apart. */
  readonly name?: string;
  /** The shortest time that an operation stays pending. */
  readonly generationSeconds?: number;
  /** When a rate-limited client may try again, unless a test prompt says it. */
  readonly retryDelaySeconds?: number;
  readonly limits?: Limits;
  /** Prompts and images are private, so bodies are only kept for tests that ask for them. */
  readonly recordBodies?: boolean;
};

const MAX_RECORDS = 1000;

const requestLog = (recordBodies: boolean) => {
  const records: RequestRecord[] = [];
  return {
    /** Returns how the body is added once it has been read. */
    add: (host: RequestRecord['host'], { method = '', url = '', headers }: IncomingMessage) => {
      const record: RequestRecord = { host, method, path: url, headers };
      records.push(record);
      if (records.length > MAX_RECORDS) records.shift();
      return (body: unknown) => {
        if (recordBodies) Object.assign(record, { body });
      };
    },
    /** The latest requests, oldest first. */
    all: (): readonly RequestRecord[] => [...records],
  };
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

const answer =
  ({ routes, authenticate }: Pick<Dialect, 'routes' | 'authenticate'>): Handler =>
  async (exchange) => {
    const { route, groups = {} } = findRoute(routes, exchange.request) ?? {};
    const routed = { ...exchange, groups };
    if (route?.access !== 'other') refuseWhileDown(exchange.generator.limits);
    if (route?.access === undefined) authenticate(routed);
    if (route === undefined) throw new UpstreamError(404);
    await route.handle(routed);
  };

const sendFailure = ({ sendError }: Dialect, response: ServerResponse, error: unknown) => {
  if (error instanceof Abandoned || response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  sendError(response, error instanceof UpstreamError ? error : new UpstreamError(500));
};

/** Serves one upstream, and the foreign host to which its downloads can redirect. */
export const serveUpstream = async (
  options: HostOptions,
  { folders, pictures, renderCache }: Studio,
  dialect: Dialect,
  addresses = { own: '', foreign: '' },
) => {
  const { name = '', generationSeconds = 2, retryDelaySeconds = 2, recordBodies = false } = options;
  const limits = upstreamLimits(options.limits ?? {});
  const log = requestLog(recordBodies);
  const place = { folder: folders.operations, upstream: name };
  const generator: Generator = {
    name,
    pictures,
    renderCache,
    operations: operationStore(place, renderCache, { generationSeconds, newId: dialect.newId }),
    faults: countedFaults(),
    retryDelaySeconds,
    limits,
    addresses: () => addresses,
  };
  const open = (host: RequestRecord['host'], answerHost: Handler) =>
    createServer((request, response) => {
      const exchange = { request, response, groups: {}, recordBody: log.add(host, request), generator };
      answerHost(exchange).catch((error) => sendFailure(dialect, response, error));
    });
  const upstream = open('upstream', answer(dialect));
  const foreign = open('foreign', answer({ routes: FOREIGN_ROUTES, authenticate: () => {} }));

  const port = await listen(upstream, options.port ?? 0);
  addresses.own = `http://127.0.0.1:${port}`;
  addresses.foreign = `http://localhost:${await listen(foreign, 0)}`;
  const close = async () => void (await Promise.all([end(upstream), end(foreign)]));
  return { name, url: addresses.own, port, requests: log.all, limit: limits.change, close };
};

export type SampleGenerator = Awaited<ReturnType<typeof serveUpstream>>;
