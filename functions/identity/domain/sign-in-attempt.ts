import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a person may take at the provider. */
export const ATTEMPT_SECONDS = 600;

/** A sign-in that has been started in one browser. */
export type SignInAttempt = {
  readonly startedAt: number;
  readonly returnTo: string;
  readonly invitation: string | undefined;
  /** Returned by the provider with the person. */
  readonly state: string;
  /** Part of the ID token. */
  readonly nonce: string;
  /** Proves to the provider that this service started the sign-in (PKCE). */
  readonly verifier: string;
  /** The session that it may open, once. */
  readonly sessionId: string;
};

const COOKIE = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{1,3000})$/;

/** Everything is derived from the cookie's secret, so that nothing is stored before a person has signed in. */
const derive = (secret: string, content: string, use: string): string =>
  createHmac('sha256', secret).update(`${use}:${content}`).digest('base64url');

const fromCookie = (secret: string, content: string): SignInAttempt | undefined => {
  const [startedAt, returnTo, invitation] = readContent(content);
  if (typeof startedAt !== 'number' || typeof returnTo !== 'string') return undefined;
  return {
    startedAt,
    returnTo,
    invitation: typeof invitation === 'string' ? invitation : undefined,
    state: derive(secret, content, 'state'),
    nonce: derive(secret, content, 'nonce'),
    verifier: derive(secret, content, 'verifier'),
    sessionId: `sess_${createHash('sha256')
      .update(derive(secret, content, 'session'))
      .digest('hex')
      .slice(0, 32)}`,
  };
};

const readContent = (content: string): readonly unknown[] => {
  try {
    const read: unknown = JSON.parse(Buffer.from(content, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
};

/** A new attempt, and the cookie that binds it to the browser. */
export const startAttempt = (
  { returnTo, invitation }: Pick<SignInAttempt, 'returnTo' | 'invitation'>,
  now: number,
): { readonly cookie: string; readonly attempt: SignInAttempt } => {
  const secret = randomBytes(32).toString('base64url');
  const content = Buffer.from(JSON.stringify([now, returnTo, invitation ?? null])).toString('base64url');
  const attempt = fromCookie(secret, content);
  if (attempt === undefined) throw new Error('the attempt cannot be read again');
  return { cookie: `${secret}.${content}`, attempt };
};

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The attempt of this browser; undefined if it is another one's, too old or malformed. */
export const resumeAttempt = (
  cookie: string | undefined,
  state: string | undefined,
  now: number,
): SignInAttempt | undefined => {
  const [, secret, content] = COOKIE.exec(cookie ?? '') ?? [];
  if (secret === undefined || content === undefined) return undefined;
  const attempt = fromCookie(secret, content);
  if (attempt === undefined || !isEqual(attempt.state, state ?? '')) return undefined;
  return now < attempt.startedAt + ATTEMPT_SECONDS * 1000 ? attempt : undefined;
};
