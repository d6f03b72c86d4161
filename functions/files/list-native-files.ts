import { client, endpoint, logger } from '../identity/authentication/endpoint.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoFilePages } from './adapters/dynamo-files.ts';
import { NATIVE_FILE_ENDPOINTS } from './api/endpoints.ts';
import { nativeFileList } from './api/native-file.ts';

export const ENVIRONMENT = { ...KEYS, ...PUBLIC_ADDRESS, FILE_TABLE: text };
const { FILE_TABLE, PUBLIC_BASE_URL } = readEnvironment(ENVIRONMENT);
const { page } = dynamoFilePages(client, FILE_TABLE, logger);

export const handler = endpoint(NATIVE_FILE_ENDPOINTS.listNativeFiles, async ({ caller, query, baseUrl }) => {
  const files = await page(caller.account, query, Date.now());
  return ok(nativeFileList(files, PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL));
});
