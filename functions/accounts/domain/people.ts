import type { AuditEntry } from '../../platform/domain/audit.ts';
import type { Invitation, Member, MemberRepository } from '../../platform/domain/person.ts';
import type { Role } from '../../platform/domain/roles.ts';

/** Whether the keys of a person who leaves or becomes a viewer are revoked or given to the account. */
export const KEY_CHOICES = ['revoke', 'transfer'] as const;
export type KeyChoice = (typeof KEY_CHOICES)[number];

export const MAX_EMAIL_CHARACTERS = 254;
const EMAIL = /^[^\s@<>(),;:"\\]{1,64}@[^\s@<>(),;:"\\]{1,189}$/;

/** Excludes lists of addresses and addresses with names; only the provider knows whether an address exists. */
export const isEmail = (text: string): boolean => EMAIL.test(text);

/**
 * `refused` means that the acting person is no longer an admin; `changed` that the member has another role, is gone,
 * or has keys again.
 */
export type ChangeOutcome = 'done' | 'refused' | 'changed';

/** The person who makes a change; undefined for an operator, an admin key or a session without a person. */
type Acting = string | undefined;

/** The people of accounts. Each change is written together with its audit entry, and only while the acting person is an admin. */
export type PeopleRepository = MemberRepository & {
  list(account: string): Promise<readonly Member[]>;
  /** A viewer has no keys. */
  changeRole(member: Member, role: Role, acting: Acting, entry: AuditEntry): Promise<ChangeOutcome>;
  /** Removes a member who has no keys. */
  remove(member: Member, acting: Acting, entry: AuditEntry): Promise<ChangeOutcome>;
};

export type InvitationRepository = {
  /** Includes expired invitations that are not removed yet. */
  list(account: string): Promise<readonly Invitation[]>;
  /** Adds an invitation and removes those that it replaces; false if the inviter is not an admin any more. */
  add(
    invitation: Invitation,
    replaced: readonly Invitation[],
    entries: readonly AuditEntry[],
  ): Promise<boolean>;
  /** False if the invitation is not found, for example because it was accepted. */
  remove(invitation: Pick<Invitation, 'account' | 'id'>, entry: AuditEntry): Promise<boolean>;
};
