import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange, Generator, Handler } from './exchange.ts';
import type { GoogleIdentity } from './google-identity.ts';
import { generateContent, streamGenerateContent } from './image-handlers.ts';
import {
  readBearer,
  sendImpersonatedToken,
  sendTokenForKey,
  sendTokenForRole,
  type TokenHandler,
} from './token-handlers.ts';
import { UpstreamError } from './upstream-error.ts';
import { deleteObject, redirectToFile, sendFile, sendObject } from './video-files.ts';
import { createVideo, fetchPredictOperation, getOperation, listModels } from './video-handlers.ts';

type Route<Handle = Handler> = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: RegExp;
  readonly handle: Handle;
};

const path = (source: string) => new RegExp(`^${source}$`);

const GEMINI_MODEL = '/v1beta/models/(?<model>[^/:]+)';
const FILE = '/v1beta/files/(?<file>[a-z0-9]{12}):download';

/** Routes of the upstream's own host, all of which require the key. */
export const GEMINI_ROUTES: readonly Route[] = [
  { method: 'GET', path: path('/v1beta/models'), handle: listModels },
  { method: 'POST', path: path(`${GEMINI_MODEL}:predictLongRunning`), handle: createVideo },
  {
    method: 'GET',
    path: path(`${GEMINI_MODEL}/operations/(?<operation>[a-z0-9]{11})`),
    handle: getOperation,
  },
  { method: 'GET', path: path(FILE), handle: redirectToFile },
  { method: 'GET', path: path(`/download${FILE}`), handle: sendFile },
  { method: 'POST', path: path(`${GEMINI_MODEL}:generateContent`), handle: generateContent },
  { method: 'POST', path: path(`${GEMINI_MODEL}:streamGenerateContent`), handle: streamGenerateContent },
];

/** Routes of a foreign host to which downloads can redirect; it must never see the key. */
export const FOREIGN_ROUTES: readonly Route[] = [
  { method: 'GET', path: path('/storage/(?<file>[a-z0-9]{12})'), handle: sendFile },
];

const PLACE = '/v1/projects/(?<project>[^/]+)/locations/(?<location>[^/]+)';
const VERTEX_MODEL = `${PLACE}/publishers/google/models/(?<model>[^/:]+)`;
const OBJECT = '/storage/v1/b/(?<bucket>[^/]+)/o/(?<object>[^/]+)';

/** Routes of Vertex AI and Cloud Storage, all of which require an access token. */
export const VERTEX_ROUTES: readonly Route[] = [
  { method: 'GET', path: path(`${PLACE}/models`), handle: listModels },
  { method: 'POST', path: path(`${VERTEX_MODEL}:predictLongRunning`), handle: createVideo },
  { method: 'POST', path: path(`${VERTEX_MODEL}:fetchPredictOperation`), handle: fetchPredictOperation },
  { method: 'POST', path: path(`${VERTEX_MODEL}:generateContent`), handle: generateContent },
  { method: 'POST', path: path(`${VERTEX_MODEL}:streamGenerateContent`), handle: streamGenerateContent },
  { method: 'GET', path: path(OBJECT), handle: sendObject },
  { method: 'DELETE', path: path(OBJECT), handle: deleteObject },
];

export const TOKEN_ROUTES: readonly Route<TokenHandler>[] = [
  { method: 'POST', path: path('/token'), handle: sendTokenForKey },
  { method: 'POST', path: path('/v1/token'), handle: sendTokenForRole },
  {
    method: 'POST',
    path: path('/v1/projects/-/serviceAccounts/(?<email>[^/:]+):generateAccessToken'),
    handle: sendImpersonatedToken,
  },
];

type Found<Handle> = { readonly handle: Handle; readonly exchange: Exchange };

export const findRoute = <Handle>(
  routes: readonly Route<Handle>[],
  request: IncomingMessage,
  response: ServerResponse,
): Found<Handle> | undefined => {
  const { pathname } = new URL(request.url ?? '/', 'http://sample');
  for (const route of routes) {
    const match = request.method === route.method ? route.path.exec(pathname) : null;
    if (match !== null)
      return { handle: route.handle, exchange: { request, response, groups: { ...match.groups } } };
  }
  return undefined;
};

const errorInfo = (reason: string, domain: string, metadata: object) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata,
});

const INVALID_KEY = errorInfo('API_KEY_INVALID', 'googleapis.com', {
  service: 'generativelanguage.googleapis.com',
});

export const checkKey = (
  request: IncomingMessage,
  { keyHeader, apiKey }: { readonly keyHeader: string; readonly apiKey: string },
  { limits }: Generator,
) => {
  const given = request.headers[keyHeader.toLowerCase()];
  if (given === undefined) {
    throw new UpstreamError(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (given !== apiKey)
    throw new UpstreamError(400, 'API key not valid. Please pass a valid API key.', [INVALID_KEY]);
  if (limits.current().blocked === true)
    throw new UpstreamError(403, 'Your API key was reported as leaked. Please use another API key.');
};

const EXPIRED = errorInfo('ACCESS_TOKEN_EXPIRED', 'googleapis.com', { service: 'aiplatform.googleapis.com' });

const permission = (name: string) =>
  errorInfo('IAM_PERMISSION_DENIED', 'aiplatform.googleapis.com', { permission: name });

/** Checks the access token, and that the path names the project and location of this upstream. */
export const checkToken = (
  { request, groups }: Exchange,
  identity: GoogleIdentity,
  { project, location }: { readonly project: string; readonly location: string },
  { limits }: Generator,
) => {
  if (!identity.isValid(readBearer(request))) throw new UpstreamError(401, undefined, [EXPIRED]);
  if (groups.project === undefined) return;
  if (groups.project !== project || limits.current().blocked === true)
    throw new UpstreamError(
      403,
      `Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/${groups.project}/locations/${groups.location}' (or it may not exist).`,
      [permission('aiplatform.endpoints.predict')],
    );
  if (groups.location !== location) throw new UpstreamError(404);
};
