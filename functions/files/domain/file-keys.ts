import { opaqueName } from '../../platform/domain/ids.ts';

const FILE_PREFIX = 'files/';
/** Deleted and expired files stay here for tasks that were accepted with them. */
const REMOVED_FILE_PREFIX = 'removed-files/';

const PREVIEW_PREFIX = 'previews/';

/** Depends on the account, so that the id of another account's file finds nothing. */
export const fileKey = (account: string, id: string): string => `${FILE_PREFIX}${opaqueName(account, id)}`;

export const isFileKey = (key: string): boolean => key.startsWith(FILE_PREFIX);

export const removedFileKey = (key: string): string =>
  `${REMOVED_FILE_PREFIX}${key.slice(FILE_PREFIX.length)}`;

export const previewKey = (key: string): string => `${PREVIEW_PREFIX}${key.slice(FILE_PREFIX.length)}`;
