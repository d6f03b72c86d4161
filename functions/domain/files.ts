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
/** Where deleted and expired files wait a day for the tasks that were accepted with them. */
export const REMOVED_FILE_PREFIX = 'removed-files/';

/** The account is part of the key: whoever names another's file finds nothing. */
export const fileKey = (account: string, id: string): string => `${FILE_PREFIX}${account}/${id}`;

export const removedFileKey = (key: string): string =>
  `${REMOVED_FILE_PREFIX}${key.slice(FILE_PREFIX.length)}`;

/** Metadata of the stored object: the time, in milliseconds, from which on the file cannot be used. */
export const FILE_EXPIRY_METADATA = 'expires-at';
