import { jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { NATIVE_FILE_ENDPOINTS } from './api/endpoints.ts';
import { readNativeFileId } from './api/native-file.ts';
import { FILE_DELETION, fileDeletion } from './file-deletion.ts';

export const ENVIRONMENT = FILE_DELETION;
const remove = fileDeletion(readEnvironment(ENVIRONMENT));

export const handler = jsonEndpoint(NATIVE_FILE_ENDPOINTS.deleteNativeFile, async ({ action, path }) => {
  await remove(action, readNativeFileId(path.file));
  return {};
});
