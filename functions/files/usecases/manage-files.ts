import { type Action, auditEntry } from '../../identity/domain/audit.ts';
import { DomainError, notFound } from '../../platform/domain/errors.ts';
import { readableFileName } from '../../platform/domain/file-names.ts';
import { newFileId } from '../../platform/domain/ids.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import {
  type FileDeletion,
  type FileRepository,
  type FileStore,
  type FileUpload,
  isFileId,
  REMOVED_FILE_LIFETIME,
  type StoredFile,
} from '../domain/files.ts';
import { sha256 } from '../domain/uploads.ts';

export type FileTerms = Pick<StoredFile, 'name' | 'bytes' | 'mimeType' | 'purpose'> & {
  /** Default: the retention of the service. */
  readonly lifetimeSeconds: number | undefined;
};

export type FileOwner = Pick<StoredFile, 'account' | 'uploaderId'>;

export type Creation = {
  readonly files: Pick<FileRepository, 'create' | 'markArrived' | 'remove'>;
  readonly logger: Logger;
  readonly now: Clock;
  readonly storageBytes: number;
  readonly retentionSeconds: number;
};

const megabytes = (bytes: number): string => String(Math.ceil(bytes / 10_000) / 100);

export const newFile = (
  { now, retentionSeconds }: Pick<Creation, 'now' | 'retentionSeconds'>,
  { account, uploaderId }: FileOwner,
  { lifetimeSeconds = retentionSeconds, ...terms }: FileTerms & Pick<StoredFile, 'sha256'>,
): StoredFile => {
  const createdAt = now();
  return {
    ...terms,
    id: newFileId(createdAt),
    account,
    ...(uploaderId === undefined ? {} : { uploaderId }),
    createdAt,
    expiresAt: createdAt + lifetimeSeconds * 1000,
    arrived: false,
  };
};

const register = async (dependencies: Creation, file: StoredFile): Promise<void> =>
  requireStorage(dependencies, file, await dependencies.files.create(file, dependencies.storageBytes));

/** Throws if a file was not created because its account has no room for it. */
export const requireStorage = (
  { storageBytes }: Pick<Creation, 'storageBytes'>,
  file: StoredFile,
  result: Awaited<ReturnType<FileRepository['create']>>,
): void => {
  if (result.created) return;
  const [used, limit, needed] = [result.usedBytes, storageBytes, file.bytes].map(megabytes);
  throw new DomainError(
    'insufficient_quota',
    `The account's file storage is full: ${used} of ${limit} MB are used, and this file has ${needed} MB. Delete files with DELETE /v1/files/{file_id}, or wait until some expire; both free storage within 8 hours.`,
  );
};

/** Stores bytes that came with the request. */
export const storeFile = async (
  dependencies: Creation & { readonly store: Pick<FileStore, 'put'> },
  account: string,
  terms: FileTerms,
  bytes: Uint8Array,
): Promise<StoredFile> => {
  const { files, store, logger, now } = dependencies;
  const file = newFile(dependencies, { account }, { ...terms, sha256: sha256(bytes) });
  // The item comes first: if the rest fails, the clean-up finds a file that never arrived.
  await register(dependencies, file);
  try {
    await store.put(file, bytes);
  } catch (error) {
    // Some bytes may have been stored: the clean-up deletes them and frees the storage.
    await files.remove(file, now()).catch((failure: unknown) => {
      logger.error('file not removed', failure, { file: file.id });
    });
    throw error;
  }
  await files.markArrived(file);
  return { ...file, arrived: true };
};

/** Registers a file whose bytes the client sends to S3 itself. */
export const createUpload = async (
  dependencies: Creation & { readonly store: Pick<FileStore, 'signUpload'> },
  owner: FileOwner,
  terms: FileTerms,
  digest: string | undefined,
): Promise<{ readonly file: StoredFile; readonly upload: FileUpload }> => {
  const file = newFile(dependencies, owner, { ...terms, sha256: digest });
  const upload = await dependencies.store.signUpload(file, digest);
  await register(dependencies, file);
  return { file, upload };
};

type Lookup = { readonly files: Pick<FileRepository, 'find'>; readonly now: Clock };
type Retrieval = {
  readonly files: Pick<FileRepository, 'find' | 'markArrived'>;
  readonly store: Pick<FileStore, 'has'>;
  readonly now: Clock;
};
type Download = Retrieval & { readonly store: Pick<FileStore, 'has' | 'signDownload'> };

/** A file of another account, a deleted or expired file and one that never existed are all "not found". */
export const findFile = async (
  { files, now }: Lookup,
  account: string,
  id: string,
  param = 'file_id',
): Promise<StoredFile> => {
  const file = isFileId(id) ? await files.find(account, id) : undefined;
  if (file === undefined || now() >= file.expiresAt) throw notFound('File', id, param);
  return file;
};

/** Also notices that an upload has arrived. */
export const getFile = async (dependencies: Retrieval, account: string, id: string): Promise<StoredFile> => {
  const { files, store } = dependencies;
  const file = await findFile(dependencies, account, id);
  if (file.arrived || !(await store.has(file))) return file;
  if (!(await files.markArrived(file))) throw notFound('File', id, 'file_id');
  return { ...file, arrived: true };
};

export const signDownloadLink = async (
  dependencies: Download,
  account: string,
  id: string,
  method: 'GET' | 'HEAD',
): Promise<string> => {
  const file = await getFile(dependencies, account, id);
  if (!file.arrived)
    throw new DomainError(
      'file_not_ready',
      `File ${id} has not arrived: send its bytes to upload.url first.`,
      { param: 'file_id' },
    );
  return dependencies.store.signDownload({ ...file, name: downloadName(file) }, method);
};

/** A generated image is named after its prompt, such as `paper-boat-1024x1024.png`; an upload has the name it came with. */
const downloadName = ({ id, name, title, output }: StoredFile): string =>
  output === undefined
    ? name
    : readableFileName(title ?? output.prompt, {
        id,
        facts: output.size === 'auto' ? [] : [output.size],
        extension: name.slice(name.lastIndexOf('.') + 1),
      });

type Deletion = {
  readonly files: Pick<FileRepository, 'find'> & FileDeletion;
  readonly store: Pick<FileStore, 'setAside'>;
  readonly logger: Logger;
  readonly now: Clock;
};

/** The item decides whether a file exists, so it comes first. If the rest fails, the clean-up deletes the bytes. */
export const deleteFile = async (dependencies: Deletion, action: Action, id: string): Promise<void> => {
  const { files, store, logger } = dependencies;
  const file = await findFile(dependencies, action.account, id);
  // A file that is being changed could be written again after its deletion.
  if (file.unsettled === true)
    throw new DomainError('concurrent_update', `File ${id} is being kept or released; try again.`);
  const details = { name: file.name, purpose: file.purpose, bytes: file.bytes };
  const entry = auditEntry(action, 'file.deleted', id, details);
  if (!(await files.delete(file, action.at + REMOVED_FILE_LIFETIME, entry))) return;
  await store.setAside(file).catch((error: unknown) => {
    logger.error('file not removed', error, { file: id });
  });
};
