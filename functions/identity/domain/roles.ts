import { DomainError } from '../../platform/domain/errors.ts';

/** The message to a person whose membership ended while a session was open; the console recognizes it. */
export const ACCESS_REMOVED = 'Your access to this account was removed.';

/** The roles of people in an account; each may do all that the one before may. */
export const ROLES = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The role that the maker of a credential needs, from the moment it is made for as long as it is used. */
export const MAKER_ROLES = {
  key: 'member',
  session: 'viewer',
  link: 'admin',
  invitation: 'admin',
  share: 'member',
} as const satisfies Record<string, Role>;

export const mayHaveKeys = (role: Role): boolean => isAtLeast(role, MAKER_ROLES.key);

export const requireRole = (role: Role, needed: Role, isKey = false): void => {
  if (!isAtLeast(role, needed))
    throw new DomainError(
      'insufficient_permissions',
      isKey
        ? `This requires the role ${needed}; the API key has the role ${role}, like its owner.`
        : `This requires the role ${needed}; yours in this account is ${role}. An admin of the account can change it.`,
    );
};
