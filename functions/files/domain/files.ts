import type { StorageChange } from '../../billing/domain/kept-storage.ts';
import { checkImageHead, lengthProblem } from '../../catalogue/domain/input-image.ts';
import { type ImageType, largestImage } from '../../catalogue/domain/models.ts';
import type { AuditEntry } from '../../identity/domain/audit.ts';
import { HOUR, MINUTE } from '../../platform/domain/durations.ts';
import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { Page } from '../../platform/domain/pages.ts';
import { isKept } from '../../platform/domain/retention.ts';

/** A client uploads files with these purposes. */
export const UPLOAD_PURPOSES = ['vision', 'user_data'] as const;
export const FILE_PURPOSES = [...UPLOAD_PURPOSES, 'output'] as const;
type FilePurpose = (typeof FILE_PURPOSES)[number];

export type Output = {
  readonly model: string;
  readonly prompt: string;
  /** Width and height in pixels, such as `1024x1024`. */
  readonly size: string;
  readonly keyId: string;
  /** The person who made the request; undefined if the key or session belongs to the account. */
  readonly personId?: string | undefined;
  /** Milliseconds from the request to the image. */
  readonly durationMs: number;
  /** The price of the image; null without one. */
  readonly amount: string | null;
  readonly currency: string | null;
};

/** An image that an account uploaded or generated, and can use as an input until it expires. */
export type StoredFile = {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly bytes: number;
  readonly mimeType: string;
  readonly purpose: FilePurpose;
  readonly createdAt: number;
  /** `NEVER` if the file is kept. */
  readonly expiresAt: number;
  /** The stored object does not last as long as the file yet, because somebody has just kept or released it. */
  readonly unsettled?: boolean | undefined;
  /** The name that a person gave a generated image. */
  readonly title?: string | undefined;
  /** False until the bytes of an upload through a signed URL are known to be stored. */
  readonly arrived: boolean;
  /** Only of generated images, which do not count towards the account's storage. */
  readonly output?: Output | undefined;
  /** The person who started the upload; undefined if the key or session belongs to the account. */
  readonly uploaderId?: string | undefined;
  /** In Base64; unknown if the bytes came through a signed URL without it. */
  readonly sha256?: string | undefined;
};

/** Refuses a file that no request could use, before it is uploaded. */
export const requireUsableSize = (bytes: number, requestMegabytes: number, param: string): void => {
  const problem = lengthProblem(bytes, largestImage(requestMegabytes));
  if (problem !== undefined) throw invalidField(param, `${param}: the file ${problem}`);
};

/** Generated images are not limited by the storage for uploads. */
export const countsTowardsStorage = ({ purpose }: Pick<StoredFile, 'purpose'>): boolean =>
  purpose !== 'output';

/** In one image request. */
export const MAX_INPUT_FILES = 10;

/** Metadata of the stored object: when the file expires, in milliseconds. */
export const FILE_EXPIRY_METADATA = 'expires-at';

export const MAX_FILE_NAME_CHARACTERS = 255;
export const FILE_LIFETIME_SECONDS = { least: 3600, most: 30 * 24 * 60 * 60 } as const;

/** How long a signed URL accepts an upload. */
export const UPLOAD_LIFETIME = 15 * MINUTE;
/** An upload that starts in time may end later. */
const UPLOAD_GRACE = 60 * MINUTE;

/** After this time, no bytes can arrive for the file. */
export const uploadEndsAt = ({ createdAt }: Pick<StoredFile, 'createdAt'>): number =>
  createdAt + UPLOAD_LIFETIME + UPLOAD_GRACE;

export const FILE_ID = /^file_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const isFileId = (id: string): boolean => FILE_ID.test(id);

/** Selects files of an account; an undefined field matches every file. Times are milliseconds. */
export type FileFilter = {
  readonly purpose?: FilePurpose | undefined;
  readonly model?: string | undefined;
  readonly keyId?: string | undefined;
  readonly personId?: string | undefined;
  readonly kept?: boolean | undefined;
  readonly createdFrom?: number | undefined;
  readonly createdBefore?: number | undefined;
};

/** Ignores the times: they bound the range that the list reads. */
export const matchesFile = ({ purpose, output, expiresAt }: StoredFile, filter: FileFilter): boolean =>
  (filter.kept === undefined || filter.kept === isKept({ expiresAt })) &&
  (filter.purpose === undefined || filter.purpose === purpose) &&
  (filter.model === undefined || filter.model === output?.model) &&
  (filter.keyId === undefined || filter.keyId === output?.keyId) &&
  (filter.personId === undefined || filter.personId === output?.personId);

export type FilePageQuery = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: string | undefined;
  readonly filter?: FileFilter | undefined;
};

/** A file for the clean-up: it has expired, its upload has ended, or it was removed and its bytes are no longer needed. */
export type DueFile = { readonly file: StoredFile; readonly removed: boolean };

/** Whether a file was added; if not, how many bytes its account stores already. */
export type Addition = { readonly created: true } | { readonly created: false; readonly usedBytes: number };

