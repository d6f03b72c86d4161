import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import { checkImageHead } from '../../platform/domain/input-image.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { ImageType } from '../../platform/domain/models.ts';
import { type FileReader, fileKey, type OpenedFile } from './files.ts';

/** Enough for the header of an image, and for most of what cameras write before it. */
const HEAD_BYTES = 256 * 1024;

/** The field of the request that names a file. */
export type FieldOf = (fileId: string) => string;

export type FileAccess = {
  readonly files: FileReader;
  readonly now: Clock;
  readonly account: string;
  readonly fieldOf: FieldOf;
};

type CheckedFile = { readonly key: string; readonly bytes: number; readonly mimeType: ImageType };
export type CheckedFiles = ReadonlyMap<string, CheckedFile>;

/** Another account's file, one that has expired and one that never was are the same to whoever asks. */
export const openOwnFile = async (
  { files, now, account, fieldOf }: FileAccess,
  fileId: string,
  firstBytes?: number,
): Promise<OpenedFile> => {
  const file = await files.openFile(fileKey(account, fileId), firstBytes);
  if (file !== undefined && file.expiresAt > now()) return file;
  file?.leave();
  throw invalidField(fieldOf(fileId), `${fieldOf(fileId)}: file not found.`);
};

export const wrongFile = (field: string, problem: string): DomainError =>
  new DomainError('invalid_image', `${field}: the file ${problem}`, { param: field });

/** The files of a request, each looked at once: what its first bytes say, and how long it is. */
export const checkFiles = async (access: FileAccess, fileIds: readonly string[]): Promise<CheckedFiles> => {
  const check = async (fileId: string) => {
    const file = await openOwnFile(access, fileId, HEAD_BYTES);
    const checked = checkImageHead(await file.read(), file.bytes);
    if (typeof checked === 'string') throw wrongFile(access.fieldOf(fileId), checked);
    return [fileId, { key: fileKey(access.account, fileId), bytes: file.bytes, ...checked }] as const;
  };
  return new Map(await Promise.all(Array.from(new Set(fileIds), check)));
};
