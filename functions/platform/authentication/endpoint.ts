import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Dialect, nativeDialect, openAiDialect } from '../api/errors.ts';
import type { KeyKind } from '../domain/api-key.ts';
import { CALLER_ENVIRONMENT, readEnvironment } from '../runtime/environment.ts';
import { type AccountHandler, httpHandler } from '../runtime/http.ts';
import { jsonLogger } from '../runtime/logger.ts';
import { type StreamedHandler, streamedHandler } from '../runtime/stream.ts';
import { type Authenticate, authenticator, KEEP_MILLISECONDS } from './authenticate.ts';
import { keyOrSession } from './authenticate-session.ts';
import { dynamoKeys } from './dynamo-keys.ts';
import { dynamoSessions } from './dynamo-sessions.ts';
import { limitRequests } from './limit-requests.ts';

export const logger = jsonLogger();

/** Every endpoint takes a key or the session of the console, so each has the table of both. */
const authenticate = (
  client: DynamoDBClient,
  keyTable: string,
  kind: KeyKind = 'plain',
  keepMilliseconds = KEEP_MILLISECONDS,
): Authenticate => {
  const { SESSION_TABLE, ACCOUNT_REQUESTS_PER_SECOND } = readEnvironment(CALLER_ENVIRONMENT);
  const known = keyOrSession(
    authenticator(dynamoKeys(client, keyTable, keepMilliseconds === 0), Date.now, kind, keepMilliseconds),
    dynamoSessions(client, SESSION_TABLE),
    Date.now,
    keepMilliseconds,
  );
  return limitRequests(known, ACCOUNT_REQUESTS_PER_SECOND, Date.now);
};

const endpointIn =
  (dialect: Dialect, kind: KeyKind = 'plain', keepMilliseconds = KEEP_MILLISECONDS) =>
  (client: DynamoDBClient, keyTable: string, handle: AccountHandler) =>
    httpHandler(
      { dialect, authenticate: authenticate(client, keyTable, kind, keepMilliseconds), logger },
      handle,
    );

/** An endpoint that reads or manages an account: for the console and for admin keys. */
export const adminEndpoint = endpointIn(openAiDialect, 'admin');

/** An admin endpoint that creates credentials: a revoked key or an ended session must not create others. */
export const credentialEndpoint = endpointIn(openAiDialect, 'admin', 0);

/** An endpoint of the /v1 family: its key in the Authorization header, its errors in the OpenAI form. */
export const endpoint = endpointIn(openAiDialect);

/** An endpoint of the /v1beta family: its key where Google's clients put it, its errors in the native form. */
export const nativeEndpoint = endpointIn(nativeDialect);

/** An endpoint whose answers are too large or too late for the gateway to wait for as a whole. */
export const streamedEndpoint = (
  dialect: Dialect,
  client: DynamoDBClient,
  keyTable: string,
  handle: StreamedHandler,
  kind: KeyKind = 'plain',
) => streamedHandler({ dialect, authenticate: authenticate(client, keyTable, kind), logger }, handle);
