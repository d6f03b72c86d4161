import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Dialect, nativeDialect, openAiDialect } from '../api/errors.ts';
import type { KeyKind } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import { expiringMap } from '../domain/expiring-map.ts';
import type { Clock } from '../domain/log-events.ts';
import { CALLERS, readEnvironment } from '../runtime/environment.ts';
import { type AccountHandler, httpHandler } from '../runtime/http.ts';
import { jsonLogger } from '../runtime/logger.ts';
import { type StreamedHandler, streamedHandler } from '../runtime/stream.ts';
import { type Authenticate, authenticator, KEEP_MILLISECONDS, keyOrSession } from './authenticate.ts';
import { dynamoKeys } from './dynamo-keys.ts';
import { dynamoMembers } from './dynamo-members.ts';
import { dynamoSessions } from './dynamo-sessions.ts';

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

/** An endpoint whose responses exceed the gateway's limits on size or time, so that they are streamed. */
export const streamedEndpoint = (
  dialect: Dialect,
  client: DynamoDBClient,
  keyTable: string,
  handle: StreamedHandler,
  kind: KeyKind = 'plain',
) => streamedHandler({ dialect, authenticate: authenticate(client, keyTable, kind), logger }, handle);
