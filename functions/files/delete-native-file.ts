import { endpoint } from '../identity/authentication/endpoint.ts';
import { requestAction } from '../identity/domain/audit.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { NATIVE_FILE_ENDPOINTS } from './api/endpoints.ts';
import { readNativeFileId } from './api/native-file.ts';
import { FILE_DELETION, fileDeletion } from './file-deletion.ts';

export const ENVIRONMENT = FILE_DELETION;
const remove = fileDeletion(readEnvironment(ENVIRONMENT));

export const handler = endpoint(NATIVE_FILE_ENDPOINTS.deleteNativeFile, async (request) => {
  await remove(requestAction(request), readNativeFileId(request.path.file));
  return ok({});
});
