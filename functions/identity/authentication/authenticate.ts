import type { Dialect, KeyPlaces } from '../../platform/api/dialects.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { expiringMap } from '../../platform/domain/expiring-map.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import {
  type ApiKey,
  type Caller,
  hashKey,
  isOwned,
  isWellFormedKey,
  type KeyKind,
  type KeyRepository,
} from '../domain/api-key.ts';
import type { MemberRepository } from '../domain/person.ts';
import { ACCESS_REMOVED, type Role } from '../domain/roles.ts';
import {
  findBackers,
  isBacked,
  isOpen,
  isOverdue,
  readCookieValue,
  type Session,
  type SessionRepository,
} from '../domain/session.ts';

export type Authenticate = (dialect: Dialect, places: KeyPlaces) => Promise<Caller>;

/** A revoked key or an ended session is refused within this time. */
export const KEEP_MILLISECONDS = 60_000;

const WRONG_KIND: Readonly<Record<KeyKind, string>> = {
  plain: 'An admin key manages its account: use a plain key to make videos and images.',
  admin: 'This needs an admin key of the account; a plain key makes videos and images.',
};

/** An admin key has no role: its kind decides. */
const toCaller = (
  { account, id, kind, ownerId, monthlyBudget, requestsPerSecond }: ApiKey,
  role: Role | undefined,
): Caller => ({
  account,
  keyId: id,
  ...(ownerId === undefined ? {} : { personId: ownerId }),
  ...(role === undefined || kind === 'admin' ? {} : { role }),
  ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
  ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
});

type KeyDependencies = { readonly keys: KeyRepository; readonly members: MemberRepository };

/** Accepts keys of one kind; a valid key of the other kind is refused with 403. */
export const authenticator = (
  { keys, members }: KeyDependencies,
  now: Clock,
  kind: KeyKind = 'plain',
  keepMilliseconds = KEEP_MILLISECONDS,
): Authenticate => {
  const callers = expiringMap<Caller>(now);

  /** A person's key has the role of its owner, and ends with the owner's right to have keys. */
  const findRole = async (key: ApiKey): Promise<Role | undefined> => {
    const { account, ownerId, role } = key;
    if (ownerId === undefined) return role;
    const owner = await members.find(account, ownerId);
    if (isOwned(key, owner)) return owner?.role;
    throw new DomainError(
      'invalid_api_key',
      'The owner of the API key has left the account or may not have keys any more; use another key.',
    );
  };

  return async (dialect, places) => {
    const refuse = (reason: string): DomainError =>
      new DomainError('invalid_api_key', `${reason} Send it as ${dialect.keyHint}.`);
    const given = dialect.readApiKey(places);
    if (given === undefined) throw refuse('The API key is missing.');
    const hash = hashKey(given);
    const known = callers.get(hash);
    if (known !== undefined) return known;
    // The checksum rejects a mistyped key without a table lookup.
    if (!isWellFormedKey(given)) throw refuse('The API key is malformed.');
    const key = await keys.findByHash(hash);
    if (key === undefined || key.revokedAt !== undefined) throw refuse('The API key is unknown or revoked.');
    if (key.expiresAt !== undefined && now() >= key.expiresAt)
      throw new DomainError(
        'invalid_api_key',
        `The API key expired at ${new Date(key.expiresAt).toISOString()}; use another.`,
      );
    if (key.kind !== kind) throw new DomainError('insufficient_permissions', WRONG_KIND[kind]);
    const caller = toCaller(key, await findRole(key));
    const { expiresAt = Number.POSITIVE_INFINITY } = key;
    callers.set(hash, caller, Math.min(now() + keepMilliseconds, expiresAt));
    return caller;
  };
};

type Headers = (name: string) => string | undefined;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/;

export const isSecure = (header: Headers): boolean => (header('x-forwarded-proto') ?? 'https') === 'https';

/** Cookies ignore the port, so over HTTP the name includes it. Undefined where no cookie is safe. */
const cookieName = (header: Headers, use: string): string | undefined => {
  if (isSecure(header)) return `__Host-${use}`;
  const match = LOOPBACK.exec(header('host') ?? '');
  return match === null ? undefined : `${use}-${match[1] ?? '80'}`;
};

