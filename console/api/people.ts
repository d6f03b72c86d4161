import type { Role } from '../../functions/platform/domain/roles.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';

/** A person's membership in the account. */
export type UserObject = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly added_at: number;
  readonly source: 'invitation' | 'provider' | 'operator';
  readonly last_sign_in_at: number | null;
};

export type InviteObject = {
  readonly id: string;
  readonly email: string | null;
  readonly role: Role;
  readonly status: 'pending' | 'expired';
  readonly created_at: number;
  readonly expires_at: number;
};

export type CreatedInvite = InviteObject & { readonly url: string };

/** What happens to the keys of a person who may no longer have any. */
export const KEY_FATES = ['revoke', 'transfer'] as const;
export type KeyFate = (typeof KEY_FATES)[number];

const PAGE = 100;

type Page<Item> = {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly last_id: string | null;
};

const allPages = async <Item>(path: string, signal: AbortSignal): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const page: Page<Item> = await getJson(`${path}${queryString({ limit: PAGE, after })}`, signal);
    items.push(...page.data);
    after = page.has_more ? (page.last_id ?? undefined) : undefined;
  } while (after !== undefined);
  return items;
};

const usersPath = (project: string): string =>
  `/v1/organization/projects/${encodeURIComponent(project)}/users`;
const userPath = (project: string, id: string): string => `${usersPath(project)}/${encodeURIComponent(id)}`;
const INVITES = '/v1/organization/invites';

export const users = createQuery<[project: string], readonly UserObject[]>((signal, [project]) =>
  allPages(usersPath(project), signal),
);

export const invites = createQuery<[], readonly InviteObject[]>((signal) => allPages(INVITES, signal));

export const changeRole = async (
  project: string,
  id: string,
  role: Role,
  keys: KeyFate | undefined,
): Promise<void> => {
  await sendJson('POST', userPath(project, id), { role, ...(keys === undefined ? {} : { keys }) });
  await users.invalidate();
};

export const removeUser = async (project: string, id: string, keys: KeyFate | undefined): Promise<void> => {
  await sendJson('DELETE', `${userPath(project, id)}${queryString({ keys })}`);
  await users.invalidate();
};

export const createInvite = async (email: string, role: Role): Promise<CreatedInvite> => {
  const created = await sendJson<CreatedInvite>('POST', INVITES, {
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

export const personName = ({ name, email, id }: Pick<UserObject, 'name' | 'email' | 'id'>): string =>
  name || email || id;
