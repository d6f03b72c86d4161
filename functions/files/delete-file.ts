import { endpoint } from '../identity/authentication/endpoint.ts';
import { requestAction } from '../identity/domain/audit.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { FILE_ENDPOINTS } from './api/endpoints.ts';
import { deletedFileObject } from './api/file-object.ts';
import { FILE_DELETION, fileDeletion } from './file-deletion.ts';

export const ENVIRONMENT = FILE_DELETION;
const remove = fileDeletion(readEnvironment(ENVIRONMENT));

export const handler = endpoint(FILE_ENDPOINTS.deleteFile, async (request) => {
  const id = request.path.file_id;
  await remove(requestAction(request), id);
  return ok(deletedFileObject(id));
});
