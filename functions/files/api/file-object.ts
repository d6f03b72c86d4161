import type { FilePage, FileUpload } from '../domain/file-ports.ts';
import type { StoredFile } from '../domain/files.ts';
import type { CreatedFileObject, DeletedFileObject, FileList, FileObject } from './file-schema.ts';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

export const fileObject = (file: StoredFile): FileObject => ({
  id: file.id,
  object: 'file',
  bytes: file.bytes,
  created_at: seconds(file.createdAt),
  expires_at: seconds(file.expiresAt),
  filename: file.name,
  purpose: file.purpose,
  status: file.arrived ? 'processed' : 'uploaded',
});

export const offeredFileObject = (
  file: StoredFile,
  { url, headers, expiresAt }: FileUpload,
): CreatedFileObject => ({
  ...fileObject(file),
  upload: { url, method: 'PUT', headers, expires_at: seconds(expiresAt) },
});

export const fileList = ({ files, hasMore }: FilePage): FileList => ({
  object: 'list',
  data: files.map(fileObject),
  first_id: files.at(0)?.id ?? null,
  last_id: files.at(-1)?.id ?? null,
  has_more: hasMore,
});

export const deletedFileObject = (id: string): DeletedFileObject => ({ id, object: 'file', deleted: true });
