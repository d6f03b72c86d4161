import type { KeyAdministration } from '../../platform/domain/administration.ts';
import { type ApiKey, isUsable } from '../../platform/domain/api-key.ts';
import { type AuditEntry, type AuditType, auditEntry } from '../../platform/domain/audit.ts';
import { DomainError, invalidField, listed } from '../../platform/domain/errors.ts';
import { type Invitation, isPersonId, type Member } from '../../platform/domain/person.ts';
import type { Role } from '../../platform/domain/roles.ts';
import {
  type ChangeOutcome,
  type InvitationRepository,
  KEY_CHOICES,
  type KeyChoice,
  type PeopleRepository,
} from '../domain/people.ts';
import { type Actor, notFound } from './manage-keys.ts';

export type PageQuery = { readonly limit: number; readonly after: string | undefined };
export type Page<T> = { readonly items: readonly T[]; readonly hasMore: boolean };

export const toPage = <T extends { readonly id: string }>(
  all: readonly T[],
  { limit, after }: PageQuery,
  what: string,
): Page<T> => {
  const position = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && position === -1)
    throw invalidField('after', `after must be the id of ${what}, such as last_id of the previous page.`);
  const wanted = all.slice(position + 1);
  return { items: wanted.slice(0, limit), hasMore: wanted.length > limit };
};

/** In the order in which they were added. */
export const listPeople = async (
  people: Pick<PeopleRepository, 'list'>,
  account: string,
  query: PageQuery,
): Promise<Page<Member>> => {
  const all = await people.list(account);
  const sorted = all.toSorted((one, other) => one.addedAt - other.addedAt || one.id.localeCompare(other.id));
  return toPage(sorted, query, 'a person');
};

export const findPerson = async (
  people: Pick<PeopleRepository, 'find'>,
  account: string,
  id: string,
): Promise<Member> => {
  // Invitations are in the same table.
  const member = isPersonId(id) ? await people.find(account, id) : undefined;
  if (member === undefined) throw notFound('Person', id, 'user_id');
  return member;
};

type Ports = {
  readonly people: PeopleRepository;
  readonly invitations: Pick<InvitationRepository, 'list' | 'remove'>;
  readonly keys: Pick<KeyAdministration, 'listOwned' | 'revoke' | 'transfer'>;
};

/** Entries about one person; the details name the e-mail address, because the person may be gone. */
export const entryFor = (
  { origin }: Actor,
  type: AuditType,
  { account, id, email }: Pick<Member | Invitation, 'account' | 'id' | 'email'>,
  at: number,
  details: AuditEntry['details'] = {},
): AuditEntry =>
  auditEntry(origin, {
    account,
    at,
    type,
    resourceId: id,
    details: { ...(email === '' ? {} : { email }), ...details },
  });

/** Otherwise an account could lose its last admin by mistake. */
const requireAnother = ({ caller }: Actor, { id }: Member, what: string): void => {
  if (caller.role !== undefined && caller.personId === id)
    throw invalidField('user_id', `You cannot ${what}; ask another admin of the account.`);
};

/** The person of an API key is its owner, not necessarily the one who uses it. */
export const actingPerson = ({ caller }: Actor): string | undefined =>
  caller.role === undefined ? undefined : caller.personId;

/** Revokes or transfers the keys of a person before the person changes, so that a crash leaves no usable key behind. */
const releaseKeys = async (
  keys: Ports['keys'],
  actor: Actor,
  { account, id, email }: Member,
  choice: KeyChoice | undefined,
  now: number,
): Promise<void> => {
  const owned = await keys.listOwned(account, id);
  const usable = owned.filter((key) => isUsable(key, now)).length;
  if (choice === undefined && usable > 0)
    throw invalidField(
      'keys',
      `keys is required, because ${email === '' ? 'the person' : email} has ${usable} active API ${usable === 1 ? 'key' : 'keys'}: revoke, or transfer to give them to the account.`,
    );
  const entry = (type: AuditType, key: ApiKey) =>
    auditEntry(actor.origin, {
      account,
      at: now,
      type,
      resourceId: key.id,
      details: { name: key.name, owner: type === 'api_key.deleted' ? id : account },
    });
  for (const key of owned)
    if (choice === 'transfer') await keys.transfer(key, entry('api_key.updated', key));
    else await keys.revoke(key, now, entry('api_key.deleted', key));
};

/** A former admin could return through an invitation that they had created. */
const withdrawInvitations = async (
  invitations: Ports['invitations'],
  actor: Actor,
  { account, id }: Member,
  now: number,
): Promise<void> => {
  for (const invitation of await invitations.list(account))
    if (invitation.invitedBy === id)
      await invitations.remove(invitation, entryFor(actor, 'invite.deleted', invitation, now));
};

/** Another request may create a key or change the person at the same time. */
const ATTEMPTS = 3;

const untilDone = async (attempt: () => Promise<ChangeOutcome>): Promise<void> => {
  for (let tries = 1; tries <= ATTEMPTS; tries += 1) {
    const outcome = await attempt();
    if (outcome === 'done') return;
    if (outcome === 'refused')
      throw new DomainError('insufficient_permissions', 'You are not an admin of the account any more.');
  }
  throw new DomainError('concurrent_update', 'The person was changed by another request; try again.');
};

/** Changes the role of a person. Returns the person with the new role. */
export const changeRole = async (
  { people, invitations, keys }: Ports,
  actor: Actor,
  id: string,
  { role, keyChoice }: { readonly role: Role; readonly keyChoice: KeyChoice | undefined },
  now: number,
): Promise<Member> => {
  const { account } = actor.caller;
  const before = await findPerson(people, account, id);
  if (before.role === role) return before;
  requireAnother(actor, before, 'change your own role');
  if (before.source === 'provider')
    throw invalidField(
      'role',
      'role comes from the group of the person at the sign-in provider: change it there.',
    );
  await untilDone(async () => {
    const member = await findPerson(people, account, id);
    if (member.role === role) return 'done';
    if (role === 'viewer') await releaseKeys(keys, actor, member, keyChoice, now);
    if (member.role === 'admin') await withdrawInvitations(invitations, actor, member, now);
    const details = { from: member.role, to: role };
    return people.changeRole(
      member,
      role,
      actingPerson(actor),
      entryFor(actor, 'user.updated', member, now, details),
    );
  });
  // An invitation may have been created while the person was still an admin.
  if (before.role === 'admin') await withdrawInvitations(invitations, actor, before, now);
  return { ...before, role };
};

export const removePerson = async (
  { people, invitations, keys }: Ports,
  actor: Actor,
  id: string,
  keyChoice: KeyChoice | undefined,
  now: number,
): Promise<void> => {
  const { account } = actor.caller;
  const before = await findPerson(people, account, id);
  requireAnother(actor, before, 'remove yourself');
  await untilDone(async () => {
    const member = await findPerson(people, account, id);
    await releaseKeys(keys, actor, member, keyChoice, now);
    await withdrawInvitations(invitations, actor, member, now);
    const details = { role: member.role };
    return people.remove(member, actingPerson(actor), entryFor(actor, 'user.deleted', member, now, details));
  });
  await withdrawInvitations(invitations, actor, before, now);
};

export const readKeyChoice = (given: string | undefined): KeyChoice | undefined => {
  const choice = KEY_CHOICES.find((each) => each === given);
  if (given !== undefined && choice === undefined)
    throw invalidField('keys', `keys must be one of ${listed(KEY_CHOICES)}.`);
  return choice;
};
