import type { CreatedKey, KeyList, KeyObject } from '../../functions/accounts/api/key-object.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';

const keysPath = (project: string): string =>
  `/v1/organization/projects/${encodeURIComponent(project)}/api_keys`;

export const keys = createQuery<[project: string], KeyList>((signal, [project]) =>
  getJson(`${keysPath(project)}?limit=100`, signal),
);

/** The keys of a person that still work. */
export const activeKeys = createQuery<[project: string, owner: string], KeyList>((signal, [project, owner]) =>
  getJson(
    `${keysPath(project)}${queryString({ limit: 100, owner_id: owner, owner_project_access: 'active' })}`,
    signal,
  ),
);

/** Call after every change of a key. */
export const refreshKeys = (): void => {
  void keys.invalidate();
  void activeKeys.invalidate();
};

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