export const sessionCookieName = (header: Headers): string | undefined => cookieName(header, 'mg-session');
/** Binds a sign-in at the provider to the browser that started it. */
export const signInCookieName = (header: Headers): string | undefined => cookieName(header, 'mg-sign-in');

export const readCookie = (header: Headers, name: string | undefined): string | undefined => {
  const prefix = `${name}=`;
  const found = (header('cookie') ?? '').split(';').find((pair) => pair.trim().startsWith(prefix));
  return found?.trim().slice(prefix.length);
};

export const readSessionCookie = (header: Headers): string | undefined =>
  readCookie(header, sessionCookieName(header));

/** An empty value with a maximum age of 0 removes the cookie. Browsers send Lax cookies when another site leads here. */
export const sessionCookie = (
  name: string,
  value: string,
  maxAgeSeconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string =>
  [
    `${name}=${value}`,
    'Path=/',
    ...(name.startsWith('__Host-') ? ['Secure'] : []),
    'HttpOnly',
    `SameSite=${sameSite}`,
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ');

/** True for a request from our own page; undefined if no browser sent it. */
export const isSameOrigin = (header: Headers): boolean | undefined => {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  if (origin === undefined) return undefined;
  return origin === `${isSecure(header) ? 'https' : 'http'}://${header('host') ?? ''}`;
};

type SessionAccess = {
  readonly keepMilliseconds?: number;
  /** Only to renew or to end a session: accepts one whose person the provider has not confirmed in time. */
  readonly acceptOverdue?: boolean;
};

/** Authenticates by the request's key or, without one, by the cookie of a console session. */
export const keyOrSession = (
  byKey: Authenticate,
  { sessions, members }: { readonly sessions: SessionRepository; readonly members: MemberRepository },
  now: Clock,
  { keepMilliseconds = KEEP_MILLISECONDS, acceptOverdue = false }: SessionAccess = {},
): Authenticate => {
  const callers = expiringMap<Caller>(now);

  /** People are read with each look-up, so that a removal or another role takes effect within a minute. */
  const toSessionCaller = async (session: Session): Promise<Caller | undefined> => {
    const { account, id, role, personId, createdBy } = session;
    const backers = await findBackers(members, session);
    if (!isBacked(session, backers)) return undefined;
    const person = backers.find((each) => each.id === personId);
    if (person === undefined)
      return { account, keyId: id, role, ...(createdBy === undefined ? {} : { createdBy }) };
    return { account, keyId: id, personId, role: person.role, email: person.email };
  };

  const bySession = async (cookie: string): Promise<Caller | undefined> => {
    const claim = readCookieValue(cookie);
    if (claim === undefined) return undefined;
    const known = callers.get(claim.secretHash);
    if (known?.keyId === claim.id) return known;
    const session = await sessions.find(claim.id);
    if (session?.secretHash !== claim.secretHash || !isOpen(session, now())) return undefined;
    if (!acceptOverdue && isOverdue(session, now()))
      throw new DomainError(
        'session_renewal_required',
        'The console session must be renewed: POST /v1/console/session/renew, or sign in again.',
      );
    const caller = await toSessionCaller(session);
    if (caller === undefined) throw new DomainError('invalid_api_key', ACCESS_REMOVED);
    const { expiresAt, checkUntil = Number.POSITIVE_INFINITY } = session;
    callers.set(claim.secretHash, caller, Math.min(now() + keepMilliseconds, expiresAt, checkUntil));
    return caller;
  };

  const bySameOrigin = async (cookie: string, header: Headers): Promise<Caller> => {
    // Browsers send the cookie from other ports of the same host as well.
    if (isSameOrigin(header) !== true)
      throw new DomainError(
        'insufficient_permissions',
        'A console session can be used by the console itself only; send an API key instead.',
      );
    const caller = await bySession(cookie);
    if (caller === undefined)
      throw new DomainError('invalid_api_key', 'The console session is unknown or has ended: sign in again.');
    return caller;
  };

  return (dialect, places) => {
    const { header } = places;
    const cookie = dialect.readApiKey(places) === undefined ? readSessionCookie(header) : undefined;
    return cookie === undefined ? byKey(dialect, places) : bySameOrigin(cookie, header);
  };
};
