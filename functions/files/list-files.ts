import { client, endpointOfBoth, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { pageObject } from '../platform/api/pages.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { dynamoFilePages } from './adapters/dynamo-files.ts';
import { FILE_ENDPOINTS, NATIVE_FILE_ENDPOINTS } from './api/endpoints.ts';
import { fileObject } from './api/file-object.ts';
import { nativeFileList } from './api/native-file.ts';

export const ENVIRONMENT = { ...KEYS, ...PUBLIC_ADDRESS, FILE_TABLE: text };
const { FILE_TABLE } = readEnvironment(ENVIRONMENT);
const { page } = dynamoFilePages(client, FILE_TABLE, logger);

export const handler = endpointOfBoth({
  openAi: jsonEndpoint(FILE_ENDPOINTS.listFiles, async ({ caller, query }) =>
    pageObject(await page(caller.account, query, Date.now()), fileObject),
  ),
  google: jsonEndpoint(NATIVE_FILE_ENDPOINTS.listNativeFiles, async ({ caller, query, publicUrl }) =>
    nativeFileList(await page(caller.account, query, Date.now()), publicUrl),
  ),
});
