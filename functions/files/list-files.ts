import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { pageObject } from '../platform/api/pages.ts';
import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { dynamoFilePages } from './adapters/dynamo-files.ts';
import { FILE_ENDPOINTS } from './api/endpoints.ts';
import { fileObject } from './api/file-object.ts';

export const ENVIRONMENT = { ...KEYS, FILE_TABLE: text };
const { FILE_TABLE } = readEnvironment(ENVIRONMENT);
const { page } = dynamoFilePages(client, FILE_TABLE, logger);

export const handler = jsonEndpoint(FILE_ENDPOINTS.listFiles, async ({ caller, query }) =>
  pageObject(await page(caller.account, query, Date.now()), fileObject),
);
