import { createHash, randomBytes } from 'node:crypto';
import { HOUR, MINUTE } from '../../platform/domain/durations.ts';
import { type Member, type MemberRepository, stillAdmits, stillGrants } from './person.ts';
import { MAKER_ROLES, type Role } from './roles.ts';

const LINK_MILLISECONDS = 15 * MINUTE;

/** How long a session lasts without being renewed, and at most. */
export type SessionTimes = { readonly idleMilliseconds: number; readonly maxMilliseconds: number };
export const DEFAULT_TIMES: SessionTimes = {
  idleMilliseconds: 12 * HOUR,
  maxMilliseconds: 30 * 24 * HOUR,
};

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
  /** The role of a session without a person; a person's role is that of the member. */
  readonly role: Role;
  /** The person whom the link signs in; undefined for whoever opens it. */
  readonly personId?: string | undefined;
  /** The admin who created it; undefined for an operator or an admin key. */
  readonly createdBy?: string | undefined;
};

/** A signed-in browser. Only a hash of the cookie's secret is stored. */
export type Session = Pick<SignInLink, 'id' | 'account' | 'createdAt' | 'role' | 'personId'> & {
  /** When it ends unless it is renewed. */
  readonly expiresAt: number;
  /** When it ends in any case. */
  readonly endsAt: number;
  /** Before this time there is nothing to renew. */
  readonly renewAt: number;
  readonly secretHash: string;
  /** The admin whose link opened it; the session ends with that admin's role. */
  readonly createdBy?: string | undefined;
  /** By this time the provider must confirm that the person may still sign in; undefined without a provider. */
  readonly checkUntil?: number | undefined;
  /** Encrypted with a key that only the cookie contains. */
  readonly sealedRefreshToken?: string | undefined;
  /** The address that ends the provider's own session, encrypted alike, because it contains a token. */
  readonly sealedSignOutUrl?: string | undefined;
};

type Backed = Pick<SignInLink, 'account' | 'createdAt' | 'personId' | 'createdBy'>;

/** The people on whom a link or session depends: the one whom it signs in, and the admin who created the link. */
export const findBackers = async (
  members: Pick<MemberRepository, 'find'>,
  { account, personId, createdBy }: Backed,
): Promise<Member[]> => {
  const ids = [personId, createdBy].filter((id) => id !== undefined);
  const found = await Promise.all(ids.map((id) => members.find(account, id)));
  return found.filter((member) => member !== undefined);
};

/** Whether these people still have the rights that a link or session requires. */
export const isBacked = ({ personId, createdBy, createdAt }: Backed, members: readonly Member[]): boolean => {
  const find = (who: string): Member | undefined => members.find(({ id }) => id === who);
  return (
    (personId === undefined || stillGrants(find(personId), MAKER_ROLES.session, createdAt)) &&
    (createdBy === undefined || stillAdmits(find(createdBy), MAKER_ROLES.link, createdAt))
  );
};

/** A session as it is opened: its link decides account, role and person. */
export type OpenedSession = Pick<
  Session,
  'id' | 'createdAt' | 'expiresAt' | 'endsAt' | 'renewAt' | 'secretHash'
>;

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
  terms: Partial<Pick<SignInLink, 'role' | 'personId' | 'createdBy'>> = {},
): { token: string; stored: SignInLink } => {
  const token = `mgl_${newSecret()}.${account}`;
  const id = toSessionId(token);
  if (id === undefined) throw new Error('an account has 1 to 100 letters, digits, dots, dashes, _ or @');
  return {
    token,
    stored: { id, account, createdAt: now, linkUntil: now + LINK_MILLISECONDS, role: 'admin', ...terms },
  };
};

/** The latest moment to renew a session: often enough for the provider's check and for the idle time. */
const renewalInterval = (idleMilliseconds: number): number => Math.min(55 * MINUTE, idleMilliseconds / 2);

/** The times of a session that starts or continues now. */
export const sessionTimes = (
  now: number,
  endsAt: number,
  { idleMilliseconds }: Pick<SessionTimes, 'idleMilliseconds'>,
): Pick<Session, 'expiresAt' | 'renewAt'> => ({
  expiresAt: Math.min(now + idleMilliseconds, endsAt),
  renewAt: Math.min(now + renewalInterval(idleMilliseconds), endsAt),
});

/** A session with a new secret, and the value of its cookie. */
export const openSession = (
  id: string,
  now: number,
  times: SessionTimes = DEFAULT_TIMES,
): { cookie: string; secret: string; session: OpenedSession } => {
  const secret = newSecret();
  const endsAt = now + times.maxMilliseconds;
  return {
    cookie: `${id}.${secret}`,
    secret,
    session: { id, createdAt: now, endsAt, ...sessionTimes(now, endsAt, times), secretHash: hash(secret) },
  };
};

/** A random id, for a session that no link or sign-in attempt determines. */
export const newSessionId = (): string => `sess_${randomBytes(16).toString('hex')}`;

/** Undefined if the cookie is malformed. */
export const readCookieValue = (
  value: string,
): (Pick<Session, 'id' | 'secretHash'> & { readonly secret: string }) | undefined => {
  const [, id, secret] = COOKIE_VALUE.exec(value) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret, secretHash: hash(secret) };
};

export const isOpen = ({ expiresAt }: Pick<Session, 'expiresAt'>, now: number): boolean => now < expiresAt;

/** True if the provider has not confirmed the person in time. */
export const isOverdue = ({ checkUntil }: Pick<Session, 'checkUntil'>, now: number): boolean =>
  checkUntil !== undefined && now >= checkUntil;

/** False for a session that can only be replaced by signing in again. */
export const isAlive = (session: Session, now: number): boolean =>
  isOpen(session, now) && !(isOverdue(session, now) && session.sealedRefreshToken === undefined);

export type SessionRepository = {
  find(id: string): Promise<Session | undefined>;
};
