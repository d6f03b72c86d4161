import { setTimeout as sleep } from 'node:timers/promises';
import { conflictDelay } from '../../platform/domain/conflicts.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import { type AuditEntry, type AuditOrigin, auditEntry } from '../domain/audit.ts';
import {
  chooseAccount,
  type MemberChange,
  type MembershipPlan,
  planMemberships,
} from '../domain/membership.ts';
import {
  type Invitation,
  isGranted,
  type Member,
  readInvitationToken,
  toPersonId,
} from '../domain/person.ts';
import type { PersonDirectory, ProviderTokens, SessionWrites } from '../domain/provider.ts';
import { checkedTimes } from '../domain/renewal.ts';
import { openSession, type SessionTimes } from '../domain/session.ts';
import {
  mapClaims,
  type Profile,
  readProfile,
  refuseAddress,
  type SignInError,
  type SignInRules,
} from '../domain/sign-in.ts';
import type { SignInAttempt } from '../domain/sign-in-attempt.ts';

/** Refused sign-ins of people without an account are kept for the operator. */
export const NO_ACCOUNT = '-';

export type SignInDependencies = {
  readonly directory: Pick<
    PersonDirectory,
    'find' | 'listByPerson' | 'findInvitation' | 'listInvitationsByEmail'
  >;
  readonly writes: Pick<SessionWrites, 'open' | 'record'>;
  readonly issuer: string;
  readonly rules: SignInRules;
  readonly times: SessionTimes;
  readonly now: Clock;
};

export type ProviderSignIn = {
  readonly attempt: SignInAttempt;
  readonly tokens: ProviderTokens;
  readonly signOutUrl: string | undefined;
  /** Where the request comes from; the session and the person are added. */
  readonly from: Pick<AuditOrigin, 'ip' | 'userAgent'>;
};

type SignedIn = { readonly cookie: string; readonly endsAt: number; readonly account: string };
/** A refused person sees which of their identities it was. */
type Refused = { readonly error: SignInError; readonly personId: string; readonly identity: string };
export type SignInResult = SignedIn | Refused;

/** The entries of changes to members; a new name or address alone is not a change of access. */
export const memberEntries = (
  origin: AuditOrigin,
  changes: readonly MemberChange[],
  at: number,
): readonly AuditEntry[] =>
  changes.flatMap((change): AuditEntry[] => {
    const { account, id, email, role, source } = change.member;
    const action = { ...origin, account, at };
    if (change.kind === 'remove') return [auditEntry(action, 'user.deleted', id, { email, role, source })];
    const { invitation } = change;
    const accepted =
      invitation === undefined ? [] : [auditEntry(action, 'invite.accepted', invitation.id, { role })];
    if (change.kind === 'add')
      return [auditEntry(action, 'user.added', id, { email, role, source }), ...accepted];
    const from = change.before.role;
    const updated = auditEntry(action, 'user.updated', id, { from, to: role, source });
    return [...(from === role && change.before.source === source ? [] : [updated]), ...accepted];
  });

/** Finds out whether the inviter may still invite. */
export const findGranted = async (
  directory: Pick<PersonDirectory, 'find'>,
  invitation: Invitation,
): Promise<Invitation[]> => {
  const { account, invitedBy } = invitation;
  const inviter = invitedBy === undefined ? undefined : await directory.find(account, invitedBy);
  return isGranted(invitation, inviter) ? [invitation] : [];
};

/** The invitations for a verified address, and the one whose link was opened. */
const listInvitations = async (
  { directory }: SignInDependencies,
  { email }: Profile,
  token: string | undefined,
): Promise<readonly Invitation[]> => {
  const place = token === undefined ? undefined : readInvitationToken(token);
  const [byEmail, byToken] = await Promise.all([
    email === '' ? [] : directory.listInvitationsByEmail(email),
    place === undefined ? undefined : directory.findInvitation(place.account, place.id),
  ]);
  const isOpened = byToken !== undefined && byToken.tokenHash === place?.tokenHash;
  const found = [...byEmail.filter(({ id }) => id !== byToken?.id), ...(isOpened ? [byToken] : [])];
  return (await Promise.all(found.map((each) => findGranted(directory, each)))).flat();
};

