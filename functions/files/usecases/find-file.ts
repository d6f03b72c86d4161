import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/ports.ts';
import type { FileRepository, FileStore } from '../domain/file-ports.ts';
import { isFileId, type StoredFile } from '../domain/files.ts';

type Finding = { readonly files: Pick<FileRepository, 'find'>; readonly now: Clock };
type Looking = {
  readonly files: Pick<FileRepository, 'find' | 'noteArrival'>;
  readonly store: Pick<FileStore, 'has'>;
  readonly now: Clock;
};
type Linking = Looking & { readonly store: Pick<FileStore, 'has' | 'signDownload'> };

const notFound = (id: string): DomainError =>
  new DomainError('file_not_found', `File ${id.slice(0, 64)} was not found.`, { param: 'file_id' });

/** Another account's file, one that is deleted or expired and one that never was are the same: not found. */
export const findFile = async ({ files, now }: Finding, account: string, id: string): Promise<StoredFile> => {
  const file = isFileId(id) ? await files.find(account, id) : undefined;
  if (file === undefined || now() >= file.expiresAt) throw notFound(id);
  return file;
};

/** The file, with what is known by now of its arrival. */
export const lookAtFile = async (dependencies: Looking, account: string, id: string): Promise<StoredFile> => {
  const { files, store } = dependencies;
  const file = await findFile(dependencies, account, id);
  if (file.arrived || !(await store.has(file))) return file;
  if (!(await files.noteArrival(file))) throw notFound(id);
  return { ...file, arrived: true };
};

/** The address from which the file can be downloaded now. */
export const linkFile = async (
  dependencies: Linking,
  account: string,
  id: string,
  method: 'GET' | 'HEAD',
): Promise<string> => {
  const file = await lookAtFile(dependencies, account, id);
  if (!file.arrived)
    throw new DomainError(
      'file_not_ready',
      `File ${id} has not arrived: send its bytes to the address in upload.url first.`,
      { param: 'file_id' },
    );
  return dependencies.store.signDownload(file, method);
};