/** The files of all accounts, with the number of bytes that each account stores. */
export type FileRepository = {
  /** Adds the file and its bytes, unless the account would then exceed the limit. */
  create(file: StoredFile, limitBytes: number): Promise<Addition>;
  find(account: string, id: string): Promise<StoredFile | undefined>;
  /** Without expired files. */
  page(account: string, query: FilePageQuery, now: number): Promise<Page<StoredFile>>;
  /** The stored object is as the file says. False means that the file is gone. */
  markArrived(file: StoredFile): Promise<boolean>;
  /** The file is no longer found, but its bytes count until the clean-up forgets it. False means that it was already removed. */
  remove(file: StoredFile, keptUntil: number): Promise<boolean>;
};

/** A new name (null removes it), or another time of its end. */
export type FileChange = {
  readonly title?: string | null;
  readonly expiresAt?: number;
  /** The object is changed after this write, by nobody else until this time. */
  readonly claimedUntil?: number;
};

export type FileChanges = {
  /** With an audit entry and the account's storage; false means that the file or the storage has changed. */
  change(
    file: StoredFile,
    change: FileChange,
    entry: AuditEntry,
    storage: StorageChange | undefined,
  ): Promise<boolean>;
};

export type FileDeletion = {
  /** Removes a file at the request of its owner, with an audit entry. */
  delete(file: StoredFile, keptUntil: number, entry: AuditEntry): Promise<boolean>;
};

export type FileCleanUp = {
  due(until: number): AsyncIterable<DueFile>;
  /** Deletes the item of a removed file and subtracts its bytes, once. */
  forget(file: StoredFile): Promise<void>;
};

/** A signed URL to which the client sends the bytes. */
export type FileUpload = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: number;
};

export type FileStore = {
  put(file: StoredFile, bytes: Uint8Array): Promise<void>;
  has(file: StoredFile): Promise<boolean>;
  /**
   * Moves the bytes, if there are any, to where tasks that were accepted with them find them. An empty object takes
   * their place, so that the signed URL accepts no others.
   */
  setAside(file: StoredFile): Promise<void>;
  /** Deletes the bytes, whether they were set aside or not. */
  discard(file: StoredFile): Promise<void>;
  /** Makes the stored object last as long as the file. */
  retain(file: StoredFile): Promise<void>;
  /** A URL that accepts exactly these bytes, once. */
  signUpload(file: StoredFile, sha256: string | undefined): Promise<FileUpload>;
  signDownload(
    file: Pick<StoredFile, 'account' | 'id' | 'name' | 'mimeType'>,
    method: 'GET' | 'HEAD',
  ): Promise<string>;
};

/** Must be either read or closed. */
export type OpenedFile = {
  /** Length of the whole file. */
  readonly bytes: number;
  readonly expiresAt: number;
  read(): Promise<Uint8Array>;
  close(): void;
};
export type FileReader = {
  /** Opens the file or its first bytes; undefined if there is no such file. */
  openFile(file: Pick<StoredFile, 'account' | 'id'>, firstBytes?: number): Promise<OpenedFile | undefined>;
};

/** Small versions of images. Each is made once, because it takes seconds to decode a large image. */
export type PreviewStore = {
  /** Empty for an image that cannot be decoded; undefined before the first request. */
  find(file: Pick<StoredFile, 'account' | 'id'>): Promise<Uint8Array | undefined>;
  put(file: Pick<StoredFile, 'account' | 'id'>, bytes: Uint8Array): Promise<void>;
};

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

type CheckedFile = { readonly bytes: number; readonly mimeType: ImageType };
export type CheckedFiles = ReadonlyMap<string, CheckedFile>;

/** A file of another account, an expired file and one that never existed are all "not found". */
export const openOwnFile = async (
  { files, now, account, fieldName }: FileAccess,
  fileId: string,
  firstBytes?: number,
): Promise<OpenedFile> => {
  const file = await files.openFile({ account, id: fileId }, firstBytes);
  if (file !== undefined && file.expiresAt > now()) return file;
  file?.close();
  throw invalidField(fieldName(fileId), `${fieldName(fileId)}: file not found.`);
};

export const wrongFile = (field: string, problem: string): DomainError =>
  new DomainError('invalid_image', `${field}: the file ${problem}`, { param: field });

/** Reads the head of each file once, and returns its type and length. */
export const checkFiles = async (access: FileAccess, fileIds: readonly string[]): Promise<CheckedFiles> => {
  if (fileIds.length === 0) return new Map();
  const check = async (fileId: string) => {
    const file = await openOwnFile(access, fileId, HEAD_BYTES);
    const checked = checkImageHead(await file.read(), file.bytes);
    if (typeof checked === 'string') throw wrongFile(access.fieldName(fileId), checked);
    return [fileId, { bytes: file.bytes, ...checked }] as const;
  };
  return new Map(await Promise.all(Array.from(new Set(fileIds), check)));
};

/** How long a deleted or expired file is kept and counted, for accepted tasks that wait to be submitted. */
export const REMOVED_FILE_LIFETIME = 7 * HOUR;
