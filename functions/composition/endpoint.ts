import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoKeys } from '../adapters/dynamo-keys.ts';
import { type Dialect, nativeDialect, openAiDialect } from '../api/errors.ts';
import { authenticator } from '../runtime/authenticate.ts';
import { type AccountHandler, httpHandler } from '../runtime/http.ts';
import { jsonLogger } from '../runtime/logger.ts';
import { type StreamedHandler, streamedHandler } from '../runtime/stream.ts';

export const logger = jsonLogger();

const endpointIn = (dialect: Dialect) => (client: DynamoDBClient, keyTable: string, handle: AccountHandler) =>
  httpHandler(
    { dialect, authenticate: authenticator(dynamoKeys(client, keyTable), Date.now), logger },
    handle,
  );

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
) =>
  streamedHandler(
    { dialect, authenticate: authenticator(dynamoKeys(client, keyTable), Date.now), logger },
    handle,
  );
