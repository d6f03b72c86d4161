import { DomainError, notFound } from '../../platform/domain/errors.ts';
import { isAccountName } from '../../platform/domain/ids.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { Caller } from '../domain/api-key.ts';
import { type AuditOrigin, auditEntry } from '../domain/audit.ts';
import { type MemberChange, markRefused, planMemberships } from '../domain/membership.ts';
import { toPersonId } from '../domain/person.ts';
import {
  type OpenIdProvider,
  type PersonDirectory,
  ProviderError,
  type RefreshedTokens,
  type SessionWrites,
} from '../domain/provider.ts';
import {
  checkedTimes,
  extendedTimes,
  outageTimes,
  planRenewal,
  type RenewedTimes,
} from '../domain/renewal.ts';
import { isOverdue, newSessionId, openSession, type Session } from '../domain/session.ts';
import { mapClaims, readProfile, refuseAddress } from '../domain/sign-in.ts';
import { memberEntries, type SignInDependencies } from './sign-in-with-provider.ts';

/** Longer than a provider may take for all calls of a refresh. */
const LEASE_MILLISECONDS = 25_000;

export type RenewalDependencies = Pick<SignInDependencies, 'issuer' | 'rules' | 'times' | 'now'> & {
  readonly provider: Pick<OpenIdProvider, 'refresh'> | undefined;
  readonly directory: Pick<PersonDirectory, 'find' | 'listByPerson'>;
  readonly writes: SessionWrites;
  readonly logger: Pick<Logger, 'error'>;
};

/** A session with the secret of its cookie, and who asks from where. */
export type HeldSession = {
  readonly session: Session;
  readonly secret: string;
  readonly origin: AuditOrigin;
};

const hasEnded = (message = 'The console session has ended: sign in again.'): DomainError =>
  new DomainError('invalid_api_key', message);

const signInAgain = (): DomainError =>
  new DomainError(
    'session_renewal_required',
    'The provider must confirm who you are: continue at GET /v1/console/sign_in/start.',
  );

/** Renews a session: the idle time starts again and, once an hour, the provider confirms the person. */
export const renewSession = async (
  dependencies: RenewalDependencies,
  held: HeldSession,
): Promise<Session> => {
  const { now, times } = dependencies;
  const { session } = held;
  const at = now();
  switch (planRenewal(session, at)) {
    case 'keep':
      return session;
    case 'extend':
      return write(dependencies, held, extendedTimes(session, at, times));
    case 'sign-in':
      throw signInAgain();
    case 'ask':
      return askProvider(dependencies, held);
  }
};

type Renewed = { readonly refreshToken?: string | undefined; readonly changes?: readonly MemberChange[] };

const write = async (
  { writes, now }: RenewalDependencies,
  { session, secret, origin }: HeldSession,
  times: RenewedTimes,
  { refreshToken, changes = [] }: Renewed = {},
): Promise<Session> => {
  const renewed = { ...times, refreshToken, secret };
  const entries = memberEntries(origin, changes, now());
  // An admin may change the same membership meanwhile. The new refresh token must not be lost; the next renewal makes the changes.
  const isWritten =
    (await writes.renew(session, renewed, { changes, entries })) ||
    (changes.length > 0 && (await writes.renew(session, renewed, { entries: [] })));
  if (!isWritten) throw hasEnded();
  return { ...session, ...times };
};

const askProvider = async (dependencies: RenewalDependencies, held: HeldSession): Promise<Session> => {
  const { writes, provider, directory, logger, now } = dependencies;
  const { session, secret } = held;
  const member = session.personId && (await directory.find(session.account, session.personId));
  if (provider === undefined || member === undefined || member === '') throw signInAgain();
  if (!(await writes.lease(session, now(), now() + LEASE_MILLISECONDS))) {
    if (!isOverdue(session, now())) return session;
    throw new DomainError('request_in_progress', 'The session is being renewed; try again.', {
      retryAfterSeconds: 1,
    });
  }
  const { refreshToken } = await writes.tokens(session, secret);
  if (refreshToken === undefined) throw signInAgain();
  try {
    const refreshed = await provider.refresh(refreshToken, member.subject);
    return await confirm(dependencies, held, refreshed);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === 'refused' || error.failure === 'denied') {
      const changes = markRefused(await directory.listByPerson(member.id), now());
      return endWithReason(dependencies, held, 'refused_by_provider', changes);
    }
    logger.error('provider failed', error, { failure: error.failure });
    // The provider no longer accepts the earlier refresh token.
    return write(dependencies, held, outageTimes(session, now()), { refreshToken: error.nextRefreshToken });
  }
};

