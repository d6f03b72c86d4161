import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Dialect, nativeDialect, openAiDialect } from '../../platform/api/errors.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { expiringMap } from '../../platform/domain/expiring-map.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import { CALLERS, KEY_HOLDERS, readEnvironment } from '../../platform/runtime/environment.ts';
import {
  type HttpRequest,
  type HttpResponse,
  type PublicOptions,
  respondTo,
  toResult,
} from '../../platform/runtime/http.ts';
import { jsonLogger, withLogFields } from '../../platform/runtime/logger.ts';
import { type StreamedResponse, streamed } from '../../platform/runtime/stream.ts';
import { dynamoKeys } from '../adapters/dynamo-keys.ts';
import { dynamoMembers } from '../adapters/dynamo-members.ts';
import { dynamoSessions } from '../adapters/dynamo-sessions.ts';
import type { Caller, KeyKind } from '../domain/api-key.ts';
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

export type AccountRequest = HttpRequest & { readonly caller: Caller };

export type AccountHandler = (request: AccountRequest) => Promise<HttpResponse>;

export type StreamedHandler = (request: AccountRequest) => Promise<HttpResponse | StreamedResponse>;

export type HandlerOptions = PublicOptions & { readonly authenticate: Authenticate };

/** Authenticates, catches and logs. */
const handleRequest = <Response extends { readonly status: number }>(
  options: HandlerOptions,
  event: APIGatewayProxyEvent,
  handle: (request: AccountRequest) => Promise<Response>,
): Promise<Response | HttpResponse> =>
  respondTo(options, event, async (request, outcome) => {
    const caller = await options.authenticate(options.dialect, request);
    outcome.account = caller.account;
    if (caller.role !== undefined)
      requireRole(caller.role, request.method, request.route, !isSessionId(caller.keyId));
    return withLogFields({ account: caller.account }, () => handle({ ...request, caller }));
  });

export const httpHandler =
  (options: HandlerOptions, handle: AccountHandler) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    toResult(event, await handleRequest(options, event, handle));

/** Like `httpHandler`, but streamed. */
export const streamedHandler = (options: HandlerOptions, handle: StreamedHandler) =>
  streamed(options.logger, (event) => handleRequest(options, event, handle));

export const logger = jsonLogger();

/** Every endpoint accepts a key or a console session. */
const authenticate = (
  client: DynamoDBClient,
  keyTable: string,
  kind: KeyKind = 'plain',
  keepMilliseconds = KEEP_MILLISECONDS,
  acceptOverdue = false,
): Authenticate => {
  const { SESSION_TABLE, MEMBER_TABLE, ACCOUNT_REQUESTS_PER_SECOND } = readEnvironment(CALLERS);
  const keys = dynamoKeys(client, keyTable, keepMilliseconds === 0);
  const members = dynamoMembers(client, MEMBER_TABLE);
  const known = keyOrSession(
    authenticator({ keys, members }, Date.now, kind, keepMilliseconds),
    { sessions: dynamoSessions(client, SESSION_TABLE), members },
    Date.now,
    { keepMilliseconds, acceptOverdue },
  );
  return limitRequests(known, ACCOUNT_REQUESTS_PER_SECOND, Date.now);
};

const endpointIn =
  (dialect: Dialect, kind: KeyKind = 'plain', keepMilliseconds = KEEP_MILLISECONDS, acceptOverdue = false) =>
  (client: DynamoDBClient, keyTable: string, handle: AccountHandler) =>
    httpHandler(
      {
        dialect,
        authenticate: authenticate(client, keyTable, kind, keepMilliseconds, acceptOverdue),
        logger,
      },
      handle,
    );

/** Reads or manages an account: for the console and for admin keys. */
export const adminEndpoint = endpointIn(openAiDialect, 'admin');

/** Creates credentials. Nothing is cached, so a revoked key or an ended session cannot create others. */
export const credentialEndpoint = endpointIn(openAiDialect, 'admin', 0);

/** Renews or ends a session, also one that must be renewed before anything else. */
export const renewalEndpoint = endpointIn(openAiDialect, 'admin', 0, true);

/** Creates links that need no key. Nothing is cached, so a revoked key or an ended session cannot create any. */
export const uncachedEndpoint = endpointIn(openAiDialect, 'plain', 0);

/** A /v1 endpoint: key in the Authorization header, errors in OpenAI's format. */
export const endpoint = endpointIn(openAiDialect);

/** A /v1beta endpoint: key where Google's clients put it, errors in the native format. */
export const nativeEndpoint = endpointIn(nativeDialect);

/**
 * Accepts only API keys, never a console session: its cookie would let pages of other ports act for the person. The
 * second one caches nothing, for calls that create links.
 */
export const keyAuthenticators = (client: DynamoDBClient, keyTable: string) => {
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

/** An endpoint whose responses exceed the gateway's limits on size or time, so that they are streamed. */
export const streamedEndpoint = (
  dialect: Dialect,
  client: DynamoDBClient,
  keyTable: string,
  handle: StreamedHandler,
  kind: KeyKind = 'plain',
) => streamedHandler({ dialect, authenticate: authenticate(client, keyTable, kind), logger }, handle);
