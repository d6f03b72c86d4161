import type { Dialect, KeyPlaces } from '../api/errors.ts';
import { type ApiKey, type Caller, hashKey, isWellFormedKey, type KeyKind } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Clock, KeyRepository } from '../domain/ports.ts';

export type Authenticate = (dialect: Dialect, places: KeyPlaces) => Promise<Caller>;

/** A revoked key or an ended session is refused within this time. */
export const KEEP_MILLISECONDS = 60_000;
const MAX_KEPT = 1000;

const WRONG_KIND: Readonly<Record<KeyKind, string>> = {
  plain: 'An admin key manages its account: use a plain key to make videos and images.',
  admin: 'This needs an admin key of the account; a plain key makes videos and images.',
};

const callerOf = ({ account, id, monthlyBudget, requestsPerSecond }: ApiKey): Caller => ({
  account,
  keyId: id,
  ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
  ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
});

/** Takes keys of one kind; a key of the other is known, but may not do this. */
export const authenticator = (
  keys: KeyRepository,
  now: Clock,
  kind: KeyKind = 'plain',
  keepMilliseconds = KEEP_MILLISECONDS,
): Authenticate => {
  const kept = new Map<string, { readonly caller: Caller; readonly until: number }>();

  const keep = (key: ApiKey): Caller => {
    const caller = callerOf(key);
    if (kept.size >= MAX_KEPT) kept.clear();
    const until = Math.min(now() + keepMilliseconds, key.expiresAt ?? Number.POSITIVE_INFINITY);
    kept.set(key.hash, { caller, until });
    return caller;
  };

  return async (dialect, places) => {
    const refuse = (reason: string): DomainError =>
      new DomainError('invalid_api_key', `${reason} Send it as ${dialect.keyHint}.`);
    const given = dialect.readApiKey(places);
    if (given === undefined) throw refuse('The API key is missing.');
    // The checksum catches what cannot be a key without asking the table.
    if (!isWellFormedKey(given)) throw refuse('The API key is malformed.');
    const hash = hashKey(given);
    const known = kept.get(hash);
    if (known !== undefined && now() < known.until) return known.caller;
    kept.delete(hash);
    const key = await keys.findByHash(hash);
    if (key === undefined || key.revokedAt !== undefined) throw refuse('The API key is unknown or revoked.');
    if (key.expiresAt !== undefined && now() >= key.expiresAt)
      throw new DomainError(
        'invalid_api_key',
        `The API key expired at ${new Date(key.expiresAt).toISOString()}; use another.`,
      );
    if (key.kind !== kind) throw new DomainError('insufficient_permissions', WRONG_KIND[kind]);
    return keep(key);
  };
};
