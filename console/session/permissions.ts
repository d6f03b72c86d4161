import { isAtLeast, type Role } from '../../functions/identity/domain/roles.ts';

/** The role that each kind of action requires. The API decides; a test compares this table with the one of the API. */
export const NEEDED_ROLES = {
  create: 'member',
  delete: 'member',
  share: 'member',
  /** Keep, release and rename items, and change collections. */
  keep: 'member',
  storage: 'admin',
  /** Create keys, and change and revoke one's own. */
  ownKeys: 'member',
  allKeys: 'admin',
  webhooks: 'admin',
  people: 'admin',
  audit: 'admin',
  links: 'admin',
} as const satisfies Readonly<Record<string, Role>>;

export type Action = keyof typeof NEEDED_ROLES;

export const isAllowed = (role: Role, action: Action): boolean => isAtLeast(role, NEEDED_ROLES[action]);
