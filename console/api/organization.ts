import type { AuditLogList } from '../../functions/identity/api/audit-log-object.ts';
import type { CreatedKey, KeyList, KeyObject } from '../../functions/identity/api/key-object.ts';
import type {
  CreatedInvitation,
  InvitationList,
  InvitationObject,
  PersonList,
  PersonObject,
} from '../../functions/identity/api/people-object.ts';
import type { KeyChoice } from '../../functions/identity/domain/people.ts';
import type { Role } from '../../functions/identity/domain/roles.ts';
import { afterLast, createPagedQuery, createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';
import { hasFeature } from './session.ts';

const PAGE = 100;

type List = PersonList | InvitationList | AuditLogList;

/** The items of all pages, until there are so many. */
const allPages = async <Page extends List>(
  load: (after: string) => Promise<Page>,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Page['data'][number][]> => {
  const items: Page['data'][number][] = [];
  for (let after: string | undefined = ''; after !== undefined && items.length < most; ) {
    const page: Page = await load(after);
    items.push(...page.data);
    after = afterLast(page);
  }
  return items;
};

const usersPath = (project: string): string =>
  `/v1/organization/projects/${encodeURIComponent(project)}/users`;
const userPath = (project: string, id: string): string => `${usersPath(project)}/${encodeURIComponent(id)}`;
const INVITES = '/v1/organization/invites';

export const users = createQuery<[project: string], readonly PersonObject[]>(async (signal, [project]) =>
  hasFeature('people')
    ? allPages<PersonList>((after) =>
        getJson(`${usersPath(project)}${queryString({ limit: PAGE, after })}`, signal),
      )
    : [],
);

export const invites = createQuery<[], readonly InvitationObject[]>((signal) =>
  allPages<InvitationList>((after) => getJson(`${INVITES}${queryString({ limit: PAGE, after })}`, signal)),
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
  await Promise.all([users.invalidate(), formerPeople.invalidate()]);
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

/** The addresses of people who were removed, by their ids. Only admins can read the audit log. */
export const formerPeople = createQuery<[isAdmin: boolean], Readonly<Record<string, string>>>(
  async (signal, [isAdmin]) => {
    if (!isAdmin) return {};
    const query = queryString({ event_types: ['user.deleted'], limit: PAGE });
    const { data } = await getJson<AuditLogList>(`/v1/organization/audit_logs${query}`, signal);
    const removed = data.flatMap((entry) => {
      const { id, email } = Object(Object(entry)['user.deleted']);
      return typeof id === 'string' && typeof email === 'string' && email !== ''
        ? [[id, email] as const]
        : [];
    });
    return Object.fromEntries(removed);
  },
);

export const personName = ({ name, email, id }: Pick<PersonObject, 'name' | 'email' | 'id'>): string =>
  name || email || id;

const keysPath = (project: string): string =>
  `/v1/organization/projects/${encodeURIComponent(project)}/api_keys`;

/** All keys, or those of a person that work. */
export const keys = createQuery<[project: string, owner?: string], KeyList>((signal, [project, owner]) => {
  const filter = owner === undefined ? {} : { owner_id: owner, owner_project_access: 'active' };
  return getJson(`${keysPath(project)}${queryString({ limit: PAGE, ...filter })}`, signal);
});

/** Call after every change of a key. */
export const refreshKeys = (): void => void keys.invalidate();

type NewKey = {
  readonly name: string;
  readonly expires_in_seconds?: number;
  readonly monthly_budget?: string;
  /** Otherwise it belongs to the person who creates it. */
  readonly owner?: 'account';
};

export const createKey = (project: string, key: NewKey): Promise<CreatedKey> =>
  sendJson('POST', keysPath(project), key);

type KeyChange = {
  readonly name?: string;
  readonly expires_in_seconds?: number | null;
  readonly monthly_budget?: string | null;
};

export const changeKey = (project: string, id: string, change: KeyChange): Promise<KeyObject> =>
  sendJson('POST', `${keysPath(project)}/${encodeURIComponent(id)}`, change);

export const revokeKey = (project: string, id: string): Promise<unknown> =>
  sendJson('DELETE', `${keysPath(project)}/${encodeURIComponent(id)}`);

export type AuditFilter = {
  readonly type: string;
  readonly person: string;
  /** Unix seconds: from, included, and to, excluded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
};

const auditPath = ({ type, person, from, to }: AuditFilter, limit: number, after: string): string =>
  `/v1/organization/audit_logs${queryString({
    event_types: type === '' ? [] : [type],
    actor_ids: person === '' ? [] : [person],
    'effective_at[gte]': from,
    'effective_at[lt]': to,
    limit,
    after,
  })}`;

/** A file with more entries would take minutes. */
const MAX_ENTRIES = 10_000;

export const fetchAuditEntries = (filter: AuditFilter) =>
  allPages<AuditLogList>((after) => getJson(auditPath(filter, PAGE, after)), MAX_ENTRIES);

const ENTRIES_PER_PAGE = 50;

export const auditPages = createPagedQuery<[filter: AuditFilter], AuditLogList>(
  ([filter], after, signal) => getJson(auditPath(filter, ENTRIES_PER_PAGE, after), signal),
  afterLast,
);
