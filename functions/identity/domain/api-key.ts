import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Member, stillGrants } from './person.ts';
import { MAKER_ROLES, type Role } from './roles.ts';

export const KEY_KINDS = ['plain', 'admin'] as const;
/** A plain key makes videos and images; an admin key reads and manages its account. */
export type KeyKind = (typeof KEY_KINDS)[number];

export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { plain: 'mgk_', admin: 'mga_' };

/** A prefix, 43 random characters (256 bits) and a checksum of 7, so that a mistyped key needs no lookup. */
const KEY = /^mg[ak]_([A-Za-z0-9_-]{43})([0-9a-z]{7})$/;

/** Ten years, each as long as a leap year. */
export const MAX_KEY_SECONDS = 10 * 366 * 24 * 60 * 60;

export type KeyTerms = {
  readonly kind: KeyKind;
  readonly expiresAt?: number | undefined;
  /** A decimal, per UTC month. */
  readonly monthlyBudget?: string | undefined;
  readonly requestsPerSecond?: number | undefined;
  /** The person to whom the key belongs; undefined if it belongs to the account. */
  readonly ownerId?: string | undefined;
  /** Of a person's key that was given to the account: it can do no more than before. Other keys have none. */
  readonly role?: Role | undefined;
};

/** A stored key; the key itself is not kept. */
export type ApiKey = KeyTerms & {
  readonly id: string;
  readonly hash: string;
  readonly account: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly revokedAt?: number | undefined;
};

/** The terms of a key that its account can change; undefined removes a term, an absent one stays. */
export type KeyChange = Partial<Pick<ApiKey, 'name' | 'expiresAt' | 'monthlyBudget'>>;

/** The account and key, or console session, of a request. */
export type Caller = {
  readonly account: string;
  readonly keyId: string;
  /** The owner of the key, or the person who signed in. */
  readonly personId?: string | undefined;
  /** Of a console session and of a person's key; other keys act by their kind. */
  readonly role?: Role | undefined;
  /** Of a session without a person: the admin whose link opened it. */
  readonly createdBy?: string | undefined;
  /** Of a console session only. */
  readonly email?: string | undefined;
  /** The budget of the key; the account has its own. */
  readonly monthlyBudget?: string | undefined;
  readonly requestsPerSecond?: number | undefined;
};

/** Admins, and admin keys, which have no role, manage everything in the account. */
export const managesAll = ({ role }: Pick<Caller, 'role'>): boolean => role === undefined || role === 'admin';

/** The person in whose name a caller acts; what the caller makes ends with that person's right to make it. */
export const actingPerson = (caller: Pick<Caller, 'personId' | 'createdBy'>): string | undefined =>
  caller.personId ?? caller.createdBy;

/** The key of a person ends with the owner's right to have keys. */
export const isOwned = ({ ownerId, kind, createdAt }: ApiKey, owner: Member | undefined): boolean =>
  ownerId === undefined || stillGrants(owner, kind === 'admin' ? 'admin' : MAKER_ROLES.key, createdAt);

export const isUsable = (key: ApiKey, now: number, owner: Member | undefined): boolean =>
  key.revokedAt === undefined && (key.expiresAt === undefined || now < key.expiresAt) && isOwned(key, owner);

const checksum = (random: string): string => crc32(random).toString(36).padStart(7, '0');

export const hashKey = (key: string): string => hash('sha256', key);

export const isWellFormedKey = (key: string): boolean => {
  const match = KEY.exec(key);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
};

/** Creates a key and its stored form. The key itself is shown once and not kept. */
export const generateApiKey = (
  account: string,
  name: string,
  now: number,
  { kind = 'plain', ...terms }: Partial<KeyTerms> = {},
): { key: string; stored: ApiKey } => {
  const random = randomBytes(32).toString('base64url');
  const key = `${KEY_PREFIXES[kind]}${random}${checksum(random)}`;
  const hash = hashKey(key);
  const id = `key_${hash.slice(0, 16)}`;
  return {
    key,
    stored: { id, hash, account, name, kind, lastFour: key.slice(-4), createdAt: now, ...terms },
  };
};

export type KeyRepository = {
  findByHash(hash: string): Promise<ApiKey | undefined>;
};

/** The id of a key or of a console session. */
export const KEY_ID = /^(?:key_[0-9a-f]{16}|sess_[0-9a-f]{32})$/;
