import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { KEYS, PUBLIC_ADDRESS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { dynamoFilePages } from './adapters/dynamo-files.ts';
import { NATIVE_FILE_ENDPOINTS } from './api/endpoints.ts';
import { nativeFileList } from './api/native-file.ts';

export const ENVIRONMENT = { ...KEYS, ...PUBLIC_ADDRESS, FILE_TABLE: text };
const { FILE_TABLE } = readEnvironment(ENVIRONMENT);
const { page } = dynamoFilePages(client, FILE_TABLE, logger);

export const handler = jsonEndpoint(
  NATIVE_FILE_ENDPOINTS.listNativeFiles,
  async ({ caller, query, publicUrl }) => {
    const files = await page(caller.account, query, Date.now());
    return nativeFileList(files, publicUrl);
  },
);
