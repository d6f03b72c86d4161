import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const KEY_KINDS = ['plain', 'admin'] as const;
/** A plain key makes videos and images; an admin key reads and manages its account. */
export type KeyKind = (typeof KEY_KINDS)[number];

const PREFIXES: Readonly<Record<KeyKind, string>> = { plain: 'mgk_', admin: 'mga_' };

/** A prefix + 43 characters of randomness (256 bits) + 7 of checksum, so that a typing error costs no look-up. */
const KEY = /^mg[ak]_([A-Za-z0-9_-]{43})([0-9a-z]{7})$/;

/** Ten years, each as long as a leap year. */
export const MAX_KEY_SECONDS = 10 * 366 * 24 * 60 * 60;

/** What a key may do, and for how long. */
export type KeyTerms = {
  readonly kind: KeyKind;
  readonly expiresAt: number | undefined;
  /** What may be spent with it in a UTC month, as a decimal. */
  readonly monthlyBudget: string | undefined;
  readonly requestsPerSecond: number | undefined;
};

/** A key as it is stored: never the key itself. */
export type ApiKey = KeyTerms & {
  readonly id: string;
  readonly hash: string;
  readonly account: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
};

/** Whose key a request came with. */
export type Caller = {
  readonly account: string;
  readonly keyId: string;
  /** The key's own budget; the account has another. */
  readonly monthlyBudget?: string | undefined;
  readonly requestsPerSecond?: number | undefined;
};

export const isUsable = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  revokedAt === undefined && (expiresAt === undefined || now < expiresAt);

const checksum = (random: string): string => crc32(random).toString(36).padStart(7, '0');

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

export const isWellFormedKey = (key: string): boolean => {
  const match = KEY.exec(key);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
};

export const hashKey = hashOf;

/** A new key and its stored form; the key itself is shown once and kept nowhere. */
export const generateApiKey = (
  account: string,
  name: string,
  now: number,
  { kind = 'plain', expiresAt, monthlyBudget, requestsPerSecond }: Partial<KeyTerms> = {},
): { key: string; stored: ApiKey } => {
  const random = randomBytes(32).toString('base64url');
  const key = `${PREFIXES[kind]}${random}${checksum(random)}`;
  const hash = hashOf(key);
  const id = `key_${hash.slice(0, 16)}`;
  return {
    key,
    stored: {
      id,
      hash,
      account,
      name,
      kind,
      lastFour: key.slice(-4),
      createdAt: now,
      expiresAt,
      revokedAt: undefined,
      monthlyBudget,
      requestsPerSecond,
    },
  };
};
