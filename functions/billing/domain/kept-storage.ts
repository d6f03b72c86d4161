import { DomainError } from '../../platform/domain/errors.ts';

export type KeptStorage = {
  readonly usedBytes: number;
  /** Of the account itself: null for no limit, undefined for the default. */
  readonly ownMegabytes: number | null | undefined;
};

/** The bytes that a change adds, or subtracts if negative; the storage as it was read before. */
export type StorageChange = {
  readonly account: string;
  readonly bytes: number;
  readonly read: KeptStorage;
  /** Undefined without a limit. */
  readonly limitBytes: number | undefined;
};

export type KeptStorages = {
  find(account: string): Promise<KeptStorage>;
};

const MEGABYTE = 1_000_000;

/** The most that an admin can set: 10 TB. */
export const MAX_KEPT_MEGABYTES = 10_000_000;

export const storageLimit = ({ ownMegabytes }: KeptStorage, defaultMegabytes: number): number | undefined => {
  if (ownMegabytes === null) return undefined;
  return (ownMegabytes ?? defaultMegabytes) * MEGABYTE;
};

const GIGABYTE = 1000 * MEGABYTE;

/** In kilobytes, megabytes or gigabytes: `230 KB`, `12.5 MB`, `1.02 GB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < MEGABYTE) return `${Math.ceil(bytes / 1000)} KB`;
  const [unit, name] = bytes < GIGABYTE ? [MEGABYTE, 'MB'] : [GIGABYTE, 'GB'];
  return `${Number((bytes / unit).toPrecision(3))} ${name}`;
};

/** Throws if the storage has no room for so many more bytes. */
export const requireStorage = ({ bytes, read, limitBytes }: StorageChange, what: string): void => {
  if (limitBytes === undefined || read.usedBytes + bytes <= limitBytes) return;
  throw new DomainError(
    'insufficient_quota',
    `The storage for kept items is full: ${formatBytes(read.usedBytes)} of ${formatBytes(limitBytes)} are used, and this ${what} has ${formatBytes(bytes)}. Release or delete kept items, or ask an admin to raise the limit.`,
  );
};

/** S3 Standard in most regions, in USD for 2^30 bytes and a month. An estimate: requests and transfer are not included. */
const PRICE_PER_GIBIBYTE = 0.023;

/** What it costs to store so many bytes for a month, in USD: two decimals, rounded up to a cent. */
export const monthlyStorageCost = (bytes: number): string =>
  (Math.ceil((bytes / 2 ** 30) * PRICE_PER_GIBIBYTE * 100) / 100).toFixed(2);
