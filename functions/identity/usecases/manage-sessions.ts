import { randomBytes } from 'node:crypto';
import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import type { SessionAdministration, StoredLink } from '../domain/administration.ts';
import { actingPerson, type Caller, managesAll } from '../domain/api-key.ts';
import {
  type AuditEntry,
  type AuditOrigin,
  type AuditType,
  auditEntry,
  type CallerAction,
} from '../domain/audit.ts';
import {
  isPending,
  isPersonId,
  LINK_ISSUER,
  type Member,
  type MemberRepository,
  readInvitationToken,
  toPersonId,
} from '../domain/person.ts';
import type { PersonDirectory, SessionWrites } from '../domain/provider.ts';
import {
  findBackers,
  generateLink,
  isBacked,
  isSessionId,
  newSessionId,
  openSession,
  type Session,
  type SessionTimes,
  type SignInLink,
  toSessionId,
} from '../domain/session.ts';
import { findGranted, memberEntries } from './sign-in-with-provider.ts';

const GET_ANOTHER =
  'Get a new link with npm run console -- sign-in --account ACCOUNT, and --stack NAME for a deployed stack.';

export const LINKS_DISABLED = new DomainError(
  'insufficient_permissions',
  'Sign-in links are disabled (setting signIn.links): sign in with the provider.',
);

type Origin = Pick<AuditOrigin, 'ip' | 'userAgent'>;

const sessionOrigin = (from: Origin, id: string, personId: string | undefined): AuditOrigin => ({
  ...from,
  actor: { kind: 'session', id, personId, email: undefined },
});

type LinkDependencies = {
  readonly sessions: Pick<SessionAdministration, 'findLink' | 'redeem'>;
  readonly record: (entry: AuditEntry) => Promise<void>;
  readonly directory: Pick<PersonDirectory, 'find' | 'findInvitation'>;
  readonly writes: Pick<SessionWrites, 'open'>;
  readonly times: SessionTimes;
  readonly now: Clock;
};

type Opened = { readonly session: Session; readonly cookie: string };

/** Exchanges the token of a sign-in link or of an invitation for a session; a token can be used once. */
export const signInWithToken = (
  dependencies: LinkDependencies,
  token: string,
  from: Origin,
): Promise<Opened> =>
  token.startsWith('mgi_')
    ? acceptInvitation(dependencies, token, from)
    : redeemLink(dependencies, token, from);

const redeemLink = async (
  { sessions, record, directory, times, now }: LinkDependencies,
  token: string,
  from: Origin,
): Promise<Opened> => {
  const id = toSessionId(token);
  if (id === undefined) throw invalidField('token', `token is not from a sign-in link. ${GET_ANOTHER}`);
  const link = await sessions.findLink(id);
  const at = now();
  const opened = openSession(id, at, times);
  const toEntry = (stored: StoredLink, type: AuditType, details: AuditEntry['details']): AuditEntry =>
    auditEntry(
      { ...sessionOrigin(from, id, stored.personId), account: stored.account, at },
      type,
      id,
      details,
    );
  // A guessed token is only logged with its request; a known one is also audited.
  const isRedeemed =
    link?.linkUntil !== undefined &&
    isBacked(link, await findBackers(directory, link)) &&
    (await sessions.redeem(link, opened.session, toEntry(link, 'login.succeeded', { via: 'link' })));
  if (link === undefined || !isRedeemed) {
    if (link !== undefined) await record(toEntry(link, 'login.failed', { reason: 'link_not_valid' }));
    throw invalidField(
      'token',
      `token is unknown, was already used, is older than 15 minutes, or its creator is not an admin any more. ${GET_ANOTHER}`,
    );
  }
  const { account, role, personId, createdBy } = link;
  return {
    session: { ...opened.session, account, role, personId, createdBy },
    cookie: opened.cookie,
  };
};

