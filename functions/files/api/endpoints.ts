import type { Endpoint } from '../../identity/api/endpoint.ts';
import { readFileQuery } from './file-object.ts';
import { readNativeFileQuery } from './native-file.ts';

export const createFile = {
  method: 'POST',
  path: '/v1/files',
  summary: 'Create a file',
  role: 'member',
} as const satisfies Endpoint;

export const listFiles = {
  method: 'GET',
  path: '/v1/files',
  summary: 'List files',
  role: 'viewer',
  query: readFileQuery,
} as const satisfies Endpoint;

export const getFile = {
  method: 'GET',
  path: '/v1/files/{file_id}',
  summary: 'Get a file',
  role: 'viewer',
} as const satisfies Endpoint;

export const deleteFile = {
  method: 'DELETE',
  path: '/v1/files/{file_id}',
  summary: 'Delete a file',
  role: 'member',
} as const satisfies Endpoint;

export const getFileContent = {
  method: 'GET',
  path: '/v1/files/{file_id}/content',
  summary: 'Download a file',
  role: 'viewer',
} as const satisfies Endpoint;

export const getFilePreview = {
  method: 'GET',
  path: '/v1/files/{file_id}/preview',
  summary: 'Get a small version of an image',
  role: 'viewer',
  throttle: 'slow',
} as const satisfies Endpoint;

export const FILE_ENDPOINTS = { createFile, listFiles, getFile, deleteFile, getFileContent, getFilePreview };

export const uploadNativeFile = {
  method: 'POST',
  path: '/upload/v1beta/files',
  summary: 'Upload a file, native format',
  role: 'member',
  dialect: 'native',
  isBodyOptional: true,
} as const satisfies Endpoint;

export const listNativeFiles = {
  method: 'GET',
  path: '/v1beta/files',
  summary: 'List files, native format',
  role: 'viewer',
  dialect: 'native',
  query: readNativeFileQuery,
} as const satisfies Endpoint;

export const getNativeFile = {
  method: 'GET',
  path: '/v1beta/files/{file}',
  route: '/v1beta/files/{file+}',
  summary: 'Get a file, native format',
  role: 'viewer',
  dialect: 'native',
} as const satisfies Endpoint;

export const deleteNativeFile = {
  method: 'DELETE',
  path: '/v1beta/files/{file}',
  route: '/v1beta/files/{file+}',
  summary: 'Delete a file, native format',
  role: 'member',
  dialect: 'native',
} as const satisfies Endpoint;

export const NATIVE_FILE_ENDPOINTS = { uploadNativeFile, listNativeFiles, getNativeFile, deleteNativeFile };
