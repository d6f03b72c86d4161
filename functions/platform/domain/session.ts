import { createHash, randomBytes } from 'node:crypto';

const MINUTE = 60_000;
export const LINK_MILLISECONDS = 15 * MINUTE;
export const SESSION_MILLISECONDS = 12 * 60 * MINUTE;

/** The account is part of a link's token, so that the page can name it before the link is used. */
const TOKEN = /^mgl_[A-Za-z0-9_-]{43}\.([\w.@-]{1,100})$/;
const COOKIE_VALUE = /^(sess_[0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;
const SESSION_ID = /^sess_[0-9a-f]{32}$/;

/** A one-time link as it is stored; redeeming it makes the session of the same id. */
export type SignInLink = {
  readonly id: string;
  readonly account: string;
  readonly createdAt: number;
  readonly linkUntil: number;
};

/** A person at the console; the cookie's secret is stored as a hash only. */
export type Session = {
  readonly id: string;
  readonly account: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly secretHash: string;
};

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const newSecret = (): string => randomBytes(32).toString('base64url');

/** The session that a link's token stands for; undefined for what cannot be a token. */
export const sessionIdOf = (token: string): string | undefined =>
  TOKEN.test(token) ? `sess_${hashOf(token).slice(0, 32)}` : undefined;

export const isSessionId = (id: string): boolean => SESSION_ID.test(id);

/** A new link: the token is shown once and kept nowhere. */
export const generateLink = (account: string, now: number): { token: string; stored: SignInLink } => {
  const token = `mgl_${newSecret()}.${account}`;
  const id = sessionIdOf(token);
  if (id === undefined) throw new Error('an account has 1 to 100 letters, digits, dots, dashes, _ or @');
  return { token, stored: { id, account, createdAt: now, linkUntil: now + LINK_MILLISECONDS } };
};

/** What a link becomes, and the value of its cookie. */
export const openSession = (
  id: string,
  now: number,
): { cookie: string; session: Omit<Session, 'account'> } => {
  const secret = newSecret();
  return {
    cookie: `${id}.${secret}`,
    session: { id, createdAt: now, expiresAt: now + SESSION_MILLISECONDS, secretHash: hashOf(secret) },
  };
};

/** Undefined for what cannot be a session's cookie. */
export const readCookieValue = (value: string): Pick<Session, 'id' | 'secretHash'> | undefined => {
  const [, id, secret] = COOKIE_VALUE.exec(value) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secretHash: hashOf(secret) };
};

export const isOpen = ({ expiresAt }: Session, now: number): boolean => now < expiresAt;
