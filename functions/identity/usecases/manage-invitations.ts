import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import { type Page, type PageQuery, toPage } from '../../platform/domain/pages.ts';
import { actingPerson } from '../domain/api-key.ts';
import type { CallerAction } from '../domain/audit.ts';
import type { InvitationRepository, PeopleRepository } from '../domain/people.ts';
import { generateInvitation, type Invitation, isPending, normalizeEmail } from '../domain/person.ts';
import type { Role } from '../domain/roles.ts';
import { entryFor } from './manage-people.ts';

type Ports = {
  readonly people: Pick<PeopleRepository, 'list'>;
  readonly invitations: InvitationRepository;
};

/** Invites the owner of an address or, if it is empty, whoever has the link. A new invitation of an address replaces an earlier one. */
export const invite = async (
  { people, invitations }: Ports,
  action: CallerAction,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<{ readonly token: string; readonly stored: Invitation }> => {
  const { caller, account, at } = action;
  const made = generateInvitation({ account, email, role, invitedBy: actingPerson(caller) }, at);
  const address = made.stored.email;
  const [members, earlier] =
    address === '' ? [[], []] : await Promise.all([people.list(account), invitations.list(account)]);
  const member = members.find((each) => normalizeEmail(each.email) === address);
  if (member !== undefined)
    throw invalidField('email', `${address} is in the account already, with the role ${member.role}.`);
  const replaced = earlier.filter((each) => each.email === address && isPending(each, at));
  const entries = [
    entryFor(action, 'invite.sent', made.stored, { role }),
    ...replaced.map((each) => entryFor(action, 'invite.deleted', each)),
  ];
  if (!(await invitations.add(made.stored, replaced, entries)))
    throw new DomainError('insufficient_permissions', 'You are not an admin of the account any more.');
  return made;
};

/** Newest first. */
export const listInvitations = async (
  invitations: Pick<InvitationRepository, 'list'>,
  account: string,
  query: PageQuery,
): Promise<Page<Invitation>> => {
  const all = await invitations.list(account);
  const sorted = all.toSorted(
    (one, other) => other.createdAt - one.createdAt || one.id.localeCompare(other.id),
  );
  return toPage(sorted, query, 'an invitation');
};

export const findInvitation = async (
  invitations: Pick<InvitationRepository, 'list'>,
  account: string,
  id: string,
): Promise<Invitation> => {
  const found = (await invitations.list(account)).find((each) => each.id === id);
  if (found === undefined) throw notFound('Invitation', id, 'invite_id');
  return found;
};

/** The link of the invitation stops working at once. */
export const deleteInvitation = async (
  invitations: Pick<InvitationRepository, 'list' | 'remove'>,
  action: CallerAction,
  id: string,
): Promise<void> => {
  const invitation = await findInvitation(invitations, action.account, id);
  const entry = entryFor(action, 'invite.deleted', invitation);
  if (!(await invitations.remove(invitation, entry))) throw notFound('Invitation', id, 'invite_id');
};
