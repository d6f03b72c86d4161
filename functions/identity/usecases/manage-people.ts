import { DomainError, invalidField, notFound } from '../../platform/domain/errors.ts';
import { type Page, type PageQuery, toPage } from '../../platform/domain/pages.ts';
import type { KeyAdministration } from '../domain/administration.ts';
import { actingPerson, isOwned, isUsable } from '../domain/api-key.ts';
import { type AuditEntry, type AuditType, auditEntry, type CallerAction } from '../domain/audit.ts';
import type { ChangeOutcome, KeyChoice, PeopleRepository, RequiredAdmins } from '../domain/people.ts';
import { type Invitation, isPersonId, type Member, withRole } from '../domain/person.ts';
import { mayHaveKeys, type Role } from '../domain/roles.ts';
import { keyEntry } from './manage-keys.ts';

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
  readonly keys: Pick<KeyAdministration, 'listOwned' | 'revoke' | 'transfer'>;
};

/** Entries about one person; the details name the e-mail address, because the person may be gone. */
export const entryFor = (
  action: CallerAction,
  type: AuditType,
  { id, email }: Pick<Member | Invitation, 'id' | 'email'>,
  details: AuditEntry['details'] = {},
): AuditEntry => auditEntry(action, type, id, { ...(email === '' ? {} : { email }), ...details });

const requireAnother = ({ caller }: CallerAction, { id }: Member, what: string): void => {
  if (actingPerson(caller) === id)
    throw invalidField('user_id', `You cannot ${what}; ask another admin of the account.`);
};

/** An account keeps an admin; only an operator can remove its last person. */
const requireAdmins = async (
  people: Pick<PeopleRepository, 'list'>,
  { caller, actor }: CallerAction,
  member: Member,
  change: 'change' | 'removal',
): Promise<RequiredAdmins> => {
  const acting = actingPerson(caller);
  if (member.role !== 'admin' || acting !== undefined) return { acting, remaining: undefined };
  const others = (await people.list(member.account)).filter(({ id }) => id !== member.id);
  const remaining = others.find(({ role }) => role === 'admin')?.id;
  const mayLeave = change === 'removal' && actor.kind === 'operator' && others.length === 0;
  if (remaining === undefined && !mayLeave)
    throw invalidField(
      'user_id',
      'This person is the only admin of the account, which keeps one: make another person an admin first.',
    );
  return { acting, remaining };
};

/** Revokes or transfers the keys of a person before the person changes, so that a crash leaves no usable key behind. */
const releaseKeys = async (
  keys: Ports['keys'],
  action: CallerAction,
  member: Member,
  choice: KeyChoice | undefined,
): Promise<void> => {
  const { account, id, email } = member;
  const owned = await keys.listOwned(account, id);
  const usable = owned.filter((key) => isUsable(key, action.at, member)).length;
  if (choice === undefined && usable > 0)
    throw invalidField(
      'keys',
      `keys is required, because ${email === '' ? 'the person' : email} has ${usable} active API ${usable === 1 ? 'key' : 'keys'}: revoke, or transfer to give them to the account.`,
    );
  // A key of an earlier membership has ended already.
  for (const key of owned)
    if (choice === 'transfer' && isOwned(key, member))
      await keys.transfer(
        key,
        member.role,
        keyEntry(action, 'api_key.updated', { ...key, ownerId: undefined }),
        actingPerson(action.caller),
      );
    else await keys.revoke(key, action.at, keyEntry(action, 'api_key.deleted', key));
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
  { people, keys }: Ports,
  action: CallerAction,
  id: string,
  { role, keyChoice }: { readonly role: Role; readonly keyChoice: KeyChoice | undefined },
): Promise<Member> => {
  const { account, at } = action;
  const before = await findPerson(people, account, id);
  if (before.role === role) return before;
  requireAnother(action, before, 'change your own role');
  if (before.source === 'provider')
    throw invalidField(
      'role',
      'role comes from the group of the person at the sign-in provider: change it there.',
    );
  await untilDone(async () => {
    const member = await findPerson(people, account, id);
    if (member.role === role) return 'done';
    const admins = await requireAdmins(people, action, member, 'change');
    if (!mayHaveKeys(role)) await releaseKeys(keys, action, member, keyChoice);
    const entry = entryFor(action, 'user.updated', member, { from: member.role, to: role });
    return people.changeRole(member, withRole(member, role, at), admins, entry);
  });
  return { ...before, role };
};

export const removePerson = async (
  { people, keys }: Ports,
  action: CallerAction,
  id: string,
  keyChoice: KeyChoice | undefined,
): Promise<void> => {
  const { account } = action;
  const before = await findPerson(people, account, id);
  requireAnother(action, before, 'remove yourself');
  await untilDone(async () => {
    const member = await findPerson(people, account, id);
    const admins = await requireAdmins(people, action, member, 'removal');
    await releaseKeys(keys, action, member, keyChoice);
    const details = { role: member.role };
    return people.remove(member, admins, entryFor(action, 'user.deleted', member, details));
  });
};
