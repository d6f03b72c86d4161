import {
  type Environment,
  FILES,
  REQUEST_SIZE,
  seconds,
  wholeNumber,
} from '../platform/runtime/environment.ts';

/** For functions that add uploads to the files of an account. */
export const FILE_CREATION = {
  ...FILES,
  ...REQUEST_SIZE,
  FILE_STORAGE_MEGABYTES: wholeNumber,
  FILE_RETENTION_SECONDS: seconds,
};

export const creationTerms = (environment: Environment<typeof FILE_CREATION>) => ({
  now: Date.now,
  storageBytes: environment.FILE_STORAGE_MEGABYTES * 1_000_000,
  retentionSeconds: environment.FILE_RETENTION_SECONDS,
});
