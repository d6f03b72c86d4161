import { IMAGE_TYPES, largestImage } from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';
import { type ApiPart, jsonContent, jsonResponse } from '../../platform/openapi/operation.ts';
import { pathParameter, queryParameter, UPLOAD_HEADERS, upTo } from '../../platform/openapi/parameters.ts';
import { NATIVE_FILE_ENDPOINTS } from './endpoints.ts';
import { EXAMPLE_FILE } from './file-operations.ts';
import * as objects from './native-file.ts';
import { UPLOAD_PROTOCOLS, uploadStartSchema } from './native-upload.ts';

const SCHEMAS = {
  UploadStart: uploadStartSchema,
  UploadedFile: objects.uploadedFileSchema,
  NativeFile: objects.nativeFileSchema,
  NativeFileList: objects.nativeFileListSchema,
  DeletedNativeFile: objects.deletedNativeFileSchema,
};

const header = (name: string, description: string, schema: object = {}) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
});
const WHOLE = { pattern: '^[0-9]+$' };

const PARAMETERS = {
  NativeFileId: pathParameter(
    'file',
    'Identifier of the file without file_.',
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/,
  ),
  FilePageSize: queryParameter(
    'pageSize',
    'Maximum number of files on the page.',
    upTo(objects.PAGE_SIZE.most, objects.PAGE_SIZE.byDefault),
  ),
  FilePageToken: queryParameter('pageToken', 'nextPageToken of the previous page.'),
  UploadId: queryParameter('upload_id', 'Part of X-Goog-Upload-URL. Requests with it need no key.'),
  UploadProtocol: header('X-Goog-Upload-Protocol', 'Required without upload_id.', { enum: UPLOAD_PROTOCOLS }),
  UploadCommand: header(
    'X-Goog-Upload-Command',
    'start; with upload_id: upload, finalize, both, query or cancel.',
    { examples: ['start', 'upload', 'upload, finalize', 'finalize', 'query', 'cancel'] },
  ),
  UploadOffset: header('X-Goog-Upload-Offset', 'How many bytes have been sent before.', WHOLE),
  UploadLength: header('X-Goog-Upload-Header-Content-Length', 'The length of the whole file.', WHOLE),
  UploadType: header('X-Goog-Upload-Header-Content-Type', 'The type of the file.'),
  UploadName: header('X-Goog-Upload-File-Name', 'The name of the file, unless displayName is sent.'),
};

const BASE_URL = 'https://api.example.com';
const file = objects.nativeFile(
  { ...EXAMPLE_FILE, sha256: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' },
  BASE_URL,
);

export const UPLOAD_START_EXAMPLES = {
  start: { file: { displayName: 'first.jpg', mimeType: 'image/jpeg', sizeBytes: '3100000' } },
  nameless: {},
} as const;

const bytes = { schema: { type: 'string', format: 'binary' } };

const OPERATIONS = toOperations(NATIVE_FILE_ENDPOINTS, {
  uploadNativeFile: {
    description: `With X-Goog-Upload-Protocol: resumable and X-Goog-Upload-Command: start, returns a URL that accepts the bytes for 15 minutes: up to ${formatMegabytes(largestImage())}, about 4.4 MB in each request. With X-Goog-Upload-Protocol: multipart, the request contains the metadata and the file.`,
    parameters: [
      'UploadId',
      'UploadProtocol',
      'UploadCommand',
      'UploadOffset',
      'UploadLength',
      'UploadType',
      'UploadName',
    ],
    body: {
      ...jsonContent('UploadStart', UPLOAD_START_EXAMPLES),
      'multipart/related': bytes,
      'application/octet-stream': bytes,
      ...Object.fromEntries(IMAGE_TYPES.map((type) => [type, bytes])),
    },
    responses: jsonResponse(
      'The file once it is complete; before that, an empty object.',
      'UploadedFile',
      { started: {}, complete: { file } },
      UPLOAD_HEADERS,
    ),
    errors: ['invalid_image', 'not_found', 'insufficient_quota'],
    errorHeaders: UPLOAD_HEADERS,
  },
  listNativeFiles: {
    description: 'Newest first. A page can be shorter if names are long; check nextPageToken.',
    parameters: ['FilePageSize', 'FilePageToken'],
    responses: jsonResponse('A page of files.', 'NativeFileList', {
      page: objects.nativeFileList({ items: [EXAMPLE_FILE], hasMore: true }, BASE_URL),
    }),
  },
  getNativeFile: {
    description: 'The state is PROCESSING until the bytes have arrived, then ACTIVE.',
    responses: jsonResponse('The file.', 'NativeFile', { file }),
    errors: ['file_not_found'],
  },
  deleteNativeFile: {
    description: 'Tasks that already use the file are not affected.',
    responses: jsonResponse('The file is deleted.', 'DeletedNativeFile', { deleted: {} }),
    errors: ['file_not_found', 'concurrent_update'],
  },
});

export const NATIVE_FILE_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
