import { Refusal } from '../command.ts';

export class LocalCloudError extends Refusal {
  override readonly name = 'LocalCloudError';
}

/** Reports an error of the local cloud that no caller can receive. */
export type OnError = (where: string, error: unknown) => void;

export const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

/** How a disk can fail, and the exit code with which the emulators report it. */
const FAILURES = {
  full: { words: 'The disk is full', exitCode: 81 },
  quota: { words: 'The disk quota is used up', exitCode: 82 },
  limit: { words: 'A file is larger than the system allows', exitCode: 83 },
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

/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL: the low byte of a result code. */
const BY_SQLITE_CODE: Readonly<Record<number, StorageFailure>> = {
  8: FAILURES.readOnly,
  10: FAILURES.broken,
  11: FAILURES.broken,
  13: FAILURES.full,
};

/** LevelDB and esbuild report only the text of the system error. */
const BY_TEXT: readonly (readonly [RegExp, StorageFailure])[] = [
  [/no space left on device|ENOSPC/i, FAILURES.full],
  [/disk quota exceeded/i, FAILURES.quota],
  [/file too large/i, FAILURES.limit],
  [/read-only file system/i, FAILURES.readOnly],
];

/** Undefined if the error has another cause. */
export const storageFailure = (error: unknown): StorageFailure | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const sqliteCode = 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN;
  const byText = BY_TEXT.find(([pattern]) => pattern.test(error.message))?.[1];
  return byText ?? BY_CODE[code] ?? BY_SQLITE_CODE[sqliteCode] ?? storageFailure(error.cause);
};

/** Exits, because writes after a torn record would be acknowledged and then lost. */
export const endIfStorageFailed = (error: unknown): void => {
  const failure = storageFailure(error);
  if (failure === undefined) return;
  if (failure === FAILURES.broken) console.error(error);
  process.exit(failure.exitCode);
};

/** Undefined if the emulators exited for another reason. */
export const storageError = (exitCode: number | null, folder: string): LocalCloudError | undefined => {
  const failure = Object.values(FAILURES).find((each) => each.exitCode === exitCode);
  if (failure === undefined) return undefined;
  return new LocalCloudError(
    `${failure.words}: the local cloud stopped to avoid losing data. Acknowledged writes are in ${folder}: free some space, then start again.`,
  );
};
