import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/ports.ts';
import { newFileId } from '../domain/file-id.ts';
import type { FileRepository, FileStore, FileUpload } from '../domain/file-ports.ts';
import type { StoredFile } from '../domain/files.ts';

export type FileTerms = Pick<StoredFile, 'name' | 'bytes' | 'mimeType' | 'purpose'> & {
  /** As long as the service keeps files, unless given. */
  readonly lifetimeSeconds: number | undefined;
};

type Dependencies = {
  readonly files: Pick<FileRepository, 'create' | 'noteArrival' | 'remove'>;
  readonly store: Pick<FileStore, 'put' | 'signUpload'>;
  readonly logger: Logger;
  readonly now: Clock;
  readonly storageBytes: number;
  readonly retentionSeconds: number;
};

const megabytes = (bytes: number): string => String(Math.ceil(bytes / 10_000) / 100);

const newFile = (
  { now, retentionSeconds }: Dependencies,
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

const register = async ({ files, storageBytes }: Dependencies, file: StoredFile): Promise<void> => {
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
  dependencies: Dependencies,
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
  dependencies: Dependencies,
  account: string,
  terms: FileTerms,
  sha256: string | undefined,
): Promise<{ readonly file: StoredFile; readonly upload: FileUpload }> => {
  const file = newFile(dependencies, account, terms);
  const upload = await dependencies.store.signUpload(file, sha256);
  await register(dependencies, file);
  return { file, upload };
};