/** Compares what the provider says now with the session: the person, the address and the account. */
const confirm = async (
  dependencies: RenewalDependencies,
  held: HeldSession,
  { subject, claims, refreshToken }: RefreshedTokens,
): Promise<Session> => {
  const { directory, issuer, rules, times, now } = dependencies;
  const { session } = held;
  const { personId = '', account, endsAt } = session;
  if (toPersonId({ issuer, subject }) !== personId)
    return endWithReason(dependencies, held, 'another_person');
  const at = now();
  if (claims === undefined)
    return write(dependencies, held, checkedTimes(at, endsAt, times), { refreshToken });
  const profile = readProfile(issuer, subject, claims);
  const addressError = refuseAddress(profile, rules.emailDomains);
  if (addressError !== undefined) return endWithReason(dependencies, held, addressError);
  const members = await directory.listByPerson(personId);
  const granted = mapClaims(claims, rules.accounts);
  const { changes, members: after } = planMemberships(profile, { members, granted, invitations: [] }, at);
  // The index of memberships may be a moment behind: an account that it does not list at all is not lost.
  const isLost =
    members.some((member) => member.account === account) &&
    !after.some((member) => member.account === account);
  if (isLost) return endWithReason(dependencies, held, 'no_longer_a_member', changes);
  return write(dependencies, held, checkedTimes(at, endsAt, times), { refreshToken, changes });
};

const endWithReason = async (
  { writes, now }: RenewalDependencies,
  { session, origin }: HeldSession,
  reason: string,
  changes: readonly MemberChange[] = [],
): Promise<never> => {
  const { account, id } = session;
  const at = now();
  const ended = auditEntry({ ...origin, account, at }, 'session.ended', id, { reason });
  const isEnded = await writes.end(session, {
    changes,
    entries: [ended, ...memberEntries(origin, changes, at)],
  });
  if (!isEnded && changes.length > 0) await writes.end(session, { entries: [ended] });
  throw hasEnded('The console session has ended, because the provider no longer confirms it: sign in again.');
};

/** Opens a session in another account of the person, in place of this one. */
export const switchAccount = async (
  { directory, writes, times, now }: Pick<RenewalDependencies, 'directory' | 'writes' | 'times' | 'now'>,
  { session, secret, origin }: HeldSession,
  { personId }: Caller,
  account: string,
): Promise<{ readonly session: Session; readonly cookie: string }> => {
  if (personId === undefined)
    throw new DomainError(
      'insufficient_permissions',
      'This session belongs to one account: it was opened with a sign-in link for no person.',
    );
  const member = isAccountName(account) ? await directory.find(account, personId) : undefined;
  if (member === undefined) throw notFound('Project', account, 'project_id');
  const at = now();
  const opened = openSession(newSessionId(), at, times);
  const { checkUntil, createdBy } = session;
  // The longest time counts from the sign-in.
  const endsAt = Math.min(session.endsAt, opened.session.endsAt);
  const renewAt = Math.min(opened.session.renewAt, session.renewAt, endsAt);
  const expiresAt = Math.min(opened.session.expiresAt, endsAt);
  const stored = {
    ...opened.session,
    endsAt,
    renewAt,
    expiresAt,
    account,
    role: member.role,
    personId,
    createdBy,
    checkUntil,
  };
  const details = { from: session.account, to: account };
  const isSwitched = await writes.open(
    { session: stored, secret: opened.secret, tokens: await writes.tokens(session, secret) },
    {
      ends: session,
      changes: [{ kind: 'update', member: { ...member, lastSignInAt: at }, before: member }],
      entries: [
        auditEntry({ ...origin, account: session.account, at }, 'session.ended', session.id, {
          reason: 'switched',
          ...details,
        }),
        auditEntry({ ...origin, account, at }, 'login.succeeded', stored.id, { via: 'switch', ...details }),
      ],
    },
  );
  if (!isSwitched) throw hasEnded();
  return { session: stored, cookie: opened.cookie };
};
