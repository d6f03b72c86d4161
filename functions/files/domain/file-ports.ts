import type { FilePurpose, StoredFile } from './files.ts';

export type FilePageQuery = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: string | undefined;
  readonly purpose: FilePurpose | undefined;
};
export type FilePage = { readonly files: readonly StoredFile[]; readonly hasMore: boolean };

/** A file that the clean-up has to look at: its time is over, its upload is, or its bytes are no longer kept. */
export type DueFile = { readonly file: StoredFile; readonly removed: boolean };

/** The files of all accounts, and how many bytes each account keeps. */
export type FileRepository = {
  /** Writes the file down and counts its bytes, unless the account would then keep more than the limit. */
  create(
    file: StoredFile,
    limitBytes: number,
  ): Promise<{ readonly created: true } | { readonly created: false; readonly usedBytes: number }>;
  find(account: string, id: string): Promise<StoredFile | undefined>;
  /** Those that have not expired. */
  page(account: string, query: FilePageQuery, now: number): Promise<FilePage>;
  /** False means that the file is gone. */
  noteArrival(file: StoredFile): Promise<boolean>;
  /** From now on it is not found; its bytes count until the clean-up forgets it. False means that somebody else did. */
  remove(file: StoredFile, keptUntil: number): Promise<boolean>;
};

export type FileCleanUp = {
  due(until: number): AsyncIterable<DueFile>;
  /** Takes out the last trace of a removed file, and gives its bytes back, once. */
  forget(file: StoredFile): Promise<void>;
};

/** How to send the bytes of a file straight to the store. */
export type FileUpload = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: number;
};

/** The bytes of files. */
export type FileStore = {
  put(file: StoredFile, bytes: Uint8Array): Promise<void>;
  has(file: StoredFile): Promise<boolean>;
  /**
   * Moves the bytes, if there are any, to where the tasks that were accepted with them find them, and leaves an empty
   * object in their place, so that the signed address takes no others.
   */
  setAside(file: StoredFile): Promise<void>;
  /** Removes the bytes wherever they are. */
  discard(file: StoredFile): Promise<void>;
  /** An address that takes just these bytes, once. */
  signUpload(file: StoredFile, sha256: string | undefined): Promise<FileUpload>;
  signDownload(file: StoredFile, method: 'GET' | 'HEAD'): Promise<string>;
};
