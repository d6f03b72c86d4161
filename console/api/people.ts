import type {
  CreatedInvitation,
  InvitationList,
  InvitationObject,
  PersonList,
  PersonObject,
} from '../../functions/accounts/api/people-object.ts';
import type { KeyChoice } from '../../functions/accounts/domain/people.ts';
import type { Role } from '../../functions/platform/domain/roles.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';

const PAGE = 100;

const allPages = async <Page extends PersonList | InvitationList>(
  path: string,
  signal: AbortSignal,
): Promise<readonly Page['data'][number][]> => {
  const items: Page['data'][number][] = [];
  let after: string | undefined;
  do {
    const page: Page = await getJson(`${path}${queryString({ limit: PAGE, after })}`, signal);
    items.push(...page.data);
    after = page.has_more ? (page.last_id ?? undefined) : undefined;
  } while (after !== undefined);
  return items;
};

const usersPath = (project: string): string =>
  `/v1/organization/projects/${encodeURIComponent(project)}/users`;
const userPath = (project: string, id: string): string => `${usersPath(project)}/${encodeURIComponent(id)}`;
const INVITES = '/v1/organization/invites';

export const users = createQuery<[project: string], readonly PersonObject[]>((signal, [project]) =>
  allPages<PersonList>(usersPath(project), signal),
);

export const invites = createQuery<[], readonly InvitationObject[]>((signal) =>
  allPages<InvitationList>(INVITES, signal),
);

export const changeRole = async (
  project: string,
  id: string,
  role: Role,
  keys: KeyChoice | undefined,
): Promise<void> => {
  await sendJson('POST', userPath(project, id), { role, ...(keys === undefined ? {} : { keys }) });
  await users.invalidate();
};

export const removeUser = async (project: string, id: string, keys: KeyChoice | undefined): Promise<void> => {
  await sendJson('DELETE', `${userPath(project, id)}${queryString({ keys })}`);
  await users.invalidate();
};

export const createInvite = async (email: string, role: Role): Promise<CreatedInvitation> => {
  const created = await sendJson<CreatedInvitation>('POST', INVITES, {
    ...(email === '' ? {} : { email }),
    role,
  });
  void invites.invalidate();
  return created;
};

export const deleteInvite = async (id: string): Promise<void> => {
  await sendJson('DELETE', `${INVITES}/${encodeURIComponent(id)}`);
  await invites.invalidate();
};

export const personName = ({ name, email, id }: Pick<PersonObject, 'name' | 'email' | 'id'>): string =>
  name || email || id;
