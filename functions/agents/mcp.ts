import { client, keyAuthenticators, logger } from '../identity/authentication/endpoint.ts';
import type { Caller } from '../identity/domain/api-key.ts';
import { requireRole } from '../identity/domain/roles.ts';
import { openAiDialect } from '../platform/api/dialects.ts';
import { isFields } from '../platform/body/fields.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { corsHeaders } from '../platform/runtime/cors.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import {
  asDomainError,
  type HttpRequest,
  type HttpResponse,
  type Outcome,
} from '../platform/runtime/http.ts';
import { withLogFields } from '../platform/runtime/logger.ts';
import { publicStreamedHandler, type StreamedResponse } from '../platform/runtime/stream.ts';
import { offeredModels } from '../upstream/domain/capabilities.ts';
import { checkSender } from './api/check-sender.ts';
import { AGENT_ENDPOINTS } from './api/endpoints.ts';
import { readMessage } from './api/read-message.ts';
import { toolError } from './api/tool-answer.ts';
import {
  type Answered,
  acceptsEvents,
  errorMessage,
  errorResponse,
  jsonAnswer,
  resultMessage,
  streamAnswer,
} from './api/write-message.ts';
import { type Context, callTool, videoTasks } from './call-tool.ts';
import { type Fields, RpcError, type RpcRequest } from './domain/messages.ts';
import { offeredTools } from './domain/tools.ts';
import { MCP } from './settings.ts';
import type { Tools } from './tools.ts';
import { type Report, readToolName, type Server, serveRequest, toEra } from './usecases/serve-request.ts';

export const ENVIRONMENT = MCP;
const environment = readEnvironment(ENVIRONMENT);
const { KEY_TABLE, PUBLIC_BASE_URL, UPSTREAMS, IMAGE_RETENTION_SECONDS } = environment;
const { authenticate, authenticateAgain } = keyAuthenticators(KEY_TABLE);

const offered = offeredTools({
  models: offeredModels(UPSTREAMS),
  keepsImages: IMAGE_RETENTION_SECONDS !== undefined,
  hasShares: environment.SHARE_TABLE !== undefined,
});

let tools: Promise<Tools> | undefined;
const loadTools = (): Promise<Tools> => {
  tools ??= import('./tools.ts').then((module) => module.loadTools(client, environment));
  return tools;
};

let list: Promise<readonly Fields[]> | undefined;
const listTools = (): Promise<readonly Fields[]> => {
  list ??= import('./api/tool-list.ts').then((module) => module.listTools(UPSTREAMS, offered));
  return list;
};

const createServer = (context: Context): Server => ({
  listTools,
  offers: (tool) => offered.includes(tool),
  callTool: (request, report) => callTool(context, request, report),
  tasks: videoTasks(context),
});

/** Only calls that wait are streamed: a quick answer is smaller as one JSON document. The tool checks the value. */
const mayWait = ({ method, params: { name, arguments: given } }: RpcRequest): boolean =>
  method === 'tools/call' &&
  (name === 'generate_image' || (name === 'get_video' && isFields(given) && Boolean(given.wait_seconds)));

const answer = async (server: Server, request: RpcRequest, report?: Report): Promise<Answered> => {
  const { result, settled } = await serveRequest(server, request, report);
  return { message: resultMessage(request.id, result), settled };
};

/** The status of a stream is already sent, so an error is its last event. */
const streamedAnswer = async (
  server: Server,
  request: RpcRequest,
  { request: { requestId }, outcome }: Context,
  report: Report,
): Promise<Answered> => {
  try {
    const answered = await answer(server, request, report);
    if (outcome.code !== undefined)
      logger.info('stream ends with an error', { requestId, code: outcome.code });
    return answered;
  } catch (error) {
    return { message: errorMessage(toRpcError(error), request.id) };
  }
};

/** An error in a task's method has no result in which a model could read it. */
const toRpcError = (error: unknown): RpcError => {
  if (error instanceof RpcError) return error;
  const { code, message } = asDomainError(error, logger);
  return new RpcError(code === 'internal' ? 'internal' : 'invalidParams', message);
};

/** Refuses a call of a caller with too many requests per second by a result, which its client can show. */
const refuseCall = async ({ header, body }: HttpRequest, error: unknown): Promise<StreamedResponse> => {
  if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error;
  const message = readMessage(header, body);
  if (message === 'unanswered' || message.method !== 'tools/call') throw error;
  const result = toolError(error.code, error.message, error.retryAfterSeconds);
  return jsonAnswer({ message: resultMessage(message.id, toEra(message, result)) });
};

const answerMessage = async (
  message: RpcRequest,
  context: Context,
): Promise<HttpResponse | StreamedResponse> => {
  const server = createServer(context);
  try {
    if (acceptsEvents(context.request.header('accept')) && mayWait(message)) {
      readToolName(server, message);
      return streamAnswer(
        (report) => streamedAnswer(server, message, context, report),
        message.progressToken,
      );
    }
    return jsonAnswer(await answer(server, message));
  } catch (error) {
    return errorResponse(toRpcError(error), message.id);
  }
};

const serve = async (request: HttpRequest, outcome: Outcome): Promise<HttpResponse | StreamedResponse> => {
  const startedAt = Date.now();
  const { method, header, body, baseUrl } = request;
  if (method !== 'POST')
    throw new RpcError('transport', 'Method not allowed.', 405, { headers: { allow: 'POST' } });
  const isAllowedOrigin = 'access-control-allow-origin' in corsHeaders(header);
  checkSender(header, { baseUrl, publicUrl: PUBLIC_BASE_URL, isAllowedOrigin });
  let caller: Caller;
  try {
    caller = await authenticate(openAiDialect, request);
  } catch (error) {
    return refuseCall(request, error);
  }
  const { account, role } = caller;
  outcome.account = account;
  if (role !== undefined) requireRole(role, AGENT_ENDPOINTS.sendMcpMessage.role, true);
  const message = readMessage(header, body);
  if (message === 'unanswered') return { status: 202 };
  const again = () => authenticateAgain(openAiDialect, request);
  const context = { caller, request, outcome, startedAt, loadTools, authenticateAgain: again };
  return withLogFields({ requestId: request.requestId, account }, () => answerMessage(message, context));
};

/** One message of the Model Context Protocol per request; nothing is remembered between requests. */
export const handler = publicStreamedHandler({ dialect: openAiDialect, logger }, async (request, outcome) => {
  try {
    return await serve(request, outcome);
  } catch (error) {
    if (error instanceof RpcError) return errorResponse(error);
    throw error;
  }
});
