import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import { actingPerson } from '../domain/api-key.ts';
import type { InvitationRepository, PeopleRepository } from '../domain/people.ts';
import { generateInvitation, type Invitation, isPending, normalizeEmail } from '../domain/person.ts';
import type { Role } from '../domain/roles.ts';
import type { Actor } from './manage-keys.ts';
import { entryFor, type Page, type PageQuery, toPage } from './manage-people.ts';

type Ports = {
  readonly people: Pick<PeopleRepository, 'list'>;
  readonly invitations: InvitationRepository;
};

/** Invites the owner of an address or, if it is empty, whoever has the link. A new invitation of an address replaces an earlier one. */
export const invite = async (
  { people, invitations }: Ports,
  actor: Actor,
  { email, role }: { readonly email: string; readonly role: Role },
  now: number,
): Promise<{ readonly token: string; readonly stored: Invitation }> => {
  const { account } = actor.caller;
  const made = generateInvitation({ account, email, role, invitedBy: actingPerson(actor.caller) }, now);
  const address = made.stored.email;
  const [members, earlier] =
    address === '' ? [[], []] : await Promise.all([people.list(account), invitations.list(account)]);
  const member = members.find((each) => normalizeEmail(each.email) === address);
  if (member !== undefined)
    throw invalidField('email', `${address} is in the account already, with the role ${member.role}.`);
  const replaced = earlier.filter((each) => each.email === address && isPending(each, now));
  const entries = [
    entryFor(actor, 'invite.sent', made.stored, now, { role }),
    ...replaced.map((each) => entryFor(actor, 'invite.deleted', each, now)),
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
  actor: Actor,
  id: string,
  now: number,
): Promise<void> => {
  const invitation = await findInvitation(invitations, actor.caller.account, id);
  const entry = entryFor(actor, 'invite.deleted', invitation, now);
  if (!(await invitations.remove(invitation, entry))) throw notFound('Invitation', id, 'invite_id');
};
