import { DomainError } from '../../platform/domain/errors.ts';
import { newFileId } from '../../platform/domain/ids.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { REMOVED_FILE_LIFETIME } from '../../videos/domain/schedule.ts';
import {
  type FileRepository,
  type FileStore,
  type FileUpload,
  isFileId,
  type StoredFile,
} from '../domain/files.ts';

export type FileTerms = Pick<StoredFile, 'name' | 'bytes' | 'mimeType' | 'purpose'> & {
  /** As long as the service keeps files, unless given. */
  readonly lifetimeSeconds: number | undefined;
};

type Creation = {
  readonly files: Pick<FileRepository, 'create' | 'noteArrival' | 'remove'>;
  readonly store: Pick<FileStore, 'put' | 'signUpload'>;
  readonly logger: Logger;
  readonly now: Clock;
  readonly storageBytes: number;
  readonly retentionSeconds: number;
};

const megabytes = (bytes: number): string => String(Math.ceil(bytes / 10_000) / 100);

const newFile = (
  { now, retentionSeconds }: Creation,
  account: string,
  { lifetimeSeconds = retentionSeconds, ...terms }: FileTerms,
): StoredFile => {
  const createdAt = now();
  return {
    ...terms,
    id: newFileId(createdAt),
    account,
    createdAt,
    expiresAt: createdAt + lifetimeSeconds * 1000,
    arrived: false,
  };
};

const register = async ({ files, storageBytes }: Creation, file: StoredFile): Promise<void> => {
  const result = await files.create(file, storageBytes);
  if (result.created) return;
  const [used, limit, needed] = [result.usedBytes, storageBytes, file.bytes].map(megabytes);
  throw new DomainError(
    'insufficient_quota',
    `The account's file storage is full: ${used} of ${limit} MB are used, and this file has ${needed} MB. Delete files with DELETE /v1/files/{file_id}, or wait until some expire; both free storage within 8 hours.`,
  );
};

/** Keeps bytes that came with the request. */
export const storeFile = async (
  dependencies: Creation,
  account: string,
  terms: FileTerms,
  bytes: Uint8Array,
): Promise<StoredFile> => {
  const { files, store, logger, now } = dependencies;
  const file = newFile(dependencies, account, terms);
  // Counted first: if the rest breaks off, the clean-up finds a file that never arrived.
  await register(dependencies, file);
  try {
    await store.put(file, bytes);
  } catch (error) {
    // Some of its bytes may be there: the clean-up removes them, and gives the storage back.
    await files.remove(file, now()).catch((failure: unknown) => {
      logger.error('file not removed', failure, { file: file.id });
    });
    throw error;
  }
  await files.noteArrival(file);
  return { ...file, arrived: true };
};

/** Takes a file down whose bytes the client will send to the store itself. */
export const offerUpload = async (
  dependencies: Creation,
  account: string,
  terms: FileTerms,
  sha256: string | undefined,
): Promise<{ readonly file: StoredFile; readonly upload: FileUpload }> => {
  const file = newFile(dependencies, account, terms);
  const upload = await dependencies.store.signUpload(file, sha256);
  await register(dependencies, file);
  return { file, upload };
};

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

type Deletion = {
  readonly files: Pick<FileRepository, 'find' | 'remove'>;
  readonly store: Pick<FileStore, 'setAside'>;
  readonly logger: Logger;
  readonly now: Clock;
};

/** The item goes first: it decides what exists. If the rest breaks off, the clean-up removes the bytes where they are. */
export const deleteFile = async (dependencies: Deletion, account: string, id: string): Promise<void> => {
  const { files, store, logger, now } = dependencies;
  const file = await findFile(dependencies, account, id);
  if (!(await files.remove(file, now() + REMOVED_FILE_LIFETIME))) return;
  await store.setAside(file).catch((error: unknown) => {
    logger.error('file not removed', error, { file: id });
  });
};