/** Notes the sign-in in the membership of the account that is opened. */
const withSignIn = ({ changes }: MembershipPlan, chosen: Member, now: number): MemberChange[] => {
  const member = { ...chosen, lastSignInAt: now };
  const isChosen = (change: MemberChange): boolean => change.member.account === chosen.account;
  return changes.some(isChosen)
    ? changes.map((change) => (isChosen(change) && change.kind !== 'remove' ? { ...change, member } : change))
    : [...changes, { kind: 'update', member, before: chosen }];
};

const toOrigin = ({ attempt, from }: ProviderSignIn, personId: string, { email }: Profile): AuditOrigin => ({
  ...from,
  actor: { kind: 'session', id: attempt.sessionId, personId, email: email === '' ? undefined : email },
});

type Refusal = {
  readonly personId: string;
  readonly members: readonly Member[];
  readonly changes: readonly MemberChange[];
  readonly error: SignInError;
};

const refuse = async (
  { writes, now }: SignInDependencies,
  origin: AuditOrigin,
  { personId, members, changes, error }: Refusal,
): Promise<boolean> => {
  const at = now();
  const accounts = members.length === 0 ? [NO_ACCOUNT] : members.map(({ account }) => account);
  const failed = accounts.map((account) =>
    auditEntry({ ...origin, account, at }, 'login.failed', personId, { reason: error }),
  );
  return writes.record({ changes, entries: [...memberEntries(origin, changes, at), ...failed] });
};

/** One try; undefined if somebody else changed the same memberships meanwhile. */
const tryToSignIn = async (
  dependencies: SignInDependencies,
  given: ProviderSignIn,
  profile: Profile,
): Promise<SignInResult | undefined> => {
  const { directory, writes, rules, times, now } = dependencies;
  const { attempt, tokens, signOutUrl } = given;
  const personId = toPersonId(profile);
  const origin = toOrigin(given, personId, profile);
  const identity = profile.email === '' ? profile.name : profile.email;
  const members = await directory.listByPerson(personId);
  const addressError = refuseAddress(profile, rules.emailDomains);
  if (addressError !== undefined) {
    await refuse(dependencies, origin, { personId, members, changes: [], error: addressError });
    return { error: addressError, personId, identity };
  }
  const invitations = await listInvitations(dependencies, profile, attempt.invitation);
  const at = now();
  const granted = mapClaims(profile.claims, rules.accounts);
  const plan = planMemberships(profile, { members, granted, invitations }, at);
  const invitedTo = attempt.invitation && readInvitationToken(attempt.invitation)?.account;
  const chosen = chooseAccount(plan.members, invitedTo);
  if (chosen === undefined) {
    const error = profile.hasUnverifiedEmail ? 'email_not_verified' : 'not_invited';
    const { changes } = plan;
    const isRecorded = await refuse(dependencies, origin, { personId, members, changes, error });
    return isRecorded ? { error, personId, identity } : undefined;
  }
  const { account } = chosen;
  const { cookie, secret, session } = openSession(attempt.sessionId, at, times);
  const changes = withSignIn(plan, chosen, at);
  const isOpened = await writes.open(
    {
      session: {
        ...session,
        ...checkedTimes(at, session.endsAt, times),
        account,
        role: chosen.role,
        personId,
      },
      secret,
      tokens: { refreshToken: tokens.refreshToken, signOutUrl },
    },
    {
      changes,
      entries: [
        ...memberEntries(origin, changes, at),
        auditEntry({ ...origin, account, at }, 'login.succeeded', session.id, { via: 'provider' }),
      ],
    },
  );
  return isOpened ? { cookie, endsAt: session.endsAt, account } : undefined;
};

const TRIES = 5;

/** Opens a session for a person whom the provider has identified, and brings their memberships up to date. */
export const signInWithProvider = async (
  dependencies: SignInDependencies,
  given: ProviderSignIn,
): Promise<SignInResult> => {
  const { subject, claims } = given.tokens;
  const profile = readProfile(dependencies.issuer, subject, claims);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const result = await tryToSignIn(dependencies, given, profile);
    if (result !== undefined) return result;
    // The index of memberships is a moment behind a change.
    await sleep(100 + conflictDelay(tries, Math.random()));
  }
  throw new DomainError('concurrent_update', 'The memberships of this person are changing; sign in again.');
};
