import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  sendImpersonatedToken,
  sendTokenForKey,
  sendTokenForRole,
  type TokenHandler,
} from './authentication.ts';
import type { Exchange, Handler } from './exchange.ts';
import { generateContent, streamGenerateContent } from './image-handlers.ts';
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
