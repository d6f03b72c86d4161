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

/**
 * The role that each route requires of a person and of a person's key. A plain key of the account reaches all routes for
 * plain keys, an admin key all others. A route that ends in `*` stands for all routes with its beginning. A row marked
 * `own` lets members reach their own items only; the use case checks that.
 */
export const REQUIRED_ROLES: Readonly<Record<string, Role>> = {
  'GET /v1/models': 'viewer',
  'GET /v1/models/{model}': 'viewer',
  'GET /v1beta/models': 'viewer',
  'GET /v1beta/models/*': 'viewer',
  'GET /v1beta/operations/{operation}': 'viewer',

  'POST /v1/videos': 'member',
  'GET /v1/videos': 'viewer',
  'GET /v1/videos/{task_id}': 'viewer',
  'DELETE /v1/videos/{task_id}': 'member',
  'POST /v1/videos/{task_id}/cancel': 'member',
  'GET /v1/videos/{task_id}/content': 'viewer',
  'GET /v1/videos/{task_id}/inputs/{index}': 'viewer',
  'POST /v1/video/generations': 'member',
  'GET /v1/video/generations/{task_id}': 'viewer',
  'POST /v1/videos/{task_id}': 'viewer',
  'POST /v1/videos/{task_id}/remix': 'viewer',
  'POST /v1/videos/characters': 'viewer',
  'GET /v1/videos/characters/{character_id}': 'viewer',
  'POST /v1beta/models/*': 'member',

  // Each tool has the role of its own route.
  'POST /mcp': 'viewer',

  'POST /v1/chat/completions': 'member',
  'POST /v1/images/generations': 'member',
  'POST /v1/images/edits': 'member',

  'POST /v1/files': 'member',
  'GET /v1/files': 'viewer',
  'GET /v1/files/{file_id}': 'viewer',
  'DELETE /v1/files/{file_id}': 'member',
  'GET /v1/files/{file_id}/content': 'viewer',
  'GET /v1/files/{file_id}/preview': 'viewer',
  'POST /upload/v1beta/files': 'member',
  'GET /v1beta/files': 'viewer',
  'GET /v1beta/files/{file+}': 'viewer',
  'DELETE /v1beta/files/{file+}': 'member',

  'POST /v1/library/{item_id}': 'member',
  'GET /v1/collections': 'viewer',
  'POST /v1/collections': 'member',
  'POST /v1/collections/{collection_id}': 'member',
  'DELETE /v1/collections/{collection_id}': 'member',

  'POST /v1/shares': 'member',
  'GET /v1/shares': 'viewer',
  'DELETE /v1/shares/{share_id}': 'member',

  'GET /v1/console/session': 'viewer',
  'POST /v1/console/session/renew': 'viewer',
  'POST /v1/console/session/switch': 'viewer',
  'GET /v1/console/sessions': 'viewer', // own
  'DELETE /v1/console/sessions/{session_id}': 'viewer', // own
  'POST /v1/console/links': 'admin',

  'GET /v1/organization/projects/{project_id}/api_keys': 'viewer',
  'POST /v1/organization/projects/{project_id}/api_keys': 'member', // own
  'POST /v1/organization/projects/{project_id}/api_keys/{key_id}': 'member', // own
  'DELETE /v1/organization/projects/{project_id}/api_keys/{key_id}': 'member', // own
  'POST /v1/organization/projects/{project_id}/service_accounts/{service_account_id}/api_keys': 'admin',
  'GET /v1/organization/projects/{project_id}/users': 'viewer',
  'GET /v1/organization/projects/{project_id}/users/{user_id}': 'viewer',
  'POST /v1/organization/projects/{project_id}/users/{user_id}': 'admin',
  'DELETE /v1/organization/projects/{project_id}/users/{user_id}': 'admin',
  'GET /v1/organization/invites': 'admin',
  'POST /v1/organization/invites': 'admin',
  'GET /v1/organization/invites/{invite_id}': 'admin',
  'DELETE /v1/organization/invites/{invite_id}': 'admin',
  'GET /v1/organization/projects/{project_id}/spend_limit': 'viewer',
  'GET /v1/organization/projects/{project_id}/rate_limits': 'viewer',
  'GET /v1/organization/projects/{project_id}/storage_limit': 'viewer',
  'POST /v1/organization/projects/{project_id}/storage_limit': 'admin',
  'GET /v1/organization/costs': 'viewer',
  'GET /v1/organization/usage/videos': 'viewer',
  'GET /v1/organization/usage/images': 'viewer',
  'GET /v1/organization/charges': 'viewer',
  'GET /v1/organization/audit_logs': 'admin',

  'POST /v1/webhook_endpoints': 'admin',
  'GET /v1/webhook_endpoints': 'viewer',
  'GET /v1/webhook_endpoints/{webhook_endpoint_id}': 'viewer',
  'POST /v1/webhook_endpoints/{webhook_endpoint_id}': 'admin',
  'DELETE /v1/webhook_endpoints/{webhook_endpoint_id}': 'admin',
  'POST /v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret': 'admin',
  'POST /v1/webhook_endpoints/{webhook_endpoint_id}/test': 'admin',
  'GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries': 'viewer',
  'POST /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend': 'admin',
  'GET /v1/webhook_event_types': 'viewer',
};

/** Undefined for a route that the table does not have. */
export const requiredRole = (method: string, route: string): Role | undefined => {
  const name = `${method === 'HEAD' ? 'GET' : method} ${route}`;
  const covers = (row: string): boolean => row.endsWith('*') && name.startsWith(row.slice(0, -1));
  return REQUIRED_ROLES[name] ?? Object.entries(REQUIRED_ROLES).find(([row]) => covers(row))?.[1];
};

/** A route that is missing from the table is an error, so that none is open by mistake. */
export const requireRole = (role: Role, method: string, route: string, isKey = false): void => {
  const needed = requiredRole(method, route);
  if (needed === undefined) throw new Error(`no role is defined for ${method} ${route}`);
  if (!isAtLeast(role, needed))
    throw new DomainError(
      'insufficient_permissions',
      isKey
        ? `This requires the role ${needed}; the API key has the role ${role}, like its owner.`
        : `This requires the role ${needed}; yours in this account is ${role}. An admin of the account can change it.`,
    );
};
