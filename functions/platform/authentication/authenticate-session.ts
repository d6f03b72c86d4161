import type { Caller } from '../domain/api-key.ts';
import { DomainError } from '../domain/errors.ts';
import type { Clock, SessionRepository } from '../domain/ports.ts';
import { isOpen, readCookieValue } from '../domain/session.ts';
import { type Authenticate, KEEP_MILLISECONDS } from './authenticate.ts';
import { isSameOrigin, readSessionCookie } from './session-cookie.ts';

const MAX_KEPT = 1000;

/** Takes the key of a request or, where it has none, the cookie of a console session. */
export const keyOrSession = (
  byKey: Authenticate,
  sessions: SessionRepository,
  now: Clock,
  keepMilliseconds = KEEP_MILLISECONDS,
): Authenticate => {
  const kept = new Map<string, { readonly caller: Caller; readonly until: number }>();

  const bySession = async (cookie: string): Promise<Caller | undefined> => {
    const claim = readCookieValue(cookie);
    if (claim === undefined) return undefined;
    const known = kept.get(claim.secretHash);
    if (known !== undefined && known.caller.keyId === claim.id && now() < known.until) return known.caller;
    const session = await sessions.find(claim.id);
    if (session?.secretHash !== claim.secretHash || !isOpen(session, now())) return undefined;
    const caller = { account: session.account, keyId: session.id };
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(claim.secretHash, {
      caller,
      until: Math.min(now() + keepMilliseconds, session.expiresAt),
    });
    return caller;
  };

  return async (dialect, places) => {
    const { header } = places;
    const cookie = dialect.readApiKey(places) === undefined ? readSessionCookie(header) : undefined;
    if (cookie === undefined) return byKey(dialect, places);
    // A page on another port of the same host is sent with the cookie too.
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
};
