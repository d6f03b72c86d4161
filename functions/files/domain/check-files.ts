import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import { checkImageHead } from '../../platform/domain/input-image.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { ImageType } from '../../platform/domain/models.ts';
import { type FileReader, fileKey, type OpenedFile } from './files.ts';

/** Enough for the header of an image and most metadata that cameras write before it. */
const HEAD_BYTES = 256 * 1024;

/** The field of the request that refers to a file, for error messages. */
export type FieldName = (fileId: string) => string;

export type FileAccess = {
  readonly files: FileReader;
  readonly now: Clock;
  readonly account: string;
  readonly fieldName: FieldName;
};

type CheckedFile = { readonly key: string; readonly bytes: number; readonly mimeType: ImageType };
export type CheckedFiles = ReadonlyMap<string, CheckedFile>;

/** A file of another account, an expired file and one that never existed are all "not found". */
export const openOwnFile = async (
  { files, now, account, fieldName }: FileAccess,
  fileId: string,
  firstBytes?: number,
): Promise<OpenedFile> => {
  const file = await files.openFile(fileKey(account, fileId), firstBytes);
  if (file !== undefined && file.expiresAt > now()) return file;
  file?.close();
  throw invalidField(fieldName(fileId), `${fieldName(fileId)}: file not found.`);
};

export const wrongFile = (field: string, problem: string): DomainError =>
  new DomainError('invalid_image', `${field}: the file ${problem}`, { param: field });

/** Reads the head of each file once, and returns its type and length. */
export const checkFiles = async (access: FileAccess, fileIds: readonly string[]): Promise<CheckedFiles> => {
  const check = async (fileId: string) => {
    const file = await openOwnFile(access, fileId, HEAD_BYTES);
    const checked = checkImageHead(await file.read(), file.bytes);
    if (typeof checked === 'string') throw wrongFile(access.fieldName(fileId), checked);
    return [fileId, { key: fileKey(access.account, fileId), bytes: file.bytes, ...checked }] as const;
  };
  return new Map(await Promise.all(Array.from(new Set(fileIds), check)));
};
