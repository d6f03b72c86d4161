import { endpointOfBoth, jsonEndpoint } from '../identity/authentication/endpoint.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { FILE_ENDPOINTS, NATIVE_FILE_ENDPOINTS } from './api/endpoints.ts';
import { deletedFileObject } from './api/file-object.ts';
import { readNativeFileId } from './api/native-file.ts';
import { FILE_DELETION, fileDeletion } from './file-deletion.ts';

export const ENVIRONMENT = FILE_DELETION;
const remove = fileDeletion(readEnvironment(ENVIRONMENT));

export const handler = endpointOfBoth({
  openAi: jsonEndpoint(FILE_ENDPOINTS.deleteFile, async ({ path, action }) => {
    const id = path.file_id;
    await remove(action, id);
    return deletedFileObject(id);
  }),
  google: jsonEndpoint(NATIVE_FILE_ENDPOINTS.deleteNativeFile, async ({ path, action }) => {
    await remove(action, readNativeFileId(path.file_id));
    return {};
  }),
});
