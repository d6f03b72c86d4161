import type { AuditEntry } from './audit.ts';
import type { Invitation, Member, MemberRepository } from './person.ts';

/** Whether the keys of a person who leaves or becomes a viewer are revoked or given to the account. */
export const KEY_CHOICES = ['revoke', 'transfer'] as const;
export type KeyChoice = (typeof KEY_CHOICES)[number];

/**
 * `refused` means that the acting person is no longer an admin; `changed` that the member has another role, is gone,
 * or has keys again, or that the remaining admin is none any more.
 */
export type ChangeOutcome = 'done' | 'refused' | 'changed';

/** Who must be an admin when a change is written. */
export type RequiredAdmins = {
  /** The person who makes the change; undefined for an operator, or a key or session without a person. */
  readonly acting: string | undefined;
  /** Another admin, so that the account keeps one; undefined if the change takes no admin or the acting person is one. */
  readonly remaining: string | undefined;
};

/** The people of accounts. Each change is written together with its audit entry. */
export type PeopleRepository = MemberRepository & {
  list(account: string): Promise<readonly Member[]>;
  /** Changes a member to the given one, who has keys only if the role allows it. */
  changeRole(
    member: Member,
    changed: Member,
    admins: RequiredAdmins,
    entry: AuditEntry,
  ): Promise<ChangeOutcome>;
  /** Removes a member who has no keys. */
  remove(member: Member, admins: RequiredAdmins, entry: AuditEntry): Promise<ChangeOutcome>;
};

export type InvitationRepository = {
  /** Without those whose inviter may not invite any more; includes expired ones that are not removed yet. */
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
