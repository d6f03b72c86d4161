import { DELETE, declareFor, GET, POST } from '../../identity/api/declare-endpoint.ts';
import { readFileQuery } from './file-object.ts';
import { readNativeFileQuery } from './native-file.ts';

export const FILE_ENDPOINTS = {
  createFile: POST('/v1/files', 'Create a file', 'member'),
  listFiles: GET('/v1/files', 'List files', 'viewer', { query: readFileQuery }),
  getFile: GET('/v1/files/{file_id}', 'Get a file', 'viewer'),
  deleteFile: DELETE('/v1/files/{file_id}', 'Delete a file', 'member'),
  getFileContent: GET('/v1/files/{file_id}/content', 'Download a file', 'viewer'),
  getFilePreview: GET('/v1/files/{file_id}/preview', 'Get a small version of an image', 'viewer', {
    throttle: 'slow',
  }),
};

const google = declareFor('google');

export const NATIVE_FILE_ENDPOINTS = {
  uploadNativeFile: google.POST('/upload/v1beta/files', 'Upload a file, native format', 'member', {
    isBodyOptional: true,
    alsoAt: ['/upload/v1/files'],
  }),
  listNativeFiles: google.GET('/v1beta/files', 'List files, native format', 'viewer', {
    query: readNativeFileQuery,
  }),
  getNativeFile: google.GET('/v1beta/files/{file}', 'Get a file, native format', 'viewer', {
    route: '/v1beta/files/{file_id+}',
    alsoAt: ['/v1beta1/files/{file_id+}'],
  }),
  deleteNativeFile: google.DELETE('/v1beta/files/{file}', 'Delete a file, native format', 'member', {
    route: '/v1beta/files/{file_id+}',
  }),
};
