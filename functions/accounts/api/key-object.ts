import { type ApiKey, isUsable } from '../../platform/domain/api-key.ts';
import type { CreatedKey, DeletedKey, KeyList, KeyObject, ServiceAccountKey } from './key-schema.ts';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
const secondsOrNull = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : seconds(milliseconds);

const PREFIXES = { plain: 'mgk_', admin: 'mga_' } as const;

export const keyObject = (key: ApiKey, now: number): KeyObject => ({
  id: key.id,
  object: 'organization.project.api_key',
  name: key.name,
  redacted_value: `${PREFIXES[key.kind]}…${key.lastFour}`,
  created_at: seconds(key.createdAt),
  expires_at: secondsOrNull(key.expiresAt),
  last_used_at: null,
  revoked_at: secondsOrNull(key.revokedAt),
  budget: key.monthlyBudget ?? null,
  owner: {
    type: 'service_account',
    service_account: {
      id: key.account,
      name: key.account,
      created_at: seconds(key.createdAt),
      role: 'member',
    },
  },
  owner_project_access: isUsable(key, now) ? 'active' : 'inactive',
});

export const createdKey = (key: ApiKey, value: string): CreatedKey => ({
  ...keyObject(key, key.createdAt),
  value,
});

export const serviceAccountKey = (
  { id, name, createdAt, expiresAt }: ApiKey,
  value: string,
): ServiceAccountKey => ({
  id,
  object: 'organization.project.service_account.api_key',
  name,
  created_at: seconds(createdAt),
  expires_at: secondsOrNull(expiresAt),
  value,
});

export const keyList = (keys: readonly ApiKey[], hasMore: boolean, now: number): KeyList => ({
  object: 'list',
  data: keys.map((key) => keyObject(key, now)),
  first_id: keys.at(0)?.id ?? null,
  last_id: keys.at(-1)?.id ?? null,
  has_more: hasMore,
});

export const deletedKey = (id: string): DeletedKey => ({
  id,
  object: 'organization.project.api_key.deleted',
  deleted: true,
});