/** Creates a person without a provider: their issuer is `link`, and their subject is random. */
const acceptInvitation = async (
  { directory, writes, times, now }: LinkDependencies,
  token: string,
  from: Origin,
): Promise<Opened> => {
  const refusal = invalidField(
    'token',
    'token is not from a pending invitation: it is unknown, was already used, was withdrawn or has expired. Ask for a new one.',
  );
  const place = readInvitationToken(token);
  const invitation = place && (await directory.findInvitation(place.account, place.id));
  const at = now();
  if (invitation?.tokenHash !== place?.tokenHash || invitation === undefined || !isPending(invitation, at))
    throw refusal;
  if ((await findGranted(directory, invitation)).length === 0) throw refusal;
  const { account, role, email } = invitation;
  const identity = { issuer: LINK_ISSUER, subject: randomBytes(16).toString('hex') };
  const member: Member = {
    ...identity,
    account,
    id: toPersonId(identity),
    email,
    name: email,
    role,
    source: 'invitation',
    addedAt: at,
    lastSignInAt: at,
  };
  const { cookie, secret, session } = openSession(newSessionId(), at, times);
  const origin = sessionOrigin(from, session.id, member.id);
  const changes = [{ kind: 'add', member, invitation } as const];
  const stored = { ...session, account, role, personId: member.id };
  const isOpened = await writes.open(
    { session: stored, secret, tokens: {} },
    {
      changes,
      entries: [
        ...memberEntries(origin, changes, at),
        auditEntry({ ...origin, account, at }, 'login.succeeded', session.id, { via: 'invitation' }),
      ],
    },
  );
  if (!isOpened) throw refusal;
  return { session: stored, cookie };
};

type LinkPorts = {
  readonly sessions: Pick<SessionAdministration, 'addLink'>;
  readonly members: MemberRepository;
};

/** A link for whoever opens it, or for a person of the account who has no provider. */
export const createLink = async (
  { sessions, members }: LinkPorts,
  action: CallerAction,
  personId: string | undefined,
): Promise<{ readonly token: string; readonly stored: SignInLink }> => {
  const { caller, account, at } = action;
  const member =
    personId !== undefined && isPersonId(personId) ? await members.find(account, personId) : undefined;
  if (personId !== undefined && member === undefined) throw notFound('User', personId, 'user_id');
  if (member !== undefined && member.issuer !== LINK_ISSUER)
    throw invalidField(
      'user_id',
      'user_id must be a person who signs in with links; this one has a provider.',
    );
  const createdBy = actingPerson(caller);
  const terms = member === undefined ? { createdBy } : { role: member.role, personId, createdBy };
  const made = generateLink(account, at, terms);
  const { id, role } = made.stored;
  await sessions.addLink(
    made.stored,
    auditEntry(action, 'link.created', id, personId === undefined ? { role } : { role, user_id: personId }),
  );
  return made;
};

/** Admins, and admin keys, see all sessions of the account; others see their own. */
export const isVisible = (caller: Caller, session: Pick<Session, 'id' | 'personId'>): boolean =>
  managesAll(caller) ||
  session.id === caller.keyId ||
  (caller.personId !== undefined && session.personId === caller.personId);

type EndableSessions = Pick<SessionAdministration, 'list' | 'end' | 'endAll'>;

const endOne = async (sessions: EndableSessions, action: CallerAction, id: string): Promise<boolean> => {
  const { caller, account } = action;
  const isOwn = id === caller.keyId;
  const isAllowed =
    isOwn ||
    managesAll(caller) ||
    (await sessions.list(account)).some((session) => session.id === id && isVisible(caller, session));
  const type = isOwn ? 'logout.succeeded' : 'session.ended';
  return isAllowed && sessions.end(account, id, auditEntry(action, type, id));
};

/** Ends one session, the caller's own (`current`) or `all` sessions of the account; returns the id, or `all`. */
export const endSession = async (
  sessions: EndableSessions,
  action: CallerAction,
  which: string,
): Promise<string> => {
  const { account, keyId, role } = action.caller;
  if (which === 'all') {
    if (!managesAll(action.caller))
      throw new DomainError(
        'insufficient_permissions',
        `Ending all sessions requires the role admin; yours is ${role}.`,
      );
    await sessions.endAll(account, (id) =>
      auditEntry(action, id === keyId ? 'logout.succeeded' : 'session.ended', id),
    );
    return which;
  }
  const id = which === 'current' ? keyId : which;
  if (!isSessionId(id) || !(await endOne(sessions, action, id)))
    throw notFound('Session', which, 'session_id');
  return id;
};
