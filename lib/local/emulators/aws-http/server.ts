import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Readable, Stream } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AwsCall } from '../messages.ts';
import { authError } from './auth-failures.ts';
import {
  type Answer,
  AwsError,
  type AwsRequest,
  type Dialect,
  failureReply,
  type Reply,
  type Service,
} from './service.ts';
import { isPresigned, readClaims, type SignatureClaims, sha256Hex, verifySignature } from './signature.ts';

const flatHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, value.toString()]));

const readQuery = (text: string): Record<string, string> => {
  const query: Record<string, string> = {};
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    query[decodeURIComponent(name)] = at < 0 ? '' : decodeURIComponent(pair.slice(at + 1));
  }
  return query;
};

const readRequest = (message: IncomingMessage, response: ServerResponse): AwsRequest => {
  const url = message.url ?? '/';
  const at = url.indexOf('?');
  const gone = new AbortController();
  response.once('close', () => {
    // Every response emits `close`; an unfinished one means that the client has gone.
    if (!response.writableFinished) gone.abort();
  });
  return {
    method: message.method ?? 'GET',
    path: at < 0 ? url : url.slice(0, at),
    query: readQuery(at < 0 ? '' : url.slice(at + 1)),
    headers: flatHeaders(message),
    signal: gone.signal,
  };
};

const readAll = async (body: Readable, limit: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) throw new AwsError(413, 'RequestEntityTooLarge', `The body is over ${limit} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const CAPACITY = 50_000;

export const callLog = () => {
  let calls: AwsCall[] = [];
  return {
    add(call: AwsCall) {
      calls.push(call);
      // Truncated rarely, so that adding to a full log stays cheap.
      if (calls.length >= CAPACITY * 2) calls = calls.slice(-CAPACITY);
    },
    all: (): readonly AwsCall[] => calls.slice(-CAPACITY),
    clear() {
      calls = [];
    },
  };
};

type CallLog = ReturnType<typeof callLog>;

type AwsServerOptions = {
  readonly services: ReadonlyMap<string, Service>;
  readonly region: string;
  readonly masterSecret: string;
  readonly log: CallLog;
};

const LARGEST_BUFFERED_BODY = 17 * 1024 * 1024;

/** The format of errors before the service is known. */
const likelyDialect = ({ headers }: AwsRequest): Dialect => ('x-amz-target' in headers ? 'json' : 'xml');

const toFailure = (request: AwsRequest, error: unknown): Reply =>
  failureReply(likelyDialect(request), error, request);

const requireClaims = (request: AwsRequest): SignatureClaims => {
  const dialect = likelyDialect(request);
  const authorized = 'authorization' in request.headers;
  if (isPresigned(request) && authorized) throw authError('twice', dialect);
  if (!isPresigned(request) && !authorized) throw authError('missing', dialect);
  const claims = readClaims(request);
  if (claims === undefined) throw authError('malformed', dialect);
  return claims;
};

const findService = ({ services }: AwsServerOptions, { service }: SignatureClaims): Service => {
  const found = services.get(service);
  if (found === undefined) {
    throw new AwsError(501, 'NotImplemented', `The service ${service} is not emulated.`);
  }
  return found;
};

const authenticate = (
  { region, masterSecret }: AwsServerOptions,
  { dialect }: Service,
  signed: Pick<Parameters<typeof verifySignature>[0], 'request' | 'claims' | 'payloadHash'>,
): string => {
  const verdict = verifySignature({ ...signed, region, masterSecret, now: Date.now() });
  if ('failure' in verdict) throw authError(verdict.failure, dialect);
  return verdict.principal;
};

let requests = 0;

const record = (log: CallLog, principal: string, service: string, { reply, accessed }: Answer): void => {
  const { status } = reply;
  requests += 1;
  for (const { action, resource } of accessed) {
    log.add({ request: requests, time: Date.now(), principal, service, action, resource, status });
  }
};

const answer = async (options: AwsServerOptions, request: AwsRequest, body: Readable): Promise<Reply> => {
  const claims = requireClaims(request);
  const service = findService(options, claims);
  if (service.kind === 'streamed') {
    const principal = authenticate(options, service, { request, claims, payloadHash: undefined });
    const answered = await service.answer({ ...request, principal }, body);
    record(options.log, principal, claims.service, answered);
    return answered.reply;
  }
  const payload = await readAll(body, LARGEST_BUFFERED_BODY);
  const principal = authenticate(options, service, { request, claims, payloadHash: sha256Hex(payload) });
  const answered = await service.answer({ ...request, principal }, payload);
  record(options.log, principal, claims.service, answered);
  return answered.reply;
};

const contentLength = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };

const send = async ({ status, headers, body }: Reply, response: ServerResponse): Promise<void> => {
  if (body instanceof Stream) {
    response.writeHead(status, headers);
    try {
      await pipeline(body, response);
    } finally {
      // If the client has already gone, the pipeline never starts and leaves its source open.
      body.destroy();
    }
  } else {
    response.writeHead(status, { ...contentLength(body), ...headers });
    response.end(body);
  }
};

const answerWithCors = async (
  options: AwsServerOptions,
  request: AwsRequest,
  body: Readable,
): Promise<Reply> => {
  // Browsers call only S3.
  const crossOrigin = likelyDialect(request) === 'xml' ? options.services.get('s3')?.crossOrigin : undefined;
  if (crossOrigin !== undefined && request.method === 'OPTIONS') return crossOrigin.preflight(request);
  const reply = await answer(options, request, body).catch((error) => toFailure(request, error));
  return { ...reply, headers: { ...reply.headers, ...crossOrigin?.headers(request) } };
};

const serve = async (options: AwsServerOptions, message: IncomingMessage, response: ServerResponse) => {
  let request: AwsRequest;
  try {
    request = readRequest(message, response);
  } catch {
    response.writeHead(400).end();
    return;
  }
  const reply = await answerWithCors(options, request, message).catch((error) => toFailure(request, error));
  // A rejected upload is read to its end; otherwise the client would see a reset instead of the error.
  message.resume();
  await send(reply, response);
};

export const createAwsServer = (options: AwsServerOptions): Server => {
  const server = createServer((message, response) => {
    message.on('error', () => {});
    serve(options, message, response).catch(() => response.destroy());
  });
  server.requestTimeout = 0;
  // Longer than any client's, so that no connection is closed just as it is reused.
  server.keepAliveTimeout = 120_000;
  return server;
};
