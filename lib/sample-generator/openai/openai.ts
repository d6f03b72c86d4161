import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Exchange, type Handler, readBearer, sendJson } from '../exchange.ts';
import { listModels } from '../models.ts';
import { type Dialect, path, type Route } from '../routes.ts';
import { type ErrorStatus, UpstreamError } from '../upstream-error.ts';
import { createImages, editImages } from './images.ts';
import type { OptionStyle } from './video-request.ts';
import { createVideo, getVideo, redirectToVideo, sendVideo } from './videos.ts';

/** A server of the OpenAI Videos API and Images API. */

type ErrorKind = { readonly type: string; readonly code: string | null; readonly message: string };

const error = (type: string, message: string, code: string | null = null): ErrorKind => ({
  type,
  code,
  message,
});

const ERRORS: Readonly<Record<ErrorStatus, ErrorKind>> = {
  400: error('invalid_request_error', 'The request is invalid.'),
  401: error('invalid_request_error', 'Incorrect API key provided.', 'invalid_api_key'),
  402: error('billing_error', 'The account has no credit.', 'billing_hard_limit_reached'),
  403: error('permission_error', 'You do not have permission to use this resource.'),
  404: error('invalid_request_error', 'The resource was not found.'),
  408: error('timeout_error', 'The request timed out.'),
  409: error('invalid_request_error', 'The request conflicts with another one.'),
  413: error('invalid_request_error', 'The request is too large.'),
  415: error('invalid_request_error', 'The content type is not supported.', 'unsupported_content_type'),
  429: error('requests', 'Rate limit reached for requests.', 'rate_limit_exceeded'),
  500: error('server_error', 'The server had an error while processing your request.'),
  502: error('server_error', 'Bad gateway.'),
  503: error('server_error', 'The engine is currently overloaded, please try again later.'),
  504: error('server_error', 'The request timed out.'),
};

const OUT_OF_QUOTA = error(
  'insufficient_quota',
  'You exceeded your current quota, please check your plan and billing details.',
  'insufficient_quota',
);

const sendError = (response: ServerResponse, { code: status, text, facts }: UpstreamError): void => {
  const { type, code, message } = facts.quota === 'day' ? OUT_OF_QUOTA : ERRORS[status];
  const { retryAfterSeconds: seconds } = facts;
  const advice = seconds === undefined ? '' : ` Please try again in ${seconds}s.`;
  sendJson(
    response,
    {
      error: {
        message: `${text ?? message}${advice}`,
        type,
        param: facts.field ?? null,
        code: facts.reason ?? code,
      },
    },
    status,
    seconds === undefined ? {} : { 'retry-after': `${seconds}` },
  );
};

const CREATED = Date.UTC(2026, 0, 1) / 1000;
const toModel = (id: string) => ({ id, object: 'model', created: CREATED, owned_by: 'sample' });

const sendModels: Handler = async ({ response, generator }) =>
  sendJson(response, { object: 'list', data: listModels(generator).map(({ model }) => toModel(model)) });

export type OpenAiOptions = {
  readonly apiKey: string;
  /** Default `none`. */
  readonly options?: OptionStyle;
};

const ID = '(?<id>video_[0-9a-f]{48})';

const routes = ({ options: style = 'none' }: OpenAiOptions): readonly Route[] => [
  { method: 'GET', path: path('/v1/models'), handle: sendModels },
  { method: 'POST', path: path('/v1/videos'), handle: createVideo(style) },
  { method: 'GET', path: path(`/v1/videos/${ID}`), handle: getVideo },
  { method: 'GET', path: path(`/v1/videos/${ID}/content`), handle: redirectToVideo },
  { method: 'GET', path: path(`/download/videos/${ID}`), handle: sendVideo },
  { method: 'POST', path: path('/v1/images/generations'), handle: createImages },
  { method: 'POST', path: path('/v1/images/edits'), handle: editImages },
];

const checkKey = ({ request, generator }: Exchange, apiKey: string) => {
  const given = readBearer(request);
  if (given === undefined) throw new UpstreamError(401, "You didn't provide an API key.");
  if (given !== apiKey || generator.limits.current().blocked === true) throw new UpstreamError(401);
};

export const openAiDialect = (options: OpenAiOptions): Dialect => ({
  routes: routes(options),
  authenticate: (exchange) => checkKey(exchange, options.apiKey),
  sendError,
  newId: () => `video_${randomBytes(24).toString('hex')}`,
});
