import { type Invitation, isPending, type Member, toPersonId, withRole, wouldRaise } from './person.ts';
import type { Role } from './roles.ts';
import type { Profile } from './sign-in.ts';

/** A change to the members of an account that a sign-in or a renewal makes. */
export type MemberChange =
  | { readonly kind: 'add'; readonly member: Member; readonly invitation?: Invitation }
  | {
      readonly kind: 'update';
      readonly member: Member;
      readonly before: Member;
      readonly invitation?: Invitation;
    }
  | { readonly kind: 'remove'; readonly member: Member };

export type MembershipPlan = {
  readonly changes: readonly MemberChange[];
  /** The memberships after the changes. */
  readonly members: readonly Member[];
};

type Known = {
  readonly members: readonly Member[];
  /** The accounts that the provider's claims give. */
  readonly granted: ReadonlyMap<string, Role>;
  /** Those whose inviter may still invite. */
  readonly invitations: readonly Invitation[];
};

/** DynamoDB allows 100 writes in a transaction, and a change takes up to five. The next renewal makes the others. */
const MAX_CHANGES = 18;

/** The highest pending invitation of each account that would raise the person's role there. Nobody invites themselves. */
const usefulInvitations = (
  invitations: readonly Invitation[],
  members: readonly Member[],
  personId: string,
  now: number,
): ReadonlyMap<string, Invitation> => {
  const useful = new Map<string, Invitation>();
  for (const invitation of invitations) {
    const { account, invitedBy } = invitation;
    if (invitedBy === personId) continue;
    const current = useful.get(account)?.role ?? members.find((member) => member.account === account)?.role;
    if (isPending(invitation, now) && wouldRaise(invitation, current)) useful.set(account, invitation);
  }
  return useful;
};

/**
 * Decides the memberships of a person: the provider's claims give, change and take those whose source is the provider;
 * invitations add to them; others stay as they are.
 */
export const planMemberships = (
  profile: Profile,
  { members, granted, invitations }: Known,
  now: number,
): MembershipPlan => {
  const { issuer, subject, email, name } = profile;
  const id = toPersonId(profile);
  const byClaims = members.flatMap((member): Member[] => {
    const role = granted.get(member.account);
    const confirmed = { ...member, email, name, refusedAt: undefined };
    if (member.source !== 'provider') return [confirmed];
    return role === undefined ? [] : [withRole(confirmed, role, now)];
  });
  const accounts = new Set(members.map(({ account }) => account));
  const added = [...granted]
    .filter(([account]) => !accounts.has(account))
    .map(([account, role]): Member => {
      const source = 'provider';
      return { account, id, issuer, subject, email, name, role, source, addedAt: now };
    });
  const withClaims = [...byClaims, ...added];
  const accepted = usefulInvitations(invitations, withClaims, id, now);
  const invited = [...accepted.values()].map(({ account, role }): Member => {
    const current = withClaims.find((member) => member.account === account);
    return current === undefined
      ? { account, id, issuer, subject, email, name, role, source: 'invitation', addedAt: now }
      : { ...withRole(current, role, now), source: 'invitation' };
  });
  const after = [...withClaims.filter(({ account }) => !accepted.has(account)), ...invited];
  const changes = listChanges(members, after, accepted);
  const postponed = new Set(changes.slice(MAX_CHANGES).map(({ member }) => member.account));
  return {
    changes: changes.slice(0, MAX_CHANGES),
    members: after.filter(({ account }) => accounts.has(account) || !postponed.has(account)),
  };
};

const hasChanged = (before: Member, after: Member): boolean =>
  (['role', 'source', 'email', 'name', 'refusedAt'] as const).some((field) => before[field] !== after[field]);

const listChanges = (
  before: readonly Member[],
  after: readonly Member[],
  accepted: ReadonlyMap<string, Invitation>,
): MemberChange[] => {
  const find = (members: readonly Member[], account: string): Member | undefined =>
    members.find((member) => member.account === account);
  const removed = before
    .filter(({ account }) => find(after, account) === undefined)
    .map((member): MemberChange => ({ kind: 'remove', member }));
  const written = after.flatMap((member): MemberChange[] => {
    const earlier = find(before, member.account);
    const invitation = accepted.get(member.account);
    const used = invitation === undefined ? {} : { invitation };
    if (earlier === undefined) return [{ kind: 'add', member, ...used }];
    return hasChanged(earlier, member) ? [{ kind: 'update', member, before: earlier, ...used }] : [];
  });
  return [...removed, ...written];
};

/** Marks the memberships of a person whom the provider refuses to confirm; the next sign-in removes the mark. */
export const markRefused = (members: readonly Member[], now: number): MemberChange[] =>
  members
    .filter(({ refusedAt }) => refusedAt === undefined)
    .slice(0, MAX_CHANGES)
    .map((member) => ({ kind: 'update', member: { ...member, refusedAt: now }, before: member }));

/** The account to open: that of the invitation, else the one that was used last, else the first by name. */
export const chooseAccount = (
  members: readonly Member[],
  invitedTo: string | undefined,
): Member | undefined =>
  members.find(({ account }) => account === invitedTo) ??
  members.toSorted(
    (one, other) =>
      (other.lastSignInAt ?? 0) - (one.lastSignInAt ?? 0) || (one.account < other.account ? -1 : 1),
  )[0];
