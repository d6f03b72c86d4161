/** What a person can mend, told in one sentence: printed without a stack trace. */
export class LocalCloudError extends Error {
  override readonly name = 'LocalCloudError';
}

/** Reports an error inside the local cloud itself, where no caller is left to be told. */
export type OnError = (where: string, error: unknown) => void;

/** Ways in which a disk refuses data, and the exit code by which the store tells of each. */
const FAILURES = {
  full: { words: 'The disk is full', exitCode: 81 },
  quota: { words: 'The disk quota is used up', exitCode: 82 },
  limit: { words: 'A file would be larger than the system allows', exitCode: 83 },
  readOnly: { words: 'The disk is read-only', exitCode: 84 },
  broken: { words: 'The disk does not work', exitCode: 85 },
} as const;

type StorageFailure = (typeof FAILURES)[keyof typeof FAILURES];

const BY_CODE: Readonly<Record<string, StorageFailure>> = {
  ENOSPC: FAILURES.full,
  EDQUOT: FAILURES.quota,
  EFBIG: FAILURES.limit,
  EROFS: FAILURES.readOnly,
  EIO: FAILURES.broken,
  LEVEL_IO_ERROR: FAILURES.broken,
  LEVEL_CORRUPTION: FAILURES.broken,
};

/** The first byte of SQLite's result codes: SQLITE_READONLY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL. */
const BY_SQLITE_CODE: Readonly<Record<number, StorageFailure>> = {
  8: FAILURES.readOnly,
  10: FAILURES.broken,
  11: FAILURES.broken,
  13: FAILURES.full,
};

/** LevelDB and esbuild pass on only the system's text. */
const BY_TEXT: readonly (readonly [RegExp, StorageFailure])[] = [
  [/no space left on device|ENOSPC/i, FAILURES.full],
  [/disk quota exceeded/i, FAILURES.quota],
  [/file too large/i, FAILURES.limit],
  [/read-only file system/i, FAILURES.readOnly],
];

/** Undefined where something else went wrong. */
export const storageFailure = (error: unknown): StorageFailure | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const sqliteCode = 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN;
  const byText = BY_TEXT.find(([pattern]) => pattern.test(error.message))?.[1];
  return byText ?? BY_CODE[code] ?? BY_SQLITE_CODE[sqliteCode] ?? storageFailure(error.cause);
};

/** Ends the process that keeps the data: what is written behind a torn record would be acknowledged and lost. */
export const endIfStorageFailed = (error: unknown): void => {
  const failure = storageFailure(error);
  if (failure === undefined) return;
  if (failure === FAILURES.broken) console.error(error);
  process.exit(failure.exitCode);
};

/** What to tell of a store that ended with this code; undefined where it was for another reason. */
export const storageError = (exitCode: number | null, folder: string): LocalCloudError | undefined => {
  const failure = Object.values(FAILURES).find((each) => each.exitCode === exitCode);
  if (failure === undefined) return undefined;
  return new LocalCloudError(
    `${failure.words}: the store has stopped before it loses anything. What was answered is kept in ${folder}: make room there, then start again.`,
  );
};
