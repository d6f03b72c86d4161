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
