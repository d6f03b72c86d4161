import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamoKeys } from '../adapters/dynamo-keys.ts';
import { authenticator } from '../runtime/authenticate.ts';
import { type AccountHandler, httpHandler } from '../runtime/http.ts';
import { logJournal } from '../runtime/journal.ts';
import { openAiDialect } from '../wire/dialects.ts';

export const journal = logJournal();

/** An endpoint of the /v1 family: its key in the Authorization header, its errors in the OpenAI form. */
export const endpoint = (client: DynamoDBDocumentClient, keyTable: string, handle: AccountHandler) =>
  httpHandler(
    { dialect: openAiDialect, authenticate: authenticator(dynamoKeys(client, keyTable), Date.now), journal },
    handle,
  );
