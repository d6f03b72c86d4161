import { PREVIEW_SIDE } from '../../catalogue/domain/image-conversion.ts';
import { IMAGE_MODEL, IMAGE_TYPES, largestImage } from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { KEY_ID } from '../../identity/domain/api-key.ts';
import { PERSON_ID } from '../../identity/domain/person.ts';
import { pageObject } from '../../platform/api/pages.ts';
import { MINUTE } from '../../platform/domain/durations.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';
import {
  type ApiPart,
  formContent,
  jsonContent,
  jsonResponse,
  redirect,
  response,
} from '../../platform/openapi/operation.ts';
import {
  afterParameter,
  beforeParameter,
  fromParameter,
  pathParameter,
  queryParameter,
  upTo,
} from '../../platform/openapi/parameters.ts';
import { FILE_ID, FILE_PURPOSES, type StoredFile } from '../domain/files.ts';
import { createFileFormSchema, createUploadSchema } from './create-file.ts';
import { FILE_ENDPOINTS } from './endpoints.ts';
import * as objects from './file-object.ts';

const SCHEMAS = {
  CreateFileForm: createFileFormSchema,
  CreateUpload: createUploadSchema,
  StoredFile: objects.fileSchema,
  CreatedFile: objects.createdFileSchema,
  FileList: objects.fileListSchema,
  DeletedFile: objects.deletedFileSchema,
};

const PARAMETERS = {
  StoredFileId: pathParameter('file_id', 'Identifier of the file.', FILE_ID),
  FileLimit: queryParameter(
    'limit',
    'Maximum number of files on the page. A page can be shorter if names or prompts are long; check has_more.',
    upTo(objects.MAX_FILES, objects.MAX_FILES),
  ),
  AfterFile: afterParameter('files', FILE_ID),
  Purpose: queryParameter('purpose', 'Only files with this purpose.', FILE_PURPOSES),
  FileModel: queryParameter('model', 'Only images that this model generated.', objects.IMAGE_MODELS),
  FileKeyId: queryParameter('api_key_id', 'Only images that this key or console session generated.', KEY_ID),
  FileUserId: queryParameter('user_id', 'Only images that this person generated.', PERSON_ID),
  FileCreatedAfter: fromParameter('created_after', 'files created'),
  FileCreatedBefore: beforeParameter('created_before', 'files created'),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);

export const EXAMPLE_FILE: StoredFile = {
  id: 'file_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'example',
  name: 'first.jpg',
  bytes: 3_100_000,
  mimeType: 'image/jpeg',
  purpose: 'vision',
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + 2 * 24 * 60 * MINUTE,
  arrived: true,
};
const output: StoredFile = {
  ...EXAMPLE_FILE,
  id: 'file_01kf0xw3g1a1b2c3d4e5f6g7h8',
  name: 'file_01kf0xw3g1a1b2c3d4e5f6g7h8.jpg',
  purpose: 'output',
  expiresAt: CREATED_AT + 7 * 24 * 60 * MINUTE,
  output: {
    model: IMAGE_MODEL,
    prompt: 'A lighthouse at dusk',
    size: '1376x768',
    keyId: 'key_0123456789abcdef',
    personId: 'user_0123456789abcdef0123456789abcdef',
    durationMs: 9200,
    amount: '0.04',
    currency: 'USD',
  },
};
const upload = {
  url: 'https://media.example.com/files/5c0bq3nq2m8x7k4r1t9v6w2y0z3a8b1d?X-Amz-Signature=0123456789abcdef',
  headers: {
    'content-type': 'image/jpeg',
    'if-none-match': '*',
    'x-amz-meta-expires-at': String(EXAMPLE_FILE.expiresAt),
  },
  expiresAt: CREATED_AT + 15 * MINUTE,
};

export const FILE_REQUEST_EXAMPLES = {
  form: { file: { file: 'the bytes of first.jpg', purpose: 'vision' } },
  upload: {
    photo: {
      filename: 'photo.jpg',
      bytes: 12_000_000,
      mime_type: 'image/jpeg',
      purpose: 'vision',
      expires_after: { anchor: 'created_at', seconds: 3600 },
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
  },
} as const;

const OPERATIONS = toOperations(FILE_ENDPOINTS, {
  createFile: {
    description: `A form contains the file itself, up to about 4.4 MB. For files up to ${formatMegabytes(largestImage())}, send JSON, then send the bytes once to the URL in \`upload\`, with its method and headers unchanged and exactly the stated number of bytes. GET the file to see whether they have arrived.`,
    body: {
      ...formContent(
        'CreateFileForm',
        {
          file: { contentType: IMAGE_TYPES.join(', ') },
          expires_after: { style: 'deepObject', explode: true },
        },
        FILE_REQUEST_EXAMPLES.form,
      ),
      ...jsonContent('CreateUpload', FILE_REQUEST_EXAMPLES.upload),
    },
    responses: jsonResponse('The file.', 'CreatedFile', {
      stored: objects.fileObject(EXAMPLE_FILE),
      offered: objects.fileObjectWithUpload({ ...EXAMPLE_FILE, arrived: false }, upload),
    }),
    errors: ['invalid_image', 'insufficient_quota'],
  },
  listFiles: {
    description:
      'The files of the account, newest first. With filters, a page can be shorter than the limit while has_more is true: continue after last_id.',
    parameters: [
      'FileLimit',
      'AfterFile',
      'Order',
      'Purpose',
      'FileModel',
      'FileKeyId',
      'FileUserId',
      'FileCreatedAfter',
      'FileCreatedBefore',
    ],
    responses: jsonResponse('A page of files.', 'FileList', {
      page: pageObject({ items: [output, EXAMPLE_FILE], hasMore: false }, objects.fileObject),
    }),
  },
  getFile: {
    description: 'The status is uploaded until the bytes have arrived, then processed.',
    responses: jsonResponse('The file.', 'StoredFile', { file: objects.fileObject(EXAMPLE_FILE) }),
    errors: ['file_not_found'],
  },
  deleteFile: {
    description: 'Tasks that already use the file are not affected.',
    responses: jsonResponse('The file is deleted.', 'DeletedFile', {
      deleted: objects.deletedFileObject(EXAMPLE_FILE.id),
    }),
    errors: ['file_not_found', 'concurrent_update'],
  },
  getFileContent: {
    description: 'Redirects to the bytes, with the name of the file.',
    responses: redirect('The URL of the bytes.'),
    errors: ['file_not_found', 'file_not_ready'],
  },
  getFilePreview: {
    description: `WebP with at most ${PREVIEW_SIDE} pixels on the longer side, about 20 KB. It never changes and can be cached.`,
    responses: {
      200: response('The preview.', { 'image/webp': { schema: { type: 'string', format: 'binary' } } }),
    },
    errors: ['file_not_found', 'file_not_ready', 'invalid_image'],
  },
});

export const FILE_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
