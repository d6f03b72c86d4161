import { createHash, randomBytes } from 'node:crypto';
import type { Role } from './roles.ts';

export const INVITATION_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** The token contains the account, so that the sign-in page can name it. */
const TOKEN = /^mgi_[A-Za-z0-9_-]{43}\.([\w.@-]{1,100})$/;
const INVITATION_ID = /^invite_[0-9a-f]{32}$/;

/** An invitation to an account, for one person. Only a hash of the link's token is stored. */
export type Invitation = {
  readonly account: string;
  readonly id: string;
  /** Lower case; undefined for whoever has the link. */
  readonly email: string | undefined;
  readonly role: Role;
  /** The person who invited; undefined for an operator, an admin key or a session without a person. */
  readonly invitedBy: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly tokenHash: string;
};

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Where the invitation of a token is stored, and the hash that it must have; undefined if the token is malformed. */
export const readInvitationToken = (
  token: string,
): Pick<Invitation, 'account' | 'id' | 'tokenHash'> | undefined => {
  const account = TOKEN.exec(token)?.[1];
  if (account === undefined) return undefined;
  const tokenHash = hash(token);
  return { account, id: `invite_${tokenHash.slice(0, 32)}`, tokenHash };
};

export const isInvitationId = (id: string): boolean => INVITATION_ID.test(id);

/** Addresses are compared without regard to case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** Creates an invitation. The token is shown once and not kept. */
export const generateInvitation = (
  account: string,
  { email, role, invitedBy }: Pick<Invitation, 'email' | 'role' | 'invitedBy'>,
  now: number,
): { readonly token: string; readonly stored: Invitation } => {
  const token = `mgi_${randomBytes(32).toString('base64url')}.${account}`;
  const read = readInvitationToken(token);
  if (read === undefined) throw new Error('an account has 1 to 100 letters, digits, dots, dashes, _ or @');
  return {
    token,
    stored: {
      ...read,
      email: email === undefined ? undefined : normalizeEmail(email),
      role,
      invitedBy,
      createdAt: now,
      expiresAt: now + INVITATION_MILLISECONDS,
    },
  };
};

export const isPending = ({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: number): boolean =>
  now < expiresAt;

/** The token is in the fragment, which browsers do not send, so no log contains it. */
export const invitationUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/console/sign-in#${token}`;
