import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { hasGoogleKey, nativeDialect, openAiDialect } from '../../platform/api/dialects.ts';
import { dynamoClient } from '../../platform/aws/aws-clients.ts';
import { readJsonContent, readOptionalJson } from '../../platform/body/json-body.ts';
import { parseBody } from '../../platform/body/parse.ts';
import { DomainError, notFound } from '../../platform/domain/errors.ts';
import { expiringMap } from '../../platform/domain/expiring-map.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import { KEY_HOLDERS, KEYS, readEnvironment } from '../../platform/runtime/environment.ts';
import {
  type HttpRequest,
  type HttpResponse,
  keyPlaces,
  ok,
  respondTo,
  toResult,
} from '../../platform/runtime/http.ts';
import { addLogFields, jsonLogger } from '../../platform/runtime/logger.ts';
import { type StreamedResponse, streamed } from '../../platform/runtime/stream.ts';
import { dynamoKeys } from '../adapters/dynamo-keys.ts';
import { dynamoMembers } from '../adapters/dynamo-members.ts';
import { dynamoSessions } from '../adapters/dynamo-sessions.ts';
import {
  acceptedKeys,
  dialectName,
  type Endpoint,
  type EndpointRequest,
  isGooglePath,
  requestGuard,
} from '../api/declare-endpoint.ts';
import { requestAction } from '../domain/audit.ts';
import { requireRole } from '../domain/roles.ts';
import { isSessionId } from '../domain/session.ts';
import { type Authenticate, authenticator, KEEP_MILLISECONDS, keyOrSession } from './authenticate.ts';

type Bucket = { readonly tokens: number; readonly at: number };

