import { createHash, randomBytes } from 'node:crypto';
import { isAtLeast, MAKER_ROLES, type Role } from './roles.ts';

/** A person is identified by the provider and its name for the person, never by an e-mail address. */
export type Identity = { readonly issuer: string; readonly subject: string };

export const toPersonId = ({ issuer, subject }: Identity): string =>
  `user_${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 32)}`;

export const PERSON_ID = /^user_[0-9a-f]{32}$/;
export const isPersonId = (id: string): boolean => PERSON_ID.test(id);

/** The issuer of people who sign in with links, without a provider; their subject is random. */
export const LINK_ISSUER = 'link';

/** Where a role comes from: a role that the provider's claims give is changed at the provider. */
export const MEMBER_SOURCES = ['invitation', 'provider', 'operator'] as const;

/** A person's role in one account. */
export type Member = Identity & {
  readonly account: string;
  /** The person's id. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly source: (typeof MEMBER_SOURCES)[number];
  readonly addedAt: number;
  /** Since when the role is at least this one, if that is later than `addedAt`. */
  readonly memberSince?: number | undefined;
  readonly adminSince?: number | undefined;
  /** Since when the provider has refused to confirm the person, who may have left; the next sign-in ends it. */
  readonly refusedAt?: number | undefined;
  readonly lastSignInAt?: number | undefined;
};

/** The attribute with the start of a right; everyone is at least a viewer from `addedAt`. */
export const SINCE = {
  viewer: 'addedAt',
  member: 'memberSince',
  admin: 'adminSince',
} as const satisfies Record<Role, keyof Member>;

/** The member with another role. A right that is lost and given again starts anew. */
export const withRole = (member: Member, role: Role, now: number): Member => {
  const since = (right: 'member' | 'admin'): number | undefined => {
    if (!isAtLeast(role, right)) return undefined;
    return isAtLeast(member.role, right) ? member[SINCE[right]] : now;
  };
  return { ...member, role, memberSince: since('member'), adminSince: since('admin') };
};

/**
 * Whether something that a person made still counts: the person has had the role that it requires without interruption
 * since then. All that a person made ends with the write that removes or demotes them, however much it is.
 */
export const stillGrants = (maker: Member | undefined, right: Role, madeAt: number): boolean =>
  maker !== undefined &&
  isAtLeast(maker.role, right) &&
  Math.max(maker.addedAt, maker[SINCE[right]] ?? 0) <= madeAt;

/** Finds the role of a signed-in person, for every request of a session that is not cached. */
export type MemberRepository = {
  find(account: string, personId: string): Promise<Member | undefined>;
};

const INVITATION_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** The token contains the account, so that the page can name it before the invitation is accepted. */
const TOKEN = /^mgi_[A-Za-z0-9_-]{43}\.([\w.@-]{1,100})$/;

/** A role in an account for the person who has the link, or whose verified address it names. */
export type Invitation = {
  readonly account: string;
  /** The beginning of the token's hash, so that a token leads to its invitation. */
  readonly id: string;
  /** In lower case; empty if the link is for whoever opens it. */
  readonly email: string;
  readonly role: Role;
  /** The person who invites; undefined for an operator, or a session or key without a person. */
  readonly invitedBy?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly tokenHash: string;
};

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

export const MAX_EMAIL_CHARACTERS = 254;
const EMAIL = /^[^\p{C}\p{Z}@<>(),;:"\\]{1,64}@[^\p{C}\p{Z}@<>(),;:"\\]{1,189}$/u;

/**
 * Excludes lists of addresses and addresses with names; only the provider knows whether an address exists. Characters
 * that look like others, such as the Kelvin sign, would make two addresses the same in lower case.
 */
export const isEmail = (text: string): boolean => EMAIL.test(text) && text.normalize('NFKC') === text;

/** Addresses are compared in lower case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** Where the invitation of a token is; undefined if the token is malformed. */
export const readInvitationToken = (
  token: string,
): Pick<Invitation, 'account' | 'id' | 'tokenHash'> | undefined => {
  const [, account] = TOKEN.exec(token) ?? [];
  const tokenHash = hash(token);
  return account === undefined ? undefined : { account, id: `invite_${tokenHash.slice(0, 32)}`, tokenHash };
};

/** Creates an invitation. The token is shown once and not kept. */
export const generateInvitation = (
  { account, email, role, invitedBy }: Pick<Invitation, 'account' | 'email' | 'role' | 'invitedBy'>,
  now: number,
): { token: string; stored: Invitation } => {
  const token = `mgi_${randomBytes(32).toString('base64url')}.${account}`;
  const place = readInvitationToken(token);
  if (place === undefined) throw new Error('an account has 1 to 100 letters, digits, dots, dashes, _ or @');
  return {
    token,
    stored: {
      ...place,
      email: normalizeEmail(email),
      role,
      invitedBy,
      createdAt: now,
      expiresAt: now + INVITATION_MILLISECONDS,
    },
  };
};

/** Like `stillGrants`, for rights that lead to others: a person whom the provider does not confirm gives none. */
export const stillAdmits = (maker: Member | undefined, right: Role, madeAt: number): boolean =>
  stillGrants(maker, right, madeAt) && maker?.refusedAt === undefined;

/** Whether the inviter may still invite; operators, and keys and sessions without a person, always may. */
export const isGranted = (
  { invitedBy, createdAt }: Pick<Invitation, 'invitedBy' | 'createdAt'>,
  inviter: Member | undefined,
): boolean => invitedBy === undefined || stillAdmits(inviter, MAKER_ROLES.invitation, createdAt);

export const isPending = ({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: number): boolean =>
  now < expiresAt;

/** An invitation never lowers the role that a person already has in the account. */
export const wouldRaise = (invitation: Pick<Invitation, 'role'>, current: Role | undefined): boolean =>
  current === undefined || !isAtLeast(current, invitation.role);
