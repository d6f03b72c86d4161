import type { ApiKey, KeyChange } from './api-key.ts';
import type { AuditEntry } from './audit.ts';
import type { Member } from './person.ts';
import type { Role } from './roles.ts';
import type { OpenedSession, Session, SignInLink } from './session.ts';

/** Lists the keys of an account, newest first. */
export type KeyList = { listAccount(account: string): Promise<readonly ApiKey[]> };

/** A key with what is known about its use and its owner. */
export type KnownKey = {
  readonly key: ApiKey;
  /** Undefined for a key of the account, and for one of a person who has left. */
  readonly owner?: Member | undefined;
  readonly lastCharge?: number | undefined;
};

/** Each change is written together with its audit entry. */
export type KeyAdministration = KeyList & {
  /** False if the owner may not have keys or, for a key of the account, if its maker is not an admin any more. */
  add(key: ApiKey, entry: AuditEntry, maker?: string): Promise<boolean>;
  /** The keys of a person that are not revoked; includes one that was created a moment ago. */
  listOwned(account: string, ownerId: string): Promise<readonly ApiKey[]>;
  /** False if the key is not found; does nothing if it is revoked. */
  revoke(key: OwnedKey, now: number, entry: AuditEntry): Promise<boolean>;
  /** False if the key is not found or revoked. */
  change(hash: string, change: KeyChange, entry: AuditEntry): Promise<boolean>;
  /** Gives a person's key to the account, with a role; false if it is not that person's any more, or if the acting one is no admin any more. */
  transfer(key: OwnedKey, role: Role, entry: AuditEntry, acting?: string): Promise<boolean>;
};

/** The part of a key that decides whose it is. */
export type OwnedKey = Pick<ApiKey, 'hash' | 'account' | 'ownerId'>;

/** A stored link; one that has become a session has no time. */
export type StoredLink = Omit<SignInLink, 'linkUntil'> & { readonly linkUntil?: number | undefined };

/** Each change is written together with its audit entry. */
export type SessionAdministration = {
  addLink(link: SignInLink, entry: AuditEntry): Promise<void>;
  findLink(id: string): Promise<StoredLink | undefined>;
  /** Turns a link into a session once; false if it was used or has expired. */
  redeem(link: StoredLink, session: OpenedSession, entry: AuditEntry): Promise<boolean>;
  /** Includes expired sessions that are not removed yet. */
  list(account: string): Promise<readonly Session[]>;
  /** False if the account has no such session. */
  end(account: string, id: string, entry: AuditEntry): Promise<boolean>;
  /** Ends the sessions of an account and its unused links; only the sessions have entries. */
  endAll(account: string, toEntry: (sessionId: string) => AuditEntry): Promise<void>;
};

export type KeyUses = {
  /** When these API keys were last charged, in milliseconds; without those that never were. */
  lastCharges(account: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** An API key has an item in the accounts table, in which billing notes the time of its last charge. */
export const LAST_CHARGE = 'lastChargedAt';
/** Account names contain no `#`. */
export const keyItemName = (account: string, keyId: string): string => `${account}#${keyId}`;
