export const FILE_PURPOSES = ['vision', 'user_data'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** A file that an account keeps with the service for a while, to use it as an input. */
export type StoredFile = {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly bytes: number;
  readonly mimeType: string;
  readonly purpose: FilePurpose;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** False while an upload by signed address has not been seen to have arrived. */
  readonly arrived: boolean;
};

export const FILE_PREFIX = 'files/';
/** Where deleted and expired files wait for the tasks that were accepted with them. */
export const REMOVED_FILE_PREFIX = 'removed-files/';

/**
 * The account is part of the key: whoever names another's file finds nothing. An account may be called `..`, which
 * clients take out of an address: hence the tilde.
 */
export const fileKey = (account: string, id: string): string => `${FILE_PREFIX}~${account}/${id}`;

/** The account and the file that a key names. */
export const readFileKey = (key: string): Pick<StoredFile, 'account' | 'id'> => {
  const [account, id, ...rest] = key.slice(`${FILE_PREFIX}~`.length).split('/');
  if (!key.startsWith(`${FILE_PREFIX}~`) || account === undefined || id === undefined || rest.length > 0)
    throw new Error(`${key} is not the key of a file`);
  return { account, id };
};

export const isFileKey = (key: string): boolean => key.startsWith(FILE_PREFIX);

export const removedFileKey = (key: string): string =>
  `${REMOVED_FILE_PREFIX}${key.slice(FILE_PREFIX.length)}`;

/** How many files one request for an image may name. */
export const MAX_INPUT_FILES = 10;

/** Metadata of the stored object: the time, in milliseconds, from which on the file cannot be used. */
export const FILE_EXPIRY_METADATA = 'expires-at';

export const MAX_FILE_NAME_CHARACTERS = 255;
/** What an account may ask for, in seconds. */
export const FILE_LIFETIME_SECONDS = { least: 3600, most: 30 * 24 * 60 * 60 } as const;

const MINUTE = 60 * 1000;
/** For how long a signed address takes an upload. */
export const UPLOAD_LIFETIME = 15 * MINUTE;
/** An upload that began in time may end later. */
const UPLOAD_GRACE = 60 * MINUTE;

/** From then on no bytes can arrive for the file. */
export const uploadIsOverAt = ({ createdAt }: Pick<StoredFile, 'createdAt'>): number =>
  createdAt + UPLOAD_LIFETIME + UPLOAD_GRACE;

export const FILE_ID = /^file_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const isFileId = (id: string): boolean => FILE_ID.test(id);

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

/** A file that was found; what was asked for of it is read once, or left. */
export type OpenedFile = {
  /** Of the whole file. */
  readonly bytes: number;
  readonly expiresAt: number;
  read(): Promise<Uint8Array>;
  leave(): void;
};
export type FileReader = {
  /** A file or its first bytes; undefined where the key is not found. */
  openFile(key: string, firstBytes?: number): Promise<OpenedFile | undefined>;
};
