import { createHash, randomBytes } from 'node:crypto';
import type { Role } from './roles.ts';

const MINUTE = 60_000;
const LINK_MILLISECONDS = 15 * MINUTE;
export const SESSION_MILLISECONDS = 12 * 60 * MINUTE;

/** A link's token contains the account, so that the page can name it before the link is used. */
const TOKEN = /^mgl_[A-Za-z0-9_-]{43}\.([\w.@-]{1,100})$/;
const COOKIE_VALUE = /^(sess_[0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;
const SESSION_ID = /^sess_[0-9a-f]{32}$/;

/** A stored one-time link; redeeming it creates the session with the same id. */
export type SignInLink = {
  readonly id: string;
  readonly account: string;
  readonly createdAt: number;
  readonly linkUntil: number;
  /** The role of a session without a person. */
  readonly role: Role;
  /** The person whom the link signs in; undefined for whoever opens it. */
  readonly personId: string | undefined;
};

/** A signed-in browser. Only a hash of the cookie's secret is stored. */
export type Session = {
  readonly id: string;
  readonly account: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly secretHash: string;
  /** Of a session without a person; a person's role is that of the member. */
  readonly role: Role;
  readonly personId: string | undefined;
};

/** A session as it is opened: its link decides account, role and person. */
type OpenedSession = Omit<Session, 'account' | 'role' | 'personId'>;

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const newSecret = (): string => randomBytes(32).toString('base64url');

/** The id of the session that a token opens; undefined if the token is malformed. */
export const toSessionId = (token: string): string | undefined =>
  TOKEN.test(token) ? `sess_${hash(token).slice(0, 32)}` : undefined;

export const isSessionId = (id: string): boolean => SESSION_ID.test(id);

/** Creates a link. The token is shown once and not kept. */
export const generateLink = (
  account: string,
  now: number,
  { role = 'admin', personId }: Partial<Pick<SignInLink, 'role' | 'personId'>> = {},
): { token: string; stored: SignInLink } => {
  const token = `mgl_${newSecret()}.${account}`;
  const id = toSessionId(token);
  if (id === undefined) throw new Error('an account has 1 to 100 letters, digits, dots, dashes, _ or @');
  return {
    token,
    stored: { id, account, createdAt: now, linkUntil: now + LINK_MILLISECONDS, role, personId },
  };
};

/** The session that a link becomes, and the value of its cookie. */
export const openSession = (id: string, now: number): { cookie: string; session: OpenedSession } => {
  const secret = newSecret();
  return {
    cookie: `${id}.${secret}`,
    session: { id, createdAt: now, expiresAt: now + SESSION_MILLISECONDS, secretHash: hash(secret) },
  };
};

/** Undefined if the cookie is malformed. */
export const readCookieValue = (value: string): Pick<Session, 'id' | 'secretHash'> | undefined => {
  const [, id, secret] = COOKIE_VALUE.exec(value) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secretHash: hash(secret) };
};

export const isOpen = ({ expiresAt }: Session, now: number): boolean => now < expiresAt;

export type SessionRepository = {
  find(id: string): Promise<Session | undefined>;
};

export type SessionAdministration = {
  addLink(link: SignInLink): Promise<void>;
  /** Redeems a link once; undefined if it is unknown, used or expired. */
  redeem(session: OpenedSession): Promise<Session | undefined>;
  /** Includes expired sessions that are not removed yet. */
  list(account: string): Promise<readonly Session[]>;
  /** False if the account has no such session. */
  end(account: string, id: string): Promise<boolean>;
  /** Ends the sessions of an account and its unused links. */
  endAll(account: string): Promise<void>;
};
