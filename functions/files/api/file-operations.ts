import { IMAGE_TYPES } from '../../platform/domain/models.ts';
import { answer, formContent, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { EVERY_ANSWER, REDIRECT } from '../../platform/openapi/parameters.ts';
import type { StoredFile } from '../domain/files.ts';
import { deletedFileObject, fileList, fileObject, offeredFileObject } from './file-object.ts';

const common = { dialect: 'openAi', tag: 'Files' } as const;
const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const MINUTE = 60 * 1000;

const file: StoredFile = {
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
const upload = {
  url: 'https://media.example.com/files/~example/file_01kf0xw3g0a1b2c3d4e5f6g7h8?X-Amz-Signature=…',
  headers: {
    'content-type': 'image/jpeg',
    'if-none-match': '*',
    'x-amz-meta-expires-at': String(file.expiresAt),
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

export const FILE_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    method: 'post',
    path: '/v1/files',
    id: 'createFile',
    summary: 'Keep a file',
    description:
      'A form holds the file itself, up to about 4.4 MB. For up to 20 MB send JSON, and then the bytes to the address in `upload`, with its method and its headers as they are: just as many bytes as were named, once. A GET of the file tells when they have arrived.',
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
    answers: {
      200: answer(
        'The file.',
        jsonContent('CreatedFile', {
          stored: fileObject(file),
          offered: offeredFileObject({ ...file, arrived: false }, upload),
        }),
      ),
    },
    errors: ['invalid_image', 'insufficient_quota'],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/files',
    id: 'listFiles',
    summary: 'List files',
    parameters: ['FileLimit', 'AfterFile', 'Order', 'Purpose'],
    answers: {
      200: answer(
        'A page of files.',
        jsonContent('FileList', { page: fileList({ files: [file], hasMore: false }) }),
      ),
    },
  },
  {
    ...common,
    method: 'get',
    path: '/v1/files/{file_id}',
    id: 'getFile',
    summary: 'Query a file',
    parameters: ['StoredFileId'],
    answers: { 200: answer('The file.', jsonContent('StoredFile', { file: fileObject(file) })) },
    errors: ['file_not_found'],
  },
  {
    ...common,
    method: 'delete',
    path: '/v1/files/{file_id}',
    id: 'deleteFile',
    summary: 'Delete a file',
    description: 'Tasks that were accepted with it are not harmed.',
    parameters: ['StoredFileId'],
    answers: {
      200: answer('The file is gone.', jsonContent('DeletedFile', { deleted: deletedFileObject(file.id) })),
    },
    errors: ['file_not_found'],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/files/{file_id}/content',
    id: 'getFileContent',
    summary: 'Download a file',
    description: 'Redirects to the bytes, under the name that the file was given.',
    parameters: ['StoredFileId'],
    answers: { 302: { description: 'Where the bytes are.', headers: { ...EVERY_ANSWER, ...REDIRECT } } },
    errors: ['file_not_found', 'file_not_ready'],
  },
];
