import type { ServerResponse } from 'node:http';
import { type Exchange, type Handler, readBearer, sendJson } from '../exchange.ts';
import { randomText } from '../operations.ts';
import { type Dialect, path, type Route } from '../routes.ts';
import { type ErrorStatus, UpstreamError } from '../upstream-error.ts';
import { sendModels, sendVideoModels } from './catalogue.ts';
import { createImage } from './images.ts';
import { createVideo, getVideo, sendVideo } from './videos.ts';

/** OpenRouter: Veo under the names of its catalogue, and images through chats. */

const MESSAGES: Readonly<Record<ErrorStatus, string>> = {
  400: 'Invalid request parameters',
  401: 'No auth credentials found',
  402: 'Insufficient credits. Add more using https://openrouter.ai/credits',
  403: 'Your request was flagged by moderation',
  404: 'Resource not found',
  408: 'The request timed out',
  409: 'The resource is not ready',
  413: 'The request is too large',
  415: 'The content type is not supported',
  429: 'Rate limit exceeded',
  500: 'Internal Server Error',
  502: 'Provider returned error',
  503: 'Service temporarily unavailable',
  504: 'The provider timed out',
};

const QUOTAS = { minute: 'requests-per-minute', day: 'requests-per-day' } as const;

const toMessage = ({ code, text, facts }: UpstreamError): string =>
  text ?? (facts.quota === undefined ? MESSAGES[code] : `${MESSAGES[code]}: ${QUOTAS[facts.quota]}`);

const sendError = (response: ServerResponse, error: UpstreamError): void => {
  const { metadata, field, retryAfterSeconds } = error.facts;
  const more = metadata ?? (field === undefined ? undefined : { field });
  sendJson(
    response,
    {
      error: { code: error.code, message: toMessage(error), ...(more && { metadata: more }) },
      user_id: 'user_sample',
    },
    error.code,
    retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` },
  );
};

/** The key that the request has; also the call without charge with which an operator checks it. */
const sendKey: Handler = async ({ response }) =>
  sendJson(response, {
    data: { label: 'sk-or-v1-sam...ple', limit: null, usage: 0, is_free_tier: false, expires_at: null },
  });

const BASE = '/api/v1';
const VIDEO = `${BASE}/videos/(?<id>gen-vid-\\d{1,15}-[a-z0-9]{20})`;

const ROUTES: readonly Route[] = [
  { method: 'GET', path: path(`${BASE}/key`), handle: sendKey },
  { method: 'GET', path: path(`${BASE}/models`), handle: sendModels, access: 'public' },
  { method: 'GET', path: path(`${BASE}/videos/models`), handle: sendVideoModels, access: 'public' },
  { method: 'POST', path: path(`${BASE}/videos`), handle: createVideo },
  { method: 'GET', path: path(VIDEO), handle: getVideo },
  { method: 'GET', path: path(`${VIDEO}/content`), handle: sendVideo },
  { method: 'POST', path: path(`${BASE}/chat/completions`), handle: createImage },
];

export type OpenRouterOptions = { readonly apiKey: string };

/** A blocked key is 401, because 403 means that the prompt was refused. */
const checkKey = ({ request, generator }: Exchange, apiKey: string) => {
  const given = readBearer(request);
  if (given === undefined) throw new UpstreamError(401);
  if (given !== apiKey || generator.limits.current().blocked === true)
    throw new UpstreamError(401, 'User not found.');
};

export const openRouterDialect = ({ apiKey }: OpenRouterOptions): Dialect => ({
  routes: ROUTES,
  authenticate: (exchange) => checkKey(exchange, apiKey),
  sendError,
  newId: () => `gen-vid-${Math.floor(Date.now() / 1000)}-${randomText(20)}`,
});
