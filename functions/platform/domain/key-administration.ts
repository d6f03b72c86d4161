import type { ApiKey, KeyChange } from './api-key.ts';
import type { AuditEntry } from './audit.ts';

/** Lists the keys of an account, newest first. */
export type KeyList = { listAccount(account: string): Promise<readonly ApiKey[]> };

/** Each change is written together with its audit entry. */
export type KeyAdministration = KeyList & {
  /** False if the owner is not in the account or is a viewer. */
  add(key: ApiKey, entry: AuditEntry): Promise<boolean>;
  /** The keys of a person that are not revoked; includes one that was created a moment ago. */
  listOwned(account: string, ownerId: string): Promise<readonly ApiKey[]>;
  /** False if the key is not found; does nothing if it is revoked. */
  revoke(key: OwnedKey, now: number, entry: AuditEntry): Promise<boolean>;
  /** False if the key is not found or revoked. */
  change(hash: string, change: KeyChange, entry: AuditEntry): Promise<boolean>;
  /** Gives a person's key to the account; false if it is revoked or does not belong to the person any more. */
  transfer(key: OwnedKey, entry: AuditEntry): Promise<boolean>;
};

/** The part of a key that decides whose it is. */
export type OwnedKey = Pick<ApiKey, 'hash' | 'account' | 'ownerId'>;