const refusal = (whose: string, limit: number, seconds: number): DomainError =>
  new DomainError(
    'rate_limited',
    `Too many requests per second from ${whose}: limit ${limit}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );

/**
 * Limits the requests per second of an API key and of an account. Each instance of the function counts by itself,
 * because a shared count would cost a call per request.
 */
export const limitRequests = (
  authenticate: Authenticate,
  accountRequestsPerSecond: number | undefined,
  now: Clock,
): Authenticate => {
  const buckets = expiringMap<Bucket>(now);

  /** Allows a burst of one second's worth of requests. */
  const availableTokens = (name: string, limit: number): number => {
    const { tokens, at } = buckets.get(name) ?? { tokens: limit, at: now() };
    return Math.min(limit, tokens + ((now() - at) / 1000) * limit);
  };

  return async (dialect, places) => {
    const caller = await authenticate(dialect, places);
    if (caller.requestsPerSecond === undefined && accountRequestsPerSecond === undefined) return caller;
    const limits = (
      [
        ['the API key', `key ${caller.keyId}`, caller.requestsPerSecond],
        ['the account', `account ${caller.account}`, accountRequestsPerSecond],
      ] as const
    ).flatMap(([whose, name, limit]) =>
      limit === undefined ? [] : [{ whose, name, limit, tokens: availableTokens(name, limit) }],
    );
    for (const { whose, limit, tokens } of limits)
      if (tokens < 1) throw refusal(whose, limit, Math.ceil((1 - tokens) / limit));
    // A bucket is full again after a second.
    const at = now();
    for (const { name, tokens } of limits) buckets.set(name, { tokens: tokens - 1, at }, at + 1000);
    return caller;
  };
};

export type AccountRequest = EndpointRequest<Endpoint>;

export const logger = jsonLogger();

/** The client of a function that serves requests; workers have their own, which waits longer. */
export const client = dynamoClient();

/** Every declared endpoint accepts a key or a console session. */
const authenticate = (declared: Endpoint): Authenticate => {
  const { access } = declared;
  const keepMilliseconds = access === undefined ? KEEP_MILLISECONDS : 0;
  const { KEY_TABLE, SESSION_TABLE, MEMBER_TABLE, ACCOUNT_REQUESTS_PER_SECOND } = readEnvironment(KEYS);
  const keys = dynamoKeys(client, KEY_TABLE, keepMilliseconds === 0);
  const members = dynamoMembers(client, MEMBER_TABLE);
  const known = keyOrSession(
    authenticator({ keys, members }, Date.now, acceptedKeys(declared), keepMilliseconds),
    { sessions: dynamoSessions(client, SESSION_TABLE), members },
    Date.now,
    { keepMilliseconds, acceptOverdue: access === 'overdue' },
  );
  return limitRequests(known, ACCOUNT_REQUESTS_PER_SECOND, Date.now);
};

const DIALECTS = { openAi: openAiDialect, native: nativeDialect } as const;

const parsedBody = ({ body: schema, isBodyOptional }: Endpoint, { header, body }: HttpRequest): unknown => {
  if (schema === undefined) return body;
  const read = isBodyOptional === true ? readOptionalJson : readJsonContent;
  return parseBody(schema, read(header('content-type'), body));
};

/**
 * Accepts only API keys, never a console session: its cookie would let pages of other ports act for the person. The
 * second one caches nothing, for calls that create links.
 */
export const keyAuthenticators = (keyTable: string) => {
  const { MEMBER_TABLE, ACCOUNT_REQUESTS_PER_SECOND } = readEnvironment(KEY_HOLDERS);
  const members = dynamoMembers(client, MEMBER_TABLE);
  const known = authenticator({ keys: dynamoKeys(client, keyTable), members }, Date.now);
  return {
    authenticate: limitRequests(known, ACCOUNT_REQUESTS_PER_SECOND, Date.now),
    authenticateAgain: authenticator(
      { keys: dynamoKeys(client, keyTable, true), members },
      Date.now,
      'plain',
      0,
    ),
  };
};

/** Every account is one project; the projects of other accounts are reported as not found. */
const requireOwnProject = (account: string, { project_id: project = account }: HttpRequest['path']): void => {
  if (project !== account) throw notFound('Project', project, 'project_id');
};

/** Recognizes the caller of a declared endpoint, checks the role, and parses the request as declared. */
const serveDeclared = <Declared extends Endpoint, Response extends { readonly status: number }>(
  declared: Declared,
  handle: (request: EndpointRequest<Declared>) => Promise<Response>,
) => {
  const { role, query } = declared;
  if (role === 'public') throw new Error(`${declared.path} needs no key`);
  const options = {
    dialect: DIALECTS[dialectName(declared)],
    logger,
    authenticate: authenticate(declared),
  };
  const isDeclared = requestGuard(declared);
  return (event: APIGatewayProxyEvent): Promise<Response | HttpResponse> =>
    respondTo(options, event, async (request, outcome) => {
      const caller = await options.authenticate(options.dialect, request);
      outcome.account = caller.account;
      if (caller.role !== undefined) requireRole(caller.role, role, !isSessionId(caller.keyId));
      addLogFields({ account: caller.account });
      const parsed = {
        ...request,
        caller,
        action: requestAction({ caller, sourceIp: request.sourceIp, header: request.header }),
        query: query === undefined ? request.query : query(request.query, request.queryAll),
        body: parsedBody(declared, request),
      };
      requireOwnProject(caller.account, request.path);
      if (isDeclared(parsed)) return await handle(parsed);
      throw new Error(`the route lacks a parameter of ${declared.path}`);
    });
};

type DeclaredHandler<Declared extends Endpoint, Response> = (
  request: EndpointRequest<Declared>,
) => Promise<Response>;

/** The Lambda of a declared endpoint. */
export const endpoint = <Declared extends Endpoint>(
  declared: Declared,
  handle: DeclaredHandler<Declared, HttpResponse>,
) => {
  const serve = serveDeclared(declared, handle);
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    toResult(event, await serve(event));
};

/** The same, for an endpoint that answers 200 with a JSON body. */
export const jsonEndpoint = <Declared extends Endpoint>(
  declared: Declared,
  handle: DeclaredHandler<Declared, unknown>,
) => endpoint(declared, async (request) => ok(await handle(request)));

type LambdaHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** The Lambda of a resource that OpenAI's and Google's clients read, each in its own form. */
export const endpointOfBoth =
  ({ openAi, google }: { readonly openAi: LambdaHandler; readonly google: LambdaHandler }): LambdaHandler =>
  (event) =>
    isGooglePath(event.resource) || hasGoogleKey(keyPlaces(event)) ? google(event) : openAi(event);

type Served = (event: APIGatewayProxyEvent) => Promise<HttpResponse | StreamedResponse>;

/** A part of the Lambda of a route with several endpoints. */
export const partOfRoute = <Declared extends Endpoint>(
  declared: Declared,
  handle: DeclaredHandler<Declared, HttpResponse | StreamedResponse>,
): Served => serveDeclared(declared, handle);

export const streamedRoute = (choose: (event: APIGatewayProxyEvent) => Served) =>
  streamed(logger, (event) => choose(event)(event));

/** Like `endpoint`, for responses that exceed the gateway's limits on size or time. */
export const streamedEndpoint = <Declared extends Endpoint>(
  declared: Declared,
  handle: DeclaredHandler<Declared, HttpResponse | StreamedResponse>,
) => streamed(logger, serveDeclared(declared, handle));
