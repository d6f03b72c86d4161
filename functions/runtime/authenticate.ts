import type { Dialect } from '../api/errors.ts';
import { type Caller, hashKey, isWellFormedKey } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Clock, KeyRepository } from '../domain/ports.ts';

export type Authenticate = (
  dialect: Dialect,
  header: (name: string) => string | undefined,
) => Promise<Caller>;

/** A revoked key is refused within this time. */
const KEEP_MILLISECONDS = 60_000;
const MAX_KEPT = 1000;

export const authenticator = (keys: KeyRepository, now: Clock): Authenticate => {
  const kept = new Map<string, { readonly caller: Caller; readonly until: number }>();

  const lookUp = async (hash: string): Promise<Caller | undefined> => {
    const key = await keys.findByHash(hash);
    if (key === undefined || key.revokedAt !== undefined) return undefined;
    const caller = { account: key.account, keyId: key.id };
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(hash, { caller, until: now() + KEEP_MILLISECONDS });
    return caller;
  };

  return async (dialect, header) => {
    const refuse = (reason: string): DomainError =>
      new DomainError('invalid_api_key', `${reason} Send it as the header ${dialect.keyHint}.`);
    const key = dialect.readApiKey(header);
    if (key === undefined) throw refuse('The API key is missing.');
    // The checksum catches what cannot be a key without asking the table.
    if (!isWellFormedKey(key)) throw refuse('The API key is malformed.');
    const hash = hashKey(key);
    const known = kept.get(hash);
    if (known !== undefined && now() < known.until) return known.caller;
    kept.delete(hash);
    const caller = await lookUp(hash);
    if (caller === undefined) throw refuse('The API key is unknown or revoked.');
    return caller;
  };
};
